import t from 'tap'
import { basePathOf, originOf, urlOf } from '../../../core/canonical/url.ts'

t.test('an address is one, however often it is asked', t => {
  let refused = 0
  for (let asked = 0; asked < 20_000; asked += 1)
    if (urlOf('https://b\u00fccher.example/#x') === undefined) refused += 1
  t.equal(refused, 0)
  t.equal(urlOf('https://b\u00fccher.example/#x')?.hostname, 'xn--bcher-kva.example')
  for (const text of ['', 'https://', '//example.org', 'https://a b.example']) t.equal(urlOf(text), undefined, text)
  t.end()
})

t.test('a base URL is an origin and a path without a slash at its end', t => {
  for (const [url, origin, path] of [
    ['https://a.example', 'https://a.example', ''],
    ['https://a.example/', 'https://a.example', ''],
    ['http://127.0.0.1:8080/data/', 'http://127.0.0.1:8080', '/data'],
    ['https://a.example/b/c', 'https://a.example', '/b/c']
  ] as const)
    t.same([originOf(url), basePathOf(url)], [origin, path], url)
  t.end()
})
