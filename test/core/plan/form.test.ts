import fc from 'fast-check'
import t from 'tap'
import { checkFormType, checkOrigin, compileForm } from '../../../core/plan/form.ts'
import { anyCharacter } from '../../support/any-character.ts'

const read = compileForm({
  type: 'object',
  properties: { note: { type: 'string' }, stars: { type: 'integer' }, kept: { type: 'boolean' } }
})
const fields = (text: string | Uint8Array): unknown => read(Buffer.from(text))

t.test('the declared fields are read, each as what its schema says', t => {
  t.same(fields(''), {})
  t.same(fields('note=a+b%20%2B%26&stars=3&kept=true'), { note: 'a b +&', stars: 3, kept: true })
  t.same(fields('note='), { note: '' }, 'a field that was left empty')
  t.same(fields('stars=many'), { stars: 'many' }, 'the schema refuses what is no number')
  t.same(fields('note=%E2%82%AC'), { note: '€' })
  t.end()
})

t.test('whatever a browser writes for a text is read as that text', t => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }).map(text => text.toWellFormed().replaceAll('\0', '')),
      note => {
        t.same(fields(new URLSearchParams({ note }).toString()), { note })
      }
    ),
    { numRuns: 300 }
  )
  t.end()
})

t.test('another field, a field twice, and what cannot be read are refused with their name', t => {
  const refused = (text: string | Uint8Array, message: RegExp, details: object): void => {
    t.throws(() => fields(text), { code: 'INVALID_INPUT', status: 400, message, details }, Buffer.from(text).toString())
  }
  refused('page=1', /no field `page`/, { field: 'page', allowed: ['note', 'stars', 'kept'] })
  refused('__proto__=1', /no field `__proto__`/, { field: '__proto__' })
  refused('note=a&stars=1&note=a', /`note` is given 2 times/, { field: 'note' })
  refused('note=%ff', /`note` is not valid percent-encoded UTF-8/, { in: 'body' })
  refused('note=%00', /`note` is not valid/, { in: 'body' })
  refused(Buffer.from([0x6e, 0x3d, 0xff]), /must be percent-encoded/, { in: 'body' })
  refused('{"note":1}', /must be percent-encoded|no field/, {})
  refused(Array.from({ length: 101 }, () => 'a').join('&'), /more than 100/, { in: 'body' })
  t.end()
})

t.test('a form of another site is refused, one of our own and one of a program are not', t => {
  const host = 'cards.example:8080'
  const base = 'https://public.example'
  const good: readonly Readonly<Record<string, string>>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: `http://${host}` },
    { origin: `https://${host.toUpperCase()}` },
    // A page that sends no referrer sends no origin with its own forms either (Fetch, "append a request Origin
    // header").
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    // A gateway that changes `Host`.
    { origin: base }
  ]
  for (const headers of good)
    t.doesNotThrow(() => {
      checkOrigin({ host, ...headers }, base)
    }, JSON.stringify(headers))
  const bad: readonly Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': '' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'https://cards.example' },
    { origin: 'https://cards.example:8081' },
    { origin: 'https://cards.example:8080.evil.example' },
    { origin: `http://${host}, http://evil.example` },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }
  ]
  for (const headers of bad)
    t.throws(
      () => {
        checkOrigin({ host, ...headers }, base)
      },
      { code: 'FORBIDDEN', status: 403, headers: { Connection: 'close' } },
      JSON.stringify(headers)
    )
  t.throws(
    () => {
      checkOrigin({ origin: 'http://127.0.0.1' }, base)
    },
    { code: 'FORBIDDEN' },
    'a request without a host'
  )
  t.end()
})

t.test('only forms are taken, in UTF-8 and without a content coding', t => {
  for (const type of ['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8'])
    t.doesNotThrow(() => {
      checkFormType({ 'content-type': type })
    }, type)
  t.doesNotThrow(() => {
    checkFormType({ 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'identity' })
  })
  for (const headers of [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'multipart/form-data; boundary=a' },
    { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' },
    { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
  ]) {
    t.throws(
      () => {
        checkFormType(headers)
      },
      { code: 'UNSUPPORTED_MEDIA_TYPE', status: 415, details: { allowed: ['application/x-www-form-urlencoded'] } },
      JSON.stringify(headers)
    )
  }
  t.end()
})
