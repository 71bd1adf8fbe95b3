import type { JsonSchema } from '../canonical/json.ts'
import type { Format } from '../vocabulary/words.ts'
import { known, type Context } from './context.ts'
import { echoedIn } from './echo.ts'
import { filterSchema, propertiesOf, requiredOf } from './entry-fields.ts'
import { handlerIdOf } from './handler-id.ts'
import type { Manifest } from './schema.ts'
import type { AnswerSource, Filter, Input } from './surface.ts'

const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema =>
  ({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) })

const segment: JsonSchema = { type: 'string', minLength: 1, maxLength: 160 }

const limitSchema = (limit: Readonly<{ default: number, maximum: number }>): JsonSchema =>
  ({ type: 'integer', minimum: 1, maximum: limit.maximum, default: limit.default, description: 'Number of entries.' })

const allSchema: JsonSchema = { type: 'boolean', default: false, description: 'Every entry that the filters select, beside the one of the day.' }

const filtersOf = (answer: AnswerSource): readonly Filter[] => answer.kind === 'collection' ? answer.filters : []

/** Own query parameters of a surface, before `format`. */
function queryOf (id: string, manifest: Manifest, { answer, placeholders }: InputGiven, context: Context): JsonSchema {
  switch (manifest.kind) {
    case 'collection': {
      const fields = propertiesOf(known(context.corpora.get(manifest.corpus), `corpus ${manifest.corpus}`).schema)
      const byFilter = filtersOf(answer).map(({ name, field, operation }): [string, JsonSchema] => [name, filterSchema(operation, field, known(fields[field], `field ${field}`))])
      return object({
        ...Object.fromEntries(byFilter),
        ...(manifest.all === undefined ? {} : { all: allSchema }),
        ...(manifest.limit === undefined ? {} : { limit: limitSchema(manifest.limit) })
      }, [])
    }
    case 'discovery': return context.discovery.get(manifest.document)?.input?.query ?? object({}, [])
    case 'handler': return context.handlers.get(handlerIdOf(id, manifest))?.query ?? object({}, [])
    case 'status-only': case 'document': return object(echoedIn('query', answer, placeholders), [])
    case 'entry': case 'witness': return object({}, [])
  }
}

function paramsOf (id: string, manifest: Manifest, { answer, placeholders }: InputGiven, context: Context): JsonSchema {
  const declared = manifest.kind === 'discovery' ? context.discovery.get(manifest.document)?.input?.params
    : manifest.kind === 'handler' ? context.handlers.get(handlerIdOf(id, manifest))?.params : undefined
  return declared ?? object({ ...Object.fromEntries(placeholders.map(name => [name, segment])), ...echoedIn('path', answer, placeholders) }, placeholders)
}

type InputGiven = Readonly<{ answer: AnswerSource, placeholders: readonly string[], formats: readonly Format[] }>

/**
 * What a surface reads: `params` and `query` as object schemas, and the body. A surface of several formats gets the
 * query parameter `format`; parameters that are not declared are not read.
 */
export function inputOf (id: string, manifest: Manifest, given: InputGiven, context: Context): Input {
  const { formats } = given
  const own = queryOf(id, manifest, given, context)
  const format: JsonSchema = { type: 'string', enum: formats, default: formats[0], description: 'Representation of the answer.' }
  const query = formats.length < 2 ? own : object({ ...propertiesOf(own), format }, requiredOf(own))
  const params = paramsOf(id, manifest, given, context)
  const handlerBody = manifest.kind === 'handler' ? context.handlers.get(handlerIdOf(id, manifest))?.body : undefined
  const body = manifest.kind === 'witness' ? { schema: manifest.body.schema, limitBytes: manifest.body.limit_bytes } : handlerBody
  return { params, query, ...(body === undefined ? {} : { body }) }
}
