import { isOpen } from '../access/index.ts'
import { onceFor } from '../canonical/work.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

const surfacesByDocument = onceFor(({ surfaces }: Registry) => {
  const serving = new Map<string, Surface[]>()
  for (const surface of surfaces)
    if (surface.serves !== undefined) serving.set(surface.serves, [...(serving.get(surface.serves) ?? []), surface])
  return serving
})

/** Returns the surface that serves a discovery document; of several, the one whose path contains the service's id. */
export function surfaceOf(registry: Registry, document: string): Surface | undefined {
  const serving = surfacesByDocument(registry).get(document) ?? []
  return serving.find(surface => surface.route.path.includes(registry.service.id)) ?? serving[0]
}

/**
 * Returns the path of a discovery document, with `value` in place of its placeholder; null if this registry does not
 * serve it, so that no document has a dead link.
 */
export function pathTo(registry: Registry, document: string, value?: string): string | null {
  const path = surfaceOf(registry, document)?.route.path ?? null
  return value === undefined ? path : (path?.replace(/\{\w+\}/, value) ?? null)
}

export const pathOf = (registry: Registry, id: string | undefined): string | null =>
  registry.byId.get(id ?? '')?.route.path ?? null

/** Returns the target of a declared link relation, with its query, or null if there is none. */
export function linkTarget(registry: Registry, rel: string): string | null {
  const link = registry.service.links.find(candidate => candidate.rel === rel)
  const path = pathOf(registry, link?.surface)
  return path === null || link?.query === undefined ? path : `${path}?${link.query}`
}

export const absolute = (registry: Registry, path: string): string => registry.service.base_url + path

export const absoluteOrNull = (registry: Registry, path: string | null): string | null =>
  path === null ? null : absolute(registry, path)

export const urlTo = (registry: Registry, document: string): string | null =>
  absoluteOrNull(registry, pathTo(registry, document))

/** Whether the surface only answers that its publication is paused. */
export const isPaused = (surface: Surface): boolean => surface.fixed !== undefined && surface.status === 503

/** Whether the answer needs stores, which may be unavailable and which a request may change. */
export const usesStores = ({ access, reaches, page }: Surface): boolean =>
  !isOpen(access) ||
  reaches.includes('handlers') ||
  (page !== undefined && (page.sends !== undefined || page.shows.length + page.besides.length > 0))

/** Whether the surface is meant for programs: no page, and no document that only browsers request. */
export const isForPrograms = ({ page, serves }: Surface): boolean =>
  page === undefined && serves !== 'assets' && serves !== 'favicon'

/** Returns the first tag of a surface, which groups surfaces in documents. */
export const groupOf = ({ tags }: Surface): string => tags[0] ?? 'other'

/** Returns the newest `since` as ISO 8601 time: the date of every document that depends only on the registry. */
export const newestDeclaration = ({ surfaces }: Registry): string =>
  `${surfaces.reduce((newest, { since }) => (since > newest ? since : newest), '1970-01-01')}T00:00:00.000Z`

export const pick = <T, K extends keyof T>(object: T, ...names: K[]): Pick<T, K> =>
  Object.fromEntries(names.map(name => [name, object[name]])) as Pick<T, K>

export const mapValues = <T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U
): Record<string, U> => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))

/** Counts the items with each word, in order of first appearance. */
export function countBy<T>(items: readonly T[], word: (item: T) => string): Record<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    const key = word(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
