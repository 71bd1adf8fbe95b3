import t from 'tap'
import { registryOf } from '../support/registry.ts'
import { canonicalize, sha256Hex, type JsonObject, type JsonSchema } from '../../core/canonical/json.ts'
import { checkSchema, compileSchema } from '../../core/schema/compile.ts'

const { registry } = await registryOf()
const document = (name: string): JsonObject => registry.documents.get(name)?.value ?? {}
const without = (value: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
// Its identifier is a path, which a checker would read as a place of its own.
const schema: JsonSchema = without(document('answering-rhyme-statement-schema'), '$id')
const contract = document('answering-rhyme-statements')
const { statement, content_hash: hash } = contract['example'] as { statement: JsonObject; content_hash: string }

t.test('the schema of the normal form is sound, and describes the statement that the contract shows', t => {
  t.strictSame(checkSchema(schema), [])
  const check = compileSchema(schema)
  t.strictSame(check(statement), [])
  for (const name of Object.keys(statement)) {
    t.not(check(without(statement, name)).length, 0, `${name} is always there`)
  }
  const author = statement['declared_by'] as JsonObject
  const wrong: readonly JsonObject[] = [
    { kind: 'applaud' },
    { schema: 'answering-rhyme.statement/2' },
    { language: 'EN' },
    { declared_at: '2026-11-20T12:00:00Z' },
    { in_response_to: 'a'.repeat(64) },
    { body: 'x'.repeat(2001) },
    { relation_key: 'x'.repeat(257) },
    { target_revision: '' },
    { evidence_urls: ['http://example.org/'] },
    { evidence_urls: ['https://example.org/', 'https://example.org/'] },
    { declared_by: { ...author, claimed_role: 'king' } },
    { declared_by: { ...author, label: 'x'.repeat(161) } },
    { note: '' }
  ]
  for (const change of wrong) t.not(check({ ...statement, ...change }).length, 0, JSON.stringify(change).slice(0, 60))
  const right: readonly JsonObject[] = [
    { kind: 'withdraw' },
    { language: 'zh-hant' },
    { in_response_to: `sha256:${'a'.repeat(64)}` },
    { body: '🜁'.repeat(2000) },
    { evidence_urls: Array.from({ length: 12 }, (_, at) => `https://example.org/${at}`) }
  ]
  for (const change of right) t.strictSame(check({ ...statement, ...change }), [], JSON.stringify(change).slice(0, 60))
  t.end()
})

t.test('the contract and the schema name the same words and limits, and its example can be recomputed', t => {
  const properties = schema['properties'] as Record<
    string,
    { enum?: string[]; maxLength?: number; properties: Record<string, { enum?: string[] }> }
  >
  t.strictSame(contract['statement_kinds'], properties['kind']?.enum)
  t.strictSame(contract['claimed_roles'], properties['declared_by']?.properties['claimed_role']?.enum)
  t.match(contract['limits'], {
    body_chars: properties['body']?.maxLength,
    relation_key_chars: properties['relation_key']?.maxLength,
    target_revision_chars: properties['target_revision']?.maxLength
  })
  t.equal(hash, sha256Hex(canonicalize(statement)))
  t.equal(
    registry.corpora.get('answering-rhymes')?.byKey.get(statement['relation_key'] as string)?.['revision'],
    statement['target_revision'],
    'its target is current'
  )
  t.end()
})
