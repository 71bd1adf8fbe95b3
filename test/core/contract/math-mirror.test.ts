import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import canonicalizeReference from 'canonicalize'
import type { JsonObject } from '../../../core/canonical/json.ts'
import { finishMirror, mirrorDocument, mirrorTime, preambleFields } from '../../../core/contract/math-mirror.ts'

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
const parse = (text: string) => JSON.parse(text) as Record<string, unknown>
const now = new Date('2026-11-20T10:20:30.456Z')
const sample = {
  encoding: 'x/universal/v1',
  kind: 'thing',
  seed: { id: 7 },
  body: { name: 'ü', _links: { parent: null }, '@density': 'normal' },
  sources: ['self'],
  sourceLicense: ['cc0']
}

t.test('a finished document is canonical, complete and dated', t => {
  const text = finishMirror(mirrorDocument(sample), now)
  const document = parse(text)
  t.equal(text, canonicalizeReference(document))
  t.same(
    Object.keys(document).filter(name => name.startsWith('@') && name !== '@density'),
    preambleFields
  )
  t.same(document['@retrieved_at'], { iso8601: '2026-11-20T10:20:30.456Z', unix_epoch_seconds: 1795170030 })
  t.same(
    [document['@encoding'], document['@kind'], document['@sources'], document['@source_license']],
    ['x/universal/v1', 'thing', ['self'], ['cc0']]
  )
  t.end()
})

t.test('the self hash covers the document without itself, the content hash only the seed', t => {
  const document = parse(finishMirror(mirrorDocument(sample), now))
  const { '@self_hash': selfHash, ...rest } = document
  t.equal(selfHash, sha256(canonicalizeReference(rest) ?? ''))
  t.equal(document['@content_hash'], sha256('{"id":7}'))
  t.end()
})

t.test('the entity tag follows the content and not the time', t => {
  const etag = mirrorDocument(sample).etag
  t.equal(mirrorDocument({ ...sample }).etag, etag)
  t.not(mirrorDocument({ ...sample, body: { ...sample.body, name: 'u' } }).etag, etag)
  t.not(mirrorDocument({ ...sample, seed: { id: 8 } }).etag, etag)
  t.match(etag, /^[0-9a-f]{32}$/)
  t.end()
})

t.test('a member between the two changing ones, or in the place of one, is refused by name', t => {
  for (const name of ['@retrieved_at', '@scope', '@self_hash']) {
    t.throws(
      () => mirrorDocument({ ...sample, body: { [name]: 1 } }),
      new TypeError(`A structural document cannot have a member \`${name}\` of its own.`)
    )
  }
  t.end()
})

t.test('any body gives a canonical document whose self hash can be recomputed', t => {
  const body = fc.dictionary(
    fc.string({ unit: 'grapheme' }).filter(name => name < '@retrieved_at' || name > '@self_hash'),
    fc.jsonValue()
  )
  t.doesNotThrow(() => {
    fc.assert(
      fc.property(
        body,
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }),
        (given, moment) => {
          const text = finishMirror(mirrorDocument({ ...sample, body: given as JsonObject }), moment)
          const { '@self_hash': selfHash, ...rest } = parse(text)
          return (
            text === canonicalizeReference(JSON.parse(text)) && selfHash === sha256(canonicalizeReference(rest) ?? '')
          )
        }
      )
    )
  })
  t.end()
})

t.test('a moment is written twice', t => {
  t.same(mirrorTime('2026-11-20T10:20:30.999Z'), {
    iso8601: '2026-11-20T10:20:30.999Z',
    unix_epoch_seconds: 1795170030
  })
  t.same(mirrorTime(new Date(0)), { iso8601: '1970-01-01T00:00:00.000Z', unix_epoch_seconds: 0 })
  t.end()
})
