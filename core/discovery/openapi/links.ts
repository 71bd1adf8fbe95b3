import type { JsonObject } from '../../canonical/json.ts'
import { referredFields } from '../../corpus/corpus.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { Registry } from '../../registry/registry.ts'
import { listsNaming, showingOne } from '../../registry/relations.ts'

const pointerTo = (names: readonly string[]): string =>
  names.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The characters that the name of a link may not have (OpenAPI 3.1 §4.8.17.1). */
const notInNames = /[^\w.-]/g

/**
 * Returns the link objects (OpenAPI 3.1 §4.8.20) of an answer with one entry, by name: to the entries that its fields
 * name, and to the lists of the entries that name it. `names`: the operations of surfaces.
 */
export function linksOf(
  surface: Surface,
  names: ReadonlyMap<Surface, string>,
  { surfaces, corpora }: Pick<Registry, 'surfaces' | 'corpora'>
): JsonObject {
  const { shows, contract, formats, route } = surface
  const [placeholder] = route.placeholders
  if (shows?.as !== 'one' || placeholder === undefined || !formats.includes('json')) return {}
  const ones = showingOne(surfaces)
  const at = [...(contract === 'envelope' ? ['data'] : []), shows.member]
  const named = referredFields(corpora.get(shows.corpus)?.schema ?? {}).flatMap(({ field, corpus, isList }) => {
    const one = ones.get(corpus)
    const operationId = one === undefined ? undefined : names.get(one.surface)
    if (one === undefined || operationId === undefined || isList) return []
    const parameters = { [one.placeholder]: `$response.body#${pointerTo([...at, field])}` }
    return [[field.replaceAll(notInNames, '_'), { operationId, parameters, description: one.surface.summary }] as const]
  })
  const naming = listsNaming(surface, surfaces).flatMap(({ surface: list, parameter }) => {
    const operationId = names.get(list)
    const parameters = { [parameter]: `$request.path.${placeholder}` }
    return operationId === undefined
      ? []
      : [[`${operationId}.${parameter}`, { operationId, parameters, description: list.summary }] as const]
  })
  return Object.fromEntries([...named, ...naming])
}
