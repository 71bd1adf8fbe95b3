import { admitsEveryone } from '../access/index.ts'
import { memoize } from '../canonical/work.ts'
import type { Surface } from '../manifest/surface.ts'
import { propertiesOf } from '../schema/json-schema.ts'

/** A surface that shows one entry of a corpus, and the placeholder of its path that carries the key. */
type ShowsOne = Readonly<{ surface: Surface; placeholder: string }>

/** Returns the first surface that shows one entry by its key, by corpus. */
export const showingOne = memoize((surfaces: readonly Surface[]): ReadonlyMap<string, ShowsOne> => {
  const found = new Map<string, ShowsOne>()
  for (const surface of surfaces) {
    const { shows, route } = surface
    const [placeholder, ...others] = route.placeholders
    if (shows?.as !== 'one' || found.has(shows.corpus) || placeholder === undefined || others.length > 0) continue
    found.set(shows.corpus, { surface, placeholder })
  }
  return found
})

/** A list, and its query parameter that selects the entries which hold a key in a field (`x-corpus`). */
export type NamingList = Readonly<{ surface: Surface; parameter: string }>

const namingLists = memoize((surfaces: readonly Surface[]): ReadonlyMap<string, readonly NamingList[]> => {
  const found = new Map<string, NamingList[]>()
  for (const surface of surfaces.filter(({ shows, deprecation }) => shows?.as === 'list' && deprecation === undefined))
    for (const [parameter, { 'x-corpus': corpus }] of Object.entries(propertiesOf(surface.input.query)))
      if (typeof corpus === 'string') found.set(corpus, [...(found.get(corpus) ?? []), { surface, parameter }])
  return found
})

/**
 * Returns the lists of the entries that name the entry which a surface shows, with the parameters that select them.
 * Whoever may ask the surface may ask these lists.
 */
export function listsNaming({ shows, access }: Surface, surfaces: readonly Surface[]): readonly NamingList[] {
  if (shows?.as !== 'one') return []
  return (namingLists(surfaces).get(shows.corpus) ?? []).filter(
    ({ surface: list }) => admitsEveryone(list.access) || access.every(name => list.access.includes(name))
  )
}
