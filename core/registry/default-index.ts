import { humanise } from '../format/format.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import { standardRoot } from './root.ts'

const orientation = ['manifest', 'openapi', 'tools', 'examples']

/**
 * Returns the index groups for a service that declares none: its own surfaces, grouped by their first tag, then the
 * framework's directories.
 */
export function defaultIndex(surfaces: readonly Surface[]): Service['index'] {
  const groups = new Map<string, string[]>()
  for (const {
    id,
    tags: [tag = 'other'],
    origin
  } of surfaces)
    if (origin.root !== standardRoot) groups.set(tag, [...(groups.get(tag) ?? []), id])
  const served = orientation.filter(id => surfaces.some(surface => surface.id === id))
  return [
    ...[...groups].map(([tag, ids]) => ({ group: tag.replaceAll('-', '_'), title: humanise(tag), surfaces: ids })),
    ...(served.length === 0 ? [] : [{ group: 'orientation', title: 'Finding your way', surfaces: served }])
  ]
}
