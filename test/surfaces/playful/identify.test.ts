import canonicalizeElsewhere from 'canonicalize'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import t from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import type { Reply } from '../../../core/handler/handler.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { identifyPost as identify } from '../../../surfaces/handlers/witness.ts'
import { fingerprintContract, normativeVectors } from '../../../surfaces/playful/identify-contract.ts'
import { declarationTerms } from '../../../surfaces/playful/identify-declaration.ts'
import type { Services } from '../../../surfaces/services.ts'
import { now, requestOf } from '../cards/ask.ts'
import { anyCharacter } from '../../support/any-character.ts'

type Remark = { path: string; code: string }
type Answer = {
  echo: JsonObject
  content_hash: string
  unrecognized_fields: { field: string; did_you_mean: string | null }[]
  normalization_warnings: Remark[]
  truncations: { path: string; unit: string; given: number; kept: number }[]
  remarks_omitted: number
  ontology_alignment: { matches: string[]; extensions_proposed: { field: string; did_you_mean: string | null }[] }
  for_you: { url: string }[]
}

const check = compileSchema(identify.reply)
const post = (body: JsonObject, at = now): Answer => {
  const { data } = identify.handle(
    requestOf({ method: 'POST', path: '/api/v1/identify', body, now: at }),
    {} as Services
  ) as Reply
  const issues = check(data)
  if (issues.length > 0) throw new Error(JSON.stringify(issues))
  return data as Answer
}
const hashElsewhere = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalizeElsewhere(value) ?? '')
    .digest('hex')
const remarks = ({ normalization_warnings: warnings, truncations, unrecognized_fields: unknown }: Answer): string[] => [
  ...warnings.map(({ path, code }) => `${path} ${code}`),
  ...truncations.map(({ path, unit, given, kept }) => `${path} ${given} ${unit} to ${kept}`),
  ...unknown.map(({ field, did_you_mean: meant }) => `${field}? ${meant ?? '-'}`)
]

t.test('the normative vectors hold, here and in another implementation', t => {
  for (const { name, declaration, canonical_text: text, content_hash: hash } of normativeVectors) {
    const { echo, content_hash: fingerprint } = post(declaration)
    t.equal(canonicalizeElsewhere(echo), text, name)
    t.equal(fingerprint, hash, name)
    t.equal(createHash('sha256').update(text).digest('hex'), hash, name)
  }
  t.equal(new Set(normativeVectors.map(({ content_hash: hash }) => hash)).size, normativeVectors.length)
  t.equal(fingerprintContract.id, 'pantry-cards.identify.canonical-json/1')
  t.end()
})

t.test('a fingerprint covers every depth, and neither the time nor the order', t => {
  const deep = (value: number): JsonObject => ({
    context: { a: { b: [{ c: value }] } },
    capabilities: { streaming: { sse: true } }
  })
  t.not(post(deep(1)).content_hash, post(deep(2)).content_hash)
  t.not(post(deep(1)).content_hash, post({ ...deep(1), capabilities: { streaming: { sse: false } } }).content_hash)
  t.equal(post(deep(1)).content_hash, post(deep(1), new Date(0)).content_hash)
  t.equal(
    post({ context: { a: 1, b: 2 }, self_label: 'x' }).content_hash,
    post({ self_label: ' x ', context: { b: 2, a: 1 } }).content_hash
  )
  const answer = post(deep(1))
  t.equal(answer.content_hash, hashElsewhere(answer.echo))
  t.end()
})

t.test('misspelt members are named with the one that was perhaps meant', t => {
  const meant = Object.fromEntries(
    post({
      self_lable: 'x',
      lable: 'x',
      actorkind: 'agent',
      kind: 'agent',
      name: 'x',
      cosmology: {},
      audience: [],
      declaredat: 'x',
      zebra: 1,
      constructor: 1,
      capabilities: { provider_shpae: 'x', streaming: { ndjsno: true } }
    }).unrecognized_fields.map(({ field, did_you_mean: word }) => [field, word])
  )
  t.strictSame(meant, {
    self_lable: 'self_label',
    lable: 'self_label',
    actorkind: 'actor_kind',
    kind: 'actor_kind',
    name: 'self_label',
    cosmology: 'cosmology_assumptions',
    audience: 'audience_declarations',
    declaredat: 'declared_at',
    zebra: null,
    constructor: null,
    'capabilities.provider_shpae': 'capabilities.provider_shape',
    'capabilities.streaming.ndjsno': 'capabilities.streaming.ndjson'
  })
  t.strictSame(remarks(post(JSON.parse('{"__proto__":{"a":1}}') as JsonObject)), ['__proto__? -'])
  t.end()
})

t.test('every word is taken, in any letter case, and another is left out with a remark', t => {
  const { actorKinds, modalities, providerShapes, protocols } = declarationTerms
  for (const kind of actorKinds) t.equal(post({ actor_kind: ` ${kind.toUpperCase()} ` }).echo['actor_kind'], kind)
  for (const shape of providerShapes)
    t.match(post({ capabilities: { provider_shape: shape } }).echo, { capabilities: { provider_shape: shape } })
  for (const protocol of protocols) t.equal(post({ signaling_protocol: protocol }).echo['signaling_protocol'], protocol)
  t.strictSame(post({ preferred_modalities: [...modalities] }).echo['preferred_modalities'], modalities)
  const other = post({
    actor_kind: 'dragon',
    signaling_protocol: 'smoke',
    preferred_modalities: ['json', 'smell', 'JSON'],
    capabilities: { provider_shape: 'x' }
  })
  t.match(other.echo, {
    actor_kind: 'other',
    signaling_protocol: null,
    preferred_modalities: ['json'],
    capabilities: { provider_shape: null }
  })
  t.strictSame(remarks(other), [
    'actor_kind unsupported_value',
    'preferred_modalities.1 unsupported_value',
    'preferred_modalities duplicate',
    'capabilities.provider_shape unsupported_value',
    'signaling_protocol unsupported_value'
  ])
  t.end()
})

t.test('wrong types are left out, each with a remark, and the request still succeeds', t => {
  const members = [
    'actor_kind',
    'self_label',
    'cosmology_assumptions',
    'preferred_modalities',
    'capabilities',
    'response_window_hours',
    'audience_declarations',
    'well_known_url',
    'signing_key',
    'signaling_protocol',
    'context',
    'declared_at'
  ]
  const wrong = post(Object.fromEntries(members.map(name => [name, true])))
  t.strictSame(
    wrong.normalization_warnings.map(({ path, code }) => [path, code]),
    members.map(name => [name, 'wrong_type'])
  )
  t.strictSame(wrong.echo, post({}).echo)
  t.strictSame(
    remarks(post(Object.fromEntries(members.map(name => [name, null])))),
    [],
    'null means the same as nothing'
  )
  t.end()
})

t.test('bounds hold at both sides, and what is cut off is told', t => {
  t.strictSame(remarks(post({ self_label: '\u{1f0cf}'.repeat(200) })), [])
  t.strictSame(remarks(post({ self_label: '\u{1f0cf}'.repeat(201) })), ['self_label 201 characters to 200'])
  t.equal(post({ self_label: '\u{1f0cf}'.repeat(201) }).echo['self_label'], '\u{1f0cf}'.repeat(200))
  for (const hours of [1, 8760]) t.equal(post({ response_window_hours: hours }).echo['response_window_hours'], hours)
  for (const hours of [0, 8761])
    t.strictSame(remarks(post({ response_window_hours: hours })), ['response_window_hours out_of_range'])
  t.strictSame(remarks(post({ response_window_hours: 1.5 })), ['response_window_hours wrong_type'])
  const audiences = (count: number): JsonObject => ({
    audience_declarations: Array.from({ length: count }, (_, index) => `a${index}`)
  })
  t.strictSame(remarks(post(audiences(32))), [])
  t.strictSame(remarks(post(audiences(33))), ['audience_declarations 33 items to 32'])
  const axes = (count: number): JsonObject => ({
    cosmology_assumptions: Object.fromEntries(Array.from({ length: count }, (_, index) => [`axis-${index}`, 'x']))
  })
  t.strictSame(remarks(post(axes(32))), [])
  t.strictSame(remarks(post(axes(33))), ['cosmology_assumptions 33 members to 32'])
  const nested = (levels: number): JsonObject => ({
    context: Array.from({ length: levels - 1 }).reduce<JsonObject>(inner => ({ a: inner }), {})
  })
  t.strictSame(remarks(post(nested(6))), [])
  t.strictSame(remarks(post(nested(7))), ['context.a.a.a.a.a.a 7 levels to 6'])
  const members = (count: number): JsonObject => ({
    context: Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]))
  })
  t.strictSame(remarks(post(members(64))), [])
  t.strictSame(remarks(post(members(65))), ['context 65 members to 64'])
  t.strictSame(remarks(post({ context: { a: Array(64).fill(0), b: 'x'.repeat(1000), ['n'.repeat(100)]: 1 } })), [])
  t.strictSame(remarks(post({ context: { a: Array(65).fill(0), b: 'x'.repeat(1001), ['n'.repeat(101)]: 1 } })), [
    'context name_too_long',
    'context.a 65 items to 64',
    'context.b 1001 characters to 1000'
  ])
  t.end()
})

t.test('addresses, moments and controls', t => {
  t.equal(post({ well_known_url: 'HTTP://Example.org' }).echo['well_known_url'], 'http://example.org/')
  for (const bad of ['ftp://a', 'https://me@example.org', 'example.org', 'https://a b', 'javascript:1'])
    t.strictSame(remarks(post({ well_known_url: bad })), ['well_known_url invalid_format'], bad)
  t.equal(post({ declared_at: '2026-11-20T13:00:00+01:00' }).echo['declared_at'], '2026-11-20T12:00:00.000Z')
  t.strictSame(remarks(post({ declared_at: 'today' })), ['declared_at invalid_format'])
  const controls = post({ self_label: 'a\u0007b\r\nc\td\u009fe' })
  t.equal(controls.echo['self_label'], 'a b\nc\td e')
  t.strictSame(remarks(controls), ['self_label control_character'])
  t.end()
})

t.test("axes of one's own are an extension, not a mistake", t => {
  t.strictSame(
    post({ cosmology_assumptions: { time: 'discrete', athority: 'none', weather: 'always' } }).ontology_alignment,
    {
      matches: ['time'],
      extensions_proposed: [
        { field: 'athority', did_you_mean: 'authority' },
        { field: 'weather', did_you_mean: null }
      ]
    }
  )
  t.end()
})

t.test('a flood of unknown members is listed up to a bound, and counted', t => {
  const flood = post(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`self_labe${index}`, 1])))
  t.equal(flood.unrecognized_fields.length, 64)
  t.equal(flood.remarks_omitted, 5000 - 64)
  t.end()
})

t.test('whatever is declared, the echo declared again is itself, without a remark', t => {
  const anything = fc.jsonValue({ maxDepth: 8 })
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(post({}).echo), 'kind'), anything),
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.object({
        maxDepth: 7,
        values: [
          fc.string({ unit: 'grapheme' }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.constant(null)
        ]
      }),
      (declaration, label, context) => {
        if (!label.isWellFormed()) return true
        const body = JSON.parse(JSON.stringify({ ...declaration, self_label: label, context })) as JsonObject
        const first = post(body)
        const second = post(JSON.parse(JSON.stringify(first.echo)) as JsonObject)
        return (
          second.content_hash === first.content_hash &&
          first.content_hash === hashElsewhere(first.echo) &&
          remarks(second).length === 0
        )
      }
    ),
    { numRuns: 500 }
  )
  t.end()
})
