import { declaredCorpora } from '../corpus/declared.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Context } from '../manifest/context.ts'
import { propertiesOf, requiredOf } from '../manifest/entry-fields.ts'
import type { HandlerShape } from '../manifest/handler-shape.ts'
import { parameters } from '../manifest/input.ts'
import type { Code, Reference } from '../manifest/kind.ts'
import type { ManifestFile } from '../manifest/manifest-file.ts'
import { report } from '../source/report.ts'

/** The code behind a surface is the file with its id: `surfaces/handlers/<id>.ts`. */
export const codeReference = ({ id }: ManifestFile): Reference[] => [{ to: 'handlers', name: id, at: ['kind'], answersWith: true }]

/** The query parameters of code, with those that follow from its corpora. */
function queryOf ({ query = parameters({}), queryFrom, corpora: declared }: HandlerShape, corpora: Context['corpora']): Pick<HandlerShape, 'query'> {
  if (queryFrom === undefined || !Object.keys(declared ?? {}).every(name => corpora.has(name))) return {}
  return { query: parameters({ ...propertiesOf(query), ...queryFrom(declaredCorpora(declared, corpora)) }, requiredOf(query)) }
}

export function codeOf ({ id }: ManifestFile, { handlers, corpora }: Context): Code | undefined {
  const shape = handlers.get(id)
  return shape === undefined ? undefined : { what: `The handler \`${id}\``, ...shape, ...queryOf(shape, corpora) }
}

/** H109: the code has the form that the kind asks for: it answers each request (`handle`), or once (`derive`). */
export function checkForm ({ id, source, kind }: ManifestFile, { handlers }: Context, wanted: 'handle' | 'derive'): Diagnostic[] {
  const shape = handlers.get(id)
  if (shape === undefined || (shape.once === true) === (wanted === 'derive')) return []
  const [has, define] = wanted === 'derive' ? ['handle', 'defineDerived'] : ['derive', 'defineHandler']
  return [report(source, 'H109', ['kind'], `The code of a \`${kind.name}\` surface has \`${wanted}\`, but \`${id}\` has \`${has}\`.`, { hint: `Write it with \`${define}\`, or choose the kind that goes with \`${has}\`.` })]
}
