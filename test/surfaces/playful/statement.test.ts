import canonicalizeElsewhere from 'canonicalize'
import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import type { JsonObject } from '../../../core/canonical/json.ts'
import type { SurfaceError } from '../../../core/handler/errors.ts'
import type { Reply } from '../../../core/handler/handler.ts'
import { compileSchema } from '../../../core/schema/compile.ts'
import { statementContract } from '../../../surfaces/playful/statement.ts'
import { normaliseStatement } from '../../../surfaces/playful/normalise-statement.ts'
import statements from '../../../surfaces/handlers/culture/statements.post.ts'
import type { Services } from '../../../surfaces/services.ts'
import { requestOf } from '../cards/ask.ts'
import { anyCharacter } from '../../support/any-character.ts'

const digits = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const good: JsonObject = {
  schema: 'answering-rhyme.statement/1',
  canonicalization: 'answering-rhyme.canonical-json/1',
  relation_key: 'a-key',
  target_revision: digits,
  kind: 'bless',
  body: 'Well seen.',
  declared_by: { label: 'a visitor', claimed_role: 'viewer' },
  declared_at: '2026-11-20T12:00:00Z'
}
const author = good['declared_by'] as JsonObject

/** The rules of the normal form, written down a second time. */
const url = { type: 'string', maxLength: 1000, pattern: '^https://' }
const urls = { type: 'array', maxItems: 12, uniqueItems: true, items: url }
const validate = new Ajv2020({ strict: false }).compile({
  type: 'object',
  additionalProperties: false,
  required: [
    'schema',
    'canonicalization',
    'relation_key',
    'target_revision',
    'kind',
    'body',
    'language',
    'declared_by',
    'declared_at',
    'in_response_to',
    'evidence_urls',
    'authority_evidence_urls'
  ],
  properties: {
    schema: { const: 'answering-rhyme.statement/1' },
    canonicalization: { const: 'answering-rhyme.canonical-json/1' },
    relation_key: { type: 'string', minLength: 1, maxLength: 256 },
    target_revision: { type: 'string', minLength: 1, maxLength: 100 },
    kind: { enum: ['bless', 'contextualize', 'correct', 'withdraw'] },
    body: { type: 'string', minLength: 1, maxLength: 2000 },
    language: { type: 'string', maxLength: 35, pattern: '^(und|[a-z]{2,8}(-[a-z0-9]{1,8})*)$' },
    declared_by: {
      type: 'object',
      additionalProperties: false,
      required: ['label', 'claimed_role', 'canonical_url'],
      properties: {
        label: { type: 'string', minLength: 1, maxLength: 160 },
        claimed_role: {
          enum: [
            'viewer',
            'relation-curator',
            'card-rights-holder',
            'artwork-rights-holder',
            'source-institution',
            'other'
          ]
        },
        canonical_url: { anyOf: [url, { type: 'null' }] }
      }
    },
    declared_at: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$' },
    in_response_to: { type: ['string', 'null'], pattern: '^sha256:[0-9a-f]{64}$' },
    evidence_urls: urls,
    authority_evidence_urls: urls
  }
})

const normal = (change: JsonObject): JsonObject => {
  const result = normaliseStatement({ ...good, ...change })
  if (!result.ok) throw new Error(JSON.stringify(result.issues))
  validate(result.statement)
  if (validate.errors) throw new Error(JSON.stringify(validate.errors))
  return result.statement
}
const issues = (change: JsonObject): string[] => {
  const result = normaliseStatement({ ...good, ...change })
  return result.ok ? [] : result.issues.map(({ path, code }) => `${path} ${code}`)
}
const by = (change: JsonObject): JsonObject => ({ declared_by: { ...author, ...change } })

t.test('what was left out becomes explicit', t => {
  t.strictSame(normal({}), {
    ...good,
    language: 'und',
    declared_by: { ...author, canonical_url: null },
    declared_at: '2026-11-20T12:00:00.000Z',
    in_response_to: null,
    evidence_urls: [],
    authority_evidence_urls: []
  })
  t.strictSame(
    normal({
      language: null,
      in_response_to: null,
      evidence_urls: null,
      authority_evidence_urls: null,
      ...by({ canonical_url: null })
    }),
    normal({})
  )
  t.end()
})

t.test('texts are trimmed and composed; words and tags are lower case', t => {
  const statement = normal({
    relation_key: ' Cafe\u0301 ',
    kind: '\tBLESS',
    body: '\r\na\r\nb\rc\n\n',
    language: 'ZH-Hant',
    ...by({ claimed_role: ' Viewer ', label: '\u3000x\u00a0' })
  })
  t.match(statement, {
    relation_key: 'Café',
    kind: 'bless',
    body: 'a\nb\nc',
    language: 'zh-hant',
    declared_by: { claimed_role: 'viewer', label: 'x' }
  })
  t.end()
})

t.test('every kind and every role is taken, and nothing else', t => {
  for (const kind of statementContract.kinds) t.equal(normal({ kind }).kind, kind)
  for (const role of statementContract.roles)
    t.match(normal(by({ claimed_role: role })), { declared_by: { claimed_role: role } })
  t.strictSame(issues({ kind: 'applaud' }), ['kind unsupported_value'])
  t.strictSame(issues(by({ claimed_role: 'owner' })), ['declared_by.claimed_role unsupported_value'])
  t.strictSame(issues({ schema: 'answering-rhyme.statement/2' }), ['schema unsupported_value'])
  t.strictSame(issues({ canonicalization: 'x' }), ['canonicalization unsupported_value'])
  t.end()
})

t.test('lengths count Unicode scalars, after normalisation, at both sides', t => {
  const lengths: [string, number, (text: string) => JsonObject][] = [
    ['relation_key', 256, text => ({ relation_key: text })],
    ['target_revision', 100, text => ({ target_revision: text })],
    ['body', 2000, text => ({ body: text })],
    ['declared_by.label', 160, text => by({ label: text })]
  ]
  for (const [path, most, change] of lengths) {
    t.strictSame(issues(change('\u{1f0cf}'.repeat(most))), [], path)
    t.strictSame(issues(change(` ${'e\u0301'.repeat(most)} `)), [], `${path}, composed`)
    t.strictSame(issues(change('x'.repeat(most + 1))), [`${path} too_long`])
    for (const blank of ['', ' \n ']) t.strictSame(issues(change(blank)), [`${path} required`])
  }
  t.strictSame(
    issues({ language: `aa-${'b'.repeat(8)}-${'c'.repeat(8)}-${'d'.repeat(8)}-${'e'.repeat(5)}` }),
    [],
    '35 characters'
  )
  t.strictSame(issues({ language: `aa-${'b'.repeat(8)}-${'c'.repeat(8)}-${'d'.repeat(8)}-${'e'.repeat(6)}` }), [
    'language too_long'
  ])
  for (const language of ['e', 'en_GB', 'en-', '1en', 'en-123456789', 'ünd'])
    t.strictSame(issues({ language }), ['language invalid_format'], language)
  t.end()
})

t.test('controls and half characters are refused', t => {
  for (const control of ['\u0000', '\u0007', '\u007f', '\u0085', '\u009f', '\t']) {
    t.strictSame(issues({ body: `a${control}b` }), ['body control_character'])
    t.strictSame(issues({ relation_key: `a${control}b` }), ['relation_key control_character'])
  }
  t.strictSame(issues({ body: 'a\nb' }), [])
  t.strictSame(issues({ relation_key: 'a\nb' }), ['relation_key control_character'])
  t.strictSame(issues({ body: `\ud800${'x'.repeat(3000)}` }), ['body invalid_format'], 'before the length')
  t.end()
})

t.test('addresses are https, serialised, each once, in order', t => {
  t.strictSame(
    normal({
      evidence_urls: [
        'https://b.example',
        'HTTPS://EXAMPLE.org:443/a/../é',
        ' https://b.example/ ',
        'https://bücher.example/#x'
      ]
    })['evidence_urls'],
    ['https://b.example/', 'https://example.org/%C3%A9', 'https://xn--bcher-kva.example/#x']
  )
  t.match(normal(by({ canonical_url: 'https://example.org' })), {
    declared_by: { canonical_url: 'https://example.org/' }
  })
  for (const bad of [
    'http://example.org',
    'https:example.org',
    'ftp://a',
    'javascript:alert(1)',
    'https://user@example.org',
    'https://:x@example.org',
    'https://a b.example',
    'https://',
    '//example.org'
  ]) {
    t.strictSame(issues({ evidence_urls: ['https://ok.example', bad] }), ['evidence_urls.1 invalid_format'], bad)
    t.strictSame(issues(by({ canonical_url: bad })), ['declared_by.canonical_url invalid_format'], bad)
  }
  const long = (length: number): string => 'https://example.org/'.padEnd(length, 'x')
  t.strictSame(issues({ evidence_urls: [long(1000)] }), [])
  t.strictSame(issues({ evidence_urls: [long(1001)] }), ['evidence_urls.0 too_long'])
  t.strictSame(
    issues({ evidence_urls: [`https://example.org/${'é'.repeat(400)}`] }),
    ['evidence_urls.0 too_long'],
    'as it is serialised'
  )
  const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `https://example.org/${index}`)
  t.strictSame(issues({ evidence_urls: many(12), authority_evidence_urls: many(12) }), [])
  t.strictSame(issues({ evidence_urls: many(13), authority_evidence_urls: many(13) }), [
    'evidence_urls too_many',
    'authority_evidence_urls too_many'
  ])
  t.end()
})

t.test('an answered statement is named by its hash, in any of its forms', t => {
  for (const form of [digits, `sha256:${digits}`, ` SHA256:${digits.toUpperCase()} `])
    t.equal(normal({ in_response_to: form })['in_response_to'], `sha256:${digits}`)
  for (const bad of [digits.slice(1), `md5:${digits}`, `${digits}0`, 'sha256:'])
    t.strictSame(issues({ in_response_to: bad }), ['in_response_to invalid_format'], bad)
  t.end()
})

t.test('all mistakes come at once', t => {
  const result = normaliseStatement({})
  t.strictSame(
    result.ok ? [] : result.issues.map(({ path, code }) => [path, code]),
    ['schema', 'canonicalization', 'relation_key', 'target_revision', 'kind', 'body', 'declared_by', 'declared_at'].map(
      path => [path, 'required']
    )
  )
  const wrong = Object.fromEntries(Object.keys(good).map(name => [name, 7]))
  t.strictSame(
    issues({
      ...wrong,
      language: [],
      in_response_to: {},
      evidence_urls: 'https://a.example',
      authority_evidence_urls: [1],
      extra: 1,
      __proto__: null
    }),
    [
      'extra unknown_field',
      'schema wrong_type',
      'canonicalization wrong_type',
      'relation_key wrong_type',
      'target_revision wrong_type',
      'kind wrong_type',
      'body wrong_type',
      'language wrong_type',
      'declared_by wrong_type',
      'declared_at wrong_type',
      'in_response_to wrong_type',
      'evidence_urls wrong_type',
      'authority_evidence_urls.0 wrong_type'
    ]
  )
  t.strictSame(issues(by({ label: undefined as never, verified: true })), [
    'declared_by.verified unknown_field',
    'declared_by.label required'
  ])
  t.strictSame(issues(JSON.parse('{"__proto__":1,"constructor":2}') as JsonObject), [
    '__proto__ unknown_field',
    'constructor unknown_field'
  ])
  t.end()
})

const text = (maxLength: number) => fc.string({ unit: anyCharacter, minLength: 1, maxLength })
t.test('whatever is sent, the normal form keeps the schema, and its normal form is itself', t => {
  let taken = 0
  fc.assert(
    fc.property(
      fc.record({
        relation_key: text(300),
        body: text(2100),
        label: text(200),
        language: fc.constantFrom('EN', 'de-AT', 'x', 'und'),
        path: fc.webUrl({ validSchemes: ['https'], withFragments: true }),
        declared_at: fc.constantFrom('2026-11-20T12:00:00Z', '2026-02-30T00:00:00Z')
      }),
      ({ relation_key, body, label, language, path, declared_at }) => {
        const first = normaliseStatement({
          ...good,
          relation_key,
          body,
          language,
          declared_at,
          ...by({ label }),
          evidence_urls: [path, path]
        })
        if (!first.ok) return first.issues.length > 0
        taken += 1
        const second = normaliseStatement(first.statement)
        return (
          validate(first.statement) && second.ok && JSON.stringify(second.statement) === JSON.stringify(first.statement)
        )
      }
    ),
    { numRuns: 1000 }
  )
  t.ok(taken > 20, `${taken} were taken`)
  t.end()
})

const revisions = new Map([['a-key', digits]])
const post = (body: JsonObject): Reply =>
  statements.handle(requestOf({ method: 'POST', path: '/api/v1/culture/answering-rhymes/statements', body }), {
    relationRevisions: revisions
  } as unknown as Services) as Reply

t.test('the receipt says what it is worth, and its hash can be recomputed', t => {
  const { data } = post({ ...good, kind: 'withdraw', ...by({ claimed_role: 'source-institution' }) })
  const { receipt } = data as {
    receipt: { content_hash: string; statement: JsonObject; validation_warnings: { path: string; code: string }[] }
  }
  t.equal(
    receipt.content_hash,
    createHash('sha256')
      .update(canonicalizeElsewhere(receipt.statement) ?? '')
      .digest('hex')
  )
  t.strictSame(
    receipt.validation_warnings.map(({ path, code }) => `${path} ${code}`),
    ['declared_by.claimed_role authority_is_self_declared', 'authority_evidence_urls evidence_missing']
  )
  t.match(receipt, {
    replay_detection: false,
    uniqueness_not_asserted: true,
    issuer_attestation: {
      signed: false,
      independently_verifiable: false,
      witnessed_at_is_unattested_observation: true
    },
    witness: { authenticated: false, identity_verified: false, persisted: false, authoritative_effect: 'none' },
    storage_boundary: {
      application_record_created: false,
      retrievable_statement_created: false,
      infrastructure_access_logs_may_exist: true
    },
    authority_boundary: {
      declared_role_is_self_asserted: true,
      evidence_was_verified: false,
      correction_effect: 'proposal-only',
      withdrawal_effect: 'none-without-separate-authority-verification'
    }
  })
  t.same(compileSchema(statements.reply)(data), [])
  t.end()
})

t.test('a target is current only with key and revision', t => {
  const status = (change: JsonObject): unknown =>
    (post({ ...good, ...change }).data as { receipt: { target: { status: string; current_revision: string | null } } })
      .receipt.target
  t.match(status({}), { status: 'known-current', current_revision: digits })
  t.match(status({ target_revision: `sha256:${digits}` }), { status: 'known-current' })
  t.match(status({ target_revision: digits.toUpperCase() }), { status: 'not-current' }, 'a revision is opaque')
  t.match(status({ target_revision: 'older' }), { status: 'not-current', current_revision: digits })
  t.match(status({ relation_key: 'another-key' }), { status: 'not-current', current_revision: null })
  t.match(status({ relation_key: 'another-key', target_revision: 'null' }), { status: 'not-current' })
  t.end()
})

t.test('a statement that cannot be taken is refused with its issues, up to a hundred of them', t => {
  const flood = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`extra-${index}`, 1]))
  try {
    post({ ...good, ...flood })
    t.fail('it was taken')
  } catch (error) {
    const { status, details } = error as SurfaceError
    t.equal(status, 400)
    t.match(details, { statement_schema: 'answering-rhyme.statement/1', issue_count: 300, field: 'extra-0' })
    t.equal((details?.['issues'] as unknown[]).length, 100)
  }
  t.end()
})
