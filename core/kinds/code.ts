import type { JsonValue } from '../canonical/json.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Reply } from '../handler/handler.ts'
import {
  declaredCorpora,
  type Code,
  type Context,
  type HandlerShape,
  type ManifestFile,
  type ManifestReference
} from '../manifest/kind.ts'
import { parametersSchema } from '../manifest/normalise.ts'
import { changedQuery } from '../plan/dispatch.ts'
import type { PlanInput, Result } from '../plan/kind.ts'
import { openDefinitions } from '../schema/definitions.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { report } from '../source/report.ts'

export const codeReference = ({ id }: ManifestFile): ManifestReference[] => [
  { to: 'handlers', name: id, at: ['kind'], answersWith: true }
]

/**
 * Returns the query schema with the parameters of `queryFrom`; none if there is no `queryFrom` or a corpus is missing.
 */
function queryOf(
  { query = parametersSchema({}), queryFrom, corpora: declared }: HandlerShape,
  corpora: Context['corpora']
): Pick<HandlerShape, 'query'> {
  if (queryFrom === undefined || !Object.keys(declared ?? {}).every(name => corpora.has(name))) return {}
  return {
    query: parametersSchema(
      { ...propertiesOf(query), ...queryFrom(declaredCorpora(declared, corpora)) },
      requiredOf(query)
    )
  }
}

export function codeOf({ id }: ManifestFile, { handlers, corpora }: Context): Code | undefined {
  const shape = handlers.get(id)
  if (shape === undefined) return undefined
  const { body, reply } = shape
  return {
    what: `The handler \`${id}\``,
    ...shape,
    reply: openDefinitions(reply),
    ...(body === undefined ? {} : { body: { ...body, schema: openDefinitions(body.schema) } }),
    ...queryOf(shape, corpora)
  }
}

/**
 * Returns the result of a reply to a request with the declared query parameters `query`, which the next page has too.
 * The cast is safe: a reply has the type of its schema, and the schema describes JSON.
 */
export const resultOf = (
  { status = 200, data = null, next, ...rest }: Reply,
  query: PlanInput['query'] = {}
): Result => ({
  status,
  data: data as JsonValue,
  ...rest,
  ...(next === undefined ? {} : { next: changedQuery(query, next) })
})

const definers = { handle: 'defineHandler', derive: 'defineDerived', view: 'definePage' }

export function checkForm(
  { id, source, kind }: ManifestFile,
  { handlers }: Context,
  required: keyof typeof definers
): Diagnostic[] {
  const shape = handlers.get(id)
  const { form = 'handle' } = shape ?? {}
  if (shape === undefined || form === required) return []
  const message = `The code of a \`${kind.name}\` surface has \`${required}\`, but \`${id}\` has \`${form}\`.`
  const hint = `Write it with \`${definers[required]}\`, or choose the kind that goes with \`${form}\`.`
  return [report(source, 'H109', ['kind'], message, { hint })]
}
