import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import {
  declaredCorpora,
  type Code,
  type Context,
  type HandlerShape,
  type ManifestFile,
  type ManifestReference
} from '../manifest/kind.ts'
import { parameters } from '../manifest/normalise.ts'
import { propertiesOf, requiredOf } from '../schema/json-schema.ts'
import { report } from '../source/report.ts'

/**
 * Returns the reference to the code behind a surface: the handler file with the same id, `surfaces/handlers/<id>.ts`.
 */
export const codeReference = ({ id }: ManifestFile): ManifestReference[] => [
  { to: 'handlers', name: id, at: ['kind'], answersWith: true }
]

/** Returns the query parameters of a handler, including those derived from its corpora. */
function queryOf(
  { query = parameters({}), queryFrom, corpora: declared }: HandlerShape,
  corpora: Context['corpora']
): Pick<HandlerShape, 'query'> {
  if (queryFrom === undefined || !Object.keys(declared ?? {}).every(name => corpora.has(name))) return {}
  return {
    query: parameters({ ...propertiesOf(query), ...queryFrom(declaredCorpora(declared, corpora)) }, requiredOf(query))
  }
}

export function codeOf({ id }: ManifestFile, { handlers, corpora }: Context): Code | undefined {
  const shape = handlers.get(id)
  return shape === undefined ? undefined : { what: `The handler \`${id}\``, ...shape, ...queryOf(shape, corpora) }
}

/**
 * The function to define a handler with, by its form: per request (`handle`), computed once (`derive`), or a page
 * (`view`).
 */
const definers = { handle: 'defineHandler', derive: 'defineDerived', view: 'definePage' }

/** H109: the code must have the form that the kind requires. */
export function checkForm(
  { id, source, kind }: ManifestFile,
  { handlers }: Context,
  wanted: keyof typeof definers
): Diagnostic[] {
  const shape = handlers.get(id)
  const { form: has = 'handle' } = shape ?? {}
  if (shape === undefined || has === wanted) return []
  return [
    report(
      source,
      'H109',
      ['kind'],
      `The code of a \`${kind.name}\` surface has \`${wanted}\`, but \`${id}\` has \`${has}\`.`,
      { hint: `Write it with \`${definers[wanted]}\`, or choose the kind that goes with \`${has}\`.` }
    )
  ]
}
