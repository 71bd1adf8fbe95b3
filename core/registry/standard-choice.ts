import { isObject } from '../canonical/json.ts'
import { standardParts, type StandardPart } from '../manifest/service.ts'
import { withoutIds, type ReadRoot } from './read-root.ts'
import { standardRoot } from './registry.ts'

/** The surfaces of the framework that a service may leave out, by the part that it names in `service.yaml`. */
export const surfacesOfParts: Readonly<Record<StandardPart, readonly string[]>> = {
  agents: ['ai-plugin', 'api-catalog', 'llms', 'llms-full', 'mcp', 'mcp-config', 'tools'],
  crawlers: ['robots', 'sitemap'],
  pages: ['explained', 'explore', 'explore/surface', 'explorer', 'front'],
  structure: ['graph', 'kind', 'kinds', 'manifest-reference', 'manifest-schema', 'ontology']
}

/** Whether a page of the service has a search field in the menu. */
const hasSearch = (roots: readonly ReadRoot[]): boolean =>
  roots.some(({ manifests }) =>
    manifests.some(({ manifest }) => 'menu' in manifest && isObject(manifest.menu) && 'asks' in manifest.menu)
  )

/**
 * Removes the surfaces of the parts that the service does not choose from the standard root, and the description of its
 * search where it has none.
 */
export function withChosen(roots: readonly ReadRoot[], chosen: readonly StandardPart[]): readonly ReadRoot[] {
  const left = new Set([
    ...standardParts.filter(part => !chosen.includes(part)).flatMap(part => surfacesOfParts[part]),
    ...(hasSearch(roots) ? [] : ['opensearch'])
  ])
  return left.size === 0 ? roots : roots.map(read => (read.root.name === standardRoot ? withoutIds(read, left) : read))
}
