import { routeShape } from '../manifest/route.ts'
import type { ReadRoot } from './read-root.ts'
import { standardRoot } from './root.ts'

const routesOf = ({ manifests }: ReadRoot): string[] => manifests.map(({ manifest: { path } }) => routeShape(path))

/**
 * Removes from the standard root the pages whose path another root also declares, so a service replaces the front page
 * by declaring `/`. Other surfaces of the standard root cannot be replaced: a second surface at their path is an error
 * (M401).
 */
export function withOwnPages(roots: readonly ReadRoot[]): readonly ReadRoot[] {
  const own = new Set(roots.filter(({ root }) => root.name !== standardRoot).flatMap(routesOf))
  return roots.map(one => {
    if (one.root.name !== standardRoot) return one
    const replaced = new Set(
      one.manifests
        .filter(({ kind, manifest: { path } }) => kind.reaches.includes('views') && own.has(routeShape(path)))
        .map(({ id }) => id)
    )
    const kept = <T>(table: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
      new Map([...table].filter(([id]) => !replaced.has(id)))
    return replaced.size === 0
      ? one
      : {
          ...one,
          manifests: one.manifests.filter(({ id }) => !replaced.has(id)),
          ids: one.ids.filter(id => !replaced.has(id)),
          root: { ...one.root, handlers: kept(one.root.handlers), handlerFiles: kept(one.root.handlerFiles) }
        }
  })
}
