import { isOpen } from '../access/index.ts'
import { onceFor } from '../canonical/work.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

const servedIn = onceFor(({ surfaces }: Registry) => {
  const served = new Map<string, Surface[]>()
  for (const surface of surfaces)
    if (surface.serves !== undefined) served.set(surface.serves, [...(served.get(surface.serves) ?? []), surface])
  return served
})

/**
 * Returns the surface that serves a discovery document, if there is one; of several, the one whose path contains the
 * service's id.
 */
export function surfaceOf(registry: Registry, document: string): Surface | undefined {
  const serving = servedIn(registry).get(document) ?? []
  return serving.find(surface => surface.route.path.includes(registry.service.id)) ?? serving[0]
}

/**
 * Returns the path of a discovery document, or null if this registry does not serve it, so that no document has a dead
 * link.
 */
export const pathTo = (registry: Registry, document: string): string | null =>
  surfaceOf(registry, document)?.route.path ?? null

/** Returns the path of a surface by id, or null. */
export const pathOf = (registry: Registry, id: string | undefined): string | null =>
  registry.byId.get(id ?? '')?.route.path ?? null

/** Returns the target of a declared link relation, with its query, or null if there is none. */
export function linkTarget(registry: Registry, rel: string): string | null {
  const link = registry.service.links.find(candidate => candidate.rel === rel)
  const path = pathOf(registry, link?.surface)
  return path === null || link?.query === undefined ? path : `${path}?${link.query}`
}

/** Returns the absolute URL for a path of this service. */
export const absolute = (registry: Registry, path: string): string => registry.service.base_url + path

export const absoluteOrNull = (registry: Registry, path: string | null): string | null =>
  path === null ? null : absolute(registry, path)

/**
 * Returns a URL of the surface that can be fetched unchanged: its own path, or an example's if the path has
 * placeholders.
 */
export const sampleUrl = (registry: Registry, surface: Surface): string | null => {
  if (surface.route.placeholders.length === 0) return absolute(registry, surface.route.path)
  const example = surface.examples.find(candidate => candidate.expect.status < 400) ?? surface.examples[0]
  return example === undefined ? null : absolute(registry, example.url)
}

/** Whether the surface only answers that its publication is paused. */
export const isPaused = (surface: Surface): boolean => surface.fixed !== undefined && surface.status === 503

/** Whether the answer needs stores, which may be unavailable and which a request may change. */
export const usesStores = ({ access, reaches, page }: Surface): boolean =>
  !isOpen(access) ||
  reaches.includes('handlers') ||
  (page !== undefined && (page.sends !== undefined || page.shows.length + page.besides.length > 0))

/** Documents that browsers request by themselves. */
const forBrowsers = ['assets', 'favicon']

/**
 * Whether the surface is meant for programs. Pages and their files are for people; programs read the data that a page
 * shows.
 */
export const isForPrograms = ({ page, serves }: Surface): boolean =>
  page === undefined && !forBrowsers.includes(serves ?? '')

/**
 * Returns the ISO 8601 time of the newest `since` date. It is the date of every document that depends only on the
 * registry.
 */
export const newestDeclaration = (registry: Registry): string =>
  `${registry.surfaces.reduce((newest, surface) => (surface.since > newest ? surface.since : newest), '1970-01-01')}T00:00:00.000Z`

/** Counts the items with each word, in order of first appearance. */
export function countBy<T>(items: readonly T[], word: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[word(item)] = (counts[word(item)] ?? 0) + 1
  return counts
}
