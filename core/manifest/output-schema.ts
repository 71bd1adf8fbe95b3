import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import { inferSchema } from '../schema/infer.ts'
import { known, type Context } from './context.ts'
import { propertiesOf, wordsOf } from './entry-fields.ts'
import type { AnswerSource, Input, SurfaceOf } from './surface.ts'

const text = (description: string): JsonSchema => ({ type: 'string', description })
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })
const date: JsonSchema = { type: 'string', format: 'date' }

/** An object that has exactly these members, all of them always. */
const exactly = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false })

const fixedMembers = (document: JsonObject): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(document).map(([name, value]) => [name, inferSchema(value)]))

const orNull = (schema: JsonSchema): JsonSchema =>
  ({ type: [String(schema['type']), 'null'], ...(schema['enum'] === undefined ? {} : { enum: [...schema['enum'] as unknown[], null] }) })

function collectionSchema (answer: SurfaceOf<'collection'>['answer'], input: Input, formats: readonly string[], entry: JsonSchema): JsonSchema {
  const fixed = fixedMembers(answer.document)
  if (answer.pick !== undefined) return exactly({ ...fixed, date: { ...date, description: 'The UTC day of the choice.' }, [answer.list]: entry })
  const fields = propertiesOf(entry)
  const parameters = propertiesOf(input.query)
  const withWords = answer.filters.filter(({ field, operation }) => operation === 'equals' && wordsOf(fields[field] ?? {}) !== undefined)
  return exactly({
    ...fixed,
    scope: exactly({
      ...(answer.filters.some(({ operation }) => operation === 'since') ? { begins: { type: ['string', 'null'], description: 'Date of the oldest entry; `null` for an empty corpus.' } } : {}),
      total_entries_in_corpus: count('Entries before filtering.'),
      total_entries_after_filters: count('Entries that all filters select, before the limit.')
    }),
    filters_applied: exactly(Object.fromEntries(answer.filters.map(({ name }) => [name, orNull(parameters[name] ?? {})]))),
    filter_vocabulary: exactly(Object.fromEntries(withWords.map(({ name }) => [name, { type: 'array', items: { type: 'string' } }]))),
    ...(formats.length > 1 ? { formats: exactly(Object.fromEntries(formats.map(format => [format, text('URL of this representation.')]))) } : {}),
    returned: count('Entries in this answer.'),
    [answer.list]: { type: 'array', items: entry }
  })
}

/**
 * Schema of what the contract wraps, in the default format. It is the promise that the plan of each kind keeps, and
 * what OpenAPI publishes; the members of a collection stand in the order written here:
 *
 * - collection: fixed members, `scope` {`begins` (only with a `since` filter), `total_entries_in_corpus`,
 *   `total_entries_after_filters`}, `filters_applied` {filter: value or null}, `filter_vocabulary` {filter: words, for
 *   `equals` on a field with an enum}, `formats` {format: url} (only when there are several), `returned`, and the list;
 *   with `pick: daily`: fixed members, `date`, and the one entry under the name of the list
 * - entry: fixed members and the entry under its member name
 * - witness: `echo`, `content_hash`, `hash_contract` {`id`, `over`}, `received_at`, `receipt`
 * - status-only: the declared document (or an array of the lines), document: the document's own schema,
 *   discovery and handler: what their code declares
 */
export function outputSchema (id: string, answer: AnswerSource, given: { input: Input, formats: readonly string[] }, context: Context): JsonSchema {
  switch (answer.kind) {
    case 'status-only': return inferSchema(answer.lines ?? answer.document)
    case 'document': return known(context.documents.get(answer.document), `document of ${id}`).schema
    case 'collection': return collectionSchema(answer, given.input, given.formats, known(context.corpora.get(answer.corpus), `corpus of ${id}`).schema)
    case 'entry': return exactly({ ...fixedMembers(answer.document), [answer.member]: known(context.corpora.get(answer.corpus), `corpus of ${id}`).schema })
    case 'witness': return exactly({
      echo: given.input.body?.schema ?? {},
      content_hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 over the canonical JSON (RFC 8785) of the covered members, lowercase hex.' },
      hash_contract: exactly({ id: { type: 'string', const: answer.hash.contract }, over: { type: 'array', items: { type: 'string' } } }),
      received_at: { type: 'string', format: 'date-time' },
      receipt: inferSchema(answer.receipt)
    })
    case 'discovery': return known(context.discovery.get(answer.document), `discovery document ${answer.document}`).schema
    case 'handler': return known(context.handlers.get(answer.handler), `handler ${answer.handler}`).reply
  }
}
