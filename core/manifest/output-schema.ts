import type { JsonObject, JsonSchema } from '../canonical/json.ts'
import { inferSchema } from '../schema/infer.ts'
import { known, type Context } from './context.ts'
import { withEchoed } from './echo.ts'
import { propertiesOf, requiredOf, wordsOf } from './entry-fields.ts'
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

/** The schema of an entry of which only some fields are shown. */
const shownOf = (entry: JsonSchema, fields: readonly string[] | undefined): JsonSchema => fields === undefined ? entry : {
  ...entry,
  properties: Object.fromEntries(Object.entries(propertiesOf(entry)).filter(([name]) => fields.includes(name))),
  required: requiredOf(entry).filter(name => fields.includes(name))
}

function collectionSchema (answer: SurfaceOf<'collection'>['answer'], input: Input, formats: readonly string[], whole: JsonSchema): JsonSchema {
  const entry = shownOf(whole, answer.fields)
  const fixed = fixedMembers(answer.document)
  const day = { ...date, description: 'The UTC day of the choice.' }
  if (answer.pick !== undefined && answer.filters.length === 0 && answer.all === undefined) return exactly({ ...fixed, date: day, [answer.list]: entry })
  const fields = propertiesOf(whole)
  const parameters = propertiesOf(input.query)
  const withWords = answer.filters.filter(({ field, operation }) => operation === 'equals' && wordsOf(fields[field] ?? {}) !== undefined)
  const selection = {
    scope: exactly({
      ...(answer.filters.some(({ operation }) => operation === 'since') ? { begins: { type: ['string', 'null'], description: 'Date of the oldest entry; `null` for an empty corpus.' } } : {}),
      total_entries_in_corpus: count('Entries before filtering.'),
      total_entries_after_filters: count('Entries that all filters select, before the limit.')
    }),
    filters_applied: exactly(Object.fromEntries(answer.filters.map(({ name }) => [name, orNull(parameters[name] ?? {})]))),
    filter_vocabulary: exactly(Object.fromEntries(withWords.map(({ name }) => [name, { type: 'array', items: { type: 'string' } }])))
  }
  if (answer.pick !== undefined) {
    return exactly({
      ...fixed,
      date: day,
      ...selection,
      [answer.list]: { anyOf: [entry, { type: 'null' }], description: 'The entry of the day; `null` when the filters select none.' },
      ...(answer.all === undefined ? {} : { all: { type: ['array', 'null'], items: entry, description: 'Every entry that the filters select, where `all=true` asked for them.' } })
    })
  }
  return exactly({
    ...fixed,
    ...selection,
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
 *   with `pick: daily`: fixed members, `date`, the same three members of the selection (only with filters or `all`), the one
 *   entry under the name of the list, and `all` {every entry, or null when it was not asked for} where that can be asked for
 * - entry: fixed members and the entry under its member name
 * - witness: fixed members, `echo`, `content_hash`, `hash_contract` {`id`, `over`}, `received_at`, `report` {`complete`,
 *   `advice`} (only with advice), `receipt`
 * - status-only: the declared document (or an array of the lines), document: the document's own schema; both with what is echoed
 * - discovery and handler: what their code declares
 */
export function outputSchema (id: string, answer: AnswerSource, given: { input: Input, formats: readonly string[] }, context: Context): JsonSchema {
  switch (answer.kind) {
    case 'status-only': return withEchoed(inferSchema(answer.lines ?? answer.document), answer, given.input.params)
    case 'document': return withEchoed(known(context.documents.get(answer.document), `document of ${id}`).schema, answer, given.input.params)
    case 'collection': return collectionSchema(answer, given.input, given.formats, known(context.corpora.get(answer.corpus), `corpus of ${id}`).schema)
    case 'entry': return exactly({ ...fixedMembers(answer.document), [answer.member]: known(context.corpora.get(answer.corpus), `corpus of ${id}`).schema })
    case 'witness': return exactly({
      ...fixedMembers(answer.document),
      echo: given.input.body?.schema ?? {},
      content_hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 over the canonical JSON (RFC 8785) of the covered members, lowercase hex.' },
      hash_contract: exactly({ id: { type: 'string', const: answer.hash.contract }, over: { type: 'array', items: { type: 'string' } } }),
      received_at: { type: 'string', format: 'date-time' },
      ...(answer.advice === undefined ? {} : { report: exactly({
        complete: { type: 'boolean', description: 'Whether nothing is advised.' },
        advice: { type: 'array', items: exactly({ field: text('Where in the body.'), message: text('What could be added or changed.') }) }
      }) }),
      receipt: inferSchema(answer.receipt)
    })
    case 'discovery': return known(context.discovery.get(answer.document), `discovery document ${answer.document}`).schema
    case 'handler': return known(context.handlers.get(answer.handler), `handler ${answer.handler}`).reply
  }
}
