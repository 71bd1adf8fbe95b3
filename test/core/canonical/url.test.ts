import t from 'tap'
import { urlOf } from '../../../core/canonical/url.ts'

t.test('an address is one, however often it is asked', t => {
  let refused = 0
  for (let asked = 0; asked < 20_000; asked += 1)
    if (urlOf('https://b\u00fccher.example/#x') === undefined) refused += 1
  t.equal(refused, 0)
  t.equal(urlOf('https://b\u00fccher.example/#x')?.hostname, 'xn--bcher-kva.example')
  for (const text of ['', 'https://', '//example.org', 'https://a b.example']) t.equal(urlOf(text), undefined, text)
  t.end()
})
