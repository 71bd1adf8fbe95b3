import fc from 'fast-check'
import t from 'tap'
import { checkFormType, checkOrigin, compileForm } from '../../../core/plan/read.ts'
import { anyCharacter } from '../../support/any-character.ts'

const schema = {
  type: 'object',
  properties: { note: { type: 'string' }, stars: { type: 'integer' }, kept: { type: 'boolean' } }
}
const read = compileForm({ schema, limitBytes: 65_536 })
const fields = async (text: string | Uint8Array): Promise<unknown> =>
  (await read({ headers: {}, readForm: () => Promise.resolve({ pairs: Buffer.from(text) }) })).body

t.test('the declared fields are read, each as what its schema says', async t => {
  t.same(await fields(''), {})
  t.same(await fields('note=a+b%20%2B%26&stars=3&kept=true'), { note: 'a b +&', stars: 3, kept: true })
  t.same(await fields('note='), { note: '' }, 'a field that was left empty')
  t.same(await fields('stars=many'), { stars: 'many' }, 'the schema refuses what is no number')
  t.same(await fields('note=%E2%82%AC'), { note: '€' })
  t.same(await fields('note=a%0D%0Ab%0Dc%0A%0D%0A'), { note: 'a\nb\nc\n\n' }, 'line breaks, as people count them')
})

t.test('whatever a browser writes for a text is read as that text', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter }).map(text => text.toWellFormed().replaceAll('\0', '')),
      async note => {
        const read = { note: note.replaceAll(/\r\n?/g, '\n') }
        t.same(await fields(new URLSearchParams({ note }).toString()), read)
      }
    ),
    { numRuns: 300 }
  )
})

t.test('another field, a field twice, and what cannot be read are refused with their name', async t => {
  const refused = async (text: string | Uint8Array, message: RegExp, details: object): Promise<void> => {
    await t.rejects(
      fields(text),
      { code: 'INVALID_INPUT', status: 400, message, details },
      Buffer.from(text).toString()
    )
  }
  await refused('page=1', /no field `page`/, { field: 'page', allowed: ['note', 'stars', 'kept'] })
  await refused('__proto__=1', /no field `__proto__`/, { field: '__proto__' })
  await refused('note=a&stars=1&note=a', /`note` is given 2 times/, { field: 'note' })
  await refused('note=%ff', /`note` is not valid percent-encoded UTF-8/, { in: 'body' })
  await refused('note=%00', /`note` is not valid/, { in: 'body' })
  await refused(Buffer.from([0x6e, 0x3d, 0xff]), /must be percent-encoded/, { in: 'body' })
  await refused('{"note":1}', /must be percent-encoded|no field/, {})
  await refused(Array.from({ length: 101 }, () => 'a').join('&'), /more than 100/, { in: 'body' })
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
