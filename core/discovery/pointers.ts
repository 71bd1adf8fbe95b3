import { isOpen } from '../access/index.ts'
import { originOf } from '../canonical/url.ts'
import { memoize } from '../canonical/work.ts'
import { withoutBase } from '../manifest/paths.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

const surfacesByDocument = memoize(({ surfaces }: Registry) => {
  const serving = new Map<string, Surface[]>()
  for (const surface of surfaces)
    if (surface.serves !== undefined) serving.set(surface.serves, [...(serving.get(surface.serves) ?? []), surface])
  return serving
})

/** Returns the surface that serves a discovery document; of several, one with the service's id in its path, or any. */
export function surfaceOf(registry: Registry, document: string): Surface | undefined {
  const serving = surfacesByDocument(registry).get(document) ?? []
  const { moved, service } = registry
  return serving.find(({ route }) => withoutBase(moved?.base ?? '', route.path).includes(service.id)) ?? serving[0]
}

/**
 * Returns the path of a discovery document, with `value` as it is in place of its first placeholder; null if no surface
 * serves the document, so that there is no dead link.
 */
export function documentPathOf(registry: Registry, document: string, value?: string): string | null {
  const path = surfaceOf(registry, document)?.route.path ?? null
  return value === undefined ? path : (path?.replace(/\{\w+\}/, value) ?? null)
}

export const surfacePathOf = (registry: Registry, id: string | undefined): string | null =>
  registry.byId.get(id ?? '')?.route.path ?? null

/** Returns the path and query that a declared link relation leads to; null if it has no surface or is not declared. */
export function relationTargetOf(registry: Registry, rel: string): string | null {
  const link = registry.service.links.find(candidate => candidate.rel === rel)
  const path = surfacePathOf(registry, link?.surface)
  return path === null || link?.query === undefined ? path : `${path}?${link.query}`
}

/** Returns the URL of a path as it is served. */
export const absoluteUrl = ({ service }: Registry, path: string): string => originOf(service.base_url) + path

export const absoluteUrlOrNull = (registry: Registry, path: string | null): string | null =>
  path === null ? null : absoluteUrl(registry, path)

export const documentUrlOf = (registry: Registry, document: string): string | null =>
  absoluteUrlOrNull(registry, documentPathOf(registry, document))

/** Whether the surface gives only a fixed answer with status 503, which says that publication is paused. */
export const isPaused = (surface: Surface): boolean => surface.fixed !== undefined && surface.status === 503

/**
 * Whether a request may read or change stores, which may be unavailable: the surface identifies callers, runs a
 * handler, reads rows, or is a page that asks other surfaces.
 */
export const usesStores = ({ access, reaches, page }: Surface): boolean =>
  !isOpen(access) ||
  reaches.includes('handlers') ||
  reaches.includes('tables') ||
  (page !== undefined && (page.sends !== undefined || page.shows.length + page.besides.length > 0))

/** Returns the group of a surface in documents, which is its first tag. */
export const groupOf = ({ tags }: Surface): string => tags[0] ?? 'other'

/** Returns the newest `since` of all surfaces as an ISO 8601 time, for `generated_at` of documents. */
export const newestDeclaration = ({ surfaces }: Registry): string =>
  `${surfaces.reduce((newest, { since }) => (since > newest ? since : newest), '1970-01-01')}T00:00:00.000Z`

export const pick = <T, K extends keyof T>(object: T, ...names: K[]): Pick<T, K> =>
  Object.fromEntries(names.map(name => [name, object[name]])) as Pick<T, K>

export const mapValues = <T, U>(
  object: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U
): Record<string, U> => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))

/** Returns how many items have each word, in the order in which the words first appear. */
export function countBy<T>(items: readonly T[], word: (item: T) => string): Record<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    const key = word(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
