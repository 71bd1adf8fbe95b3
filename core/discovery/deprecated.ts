import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

/** What people and agents are told before they use what should no longer be used; empty otherwise. */
export function deprecationNote({ deprecation }: Surface, registry: Registry): string {
  if (deprecation === undefined) return ''
  const successor = registry.byId.get(deprecation.successor ?? '')?.route.path
  const end = deprecation.sunset === undefined ? '' : `, ends on ${deprecation.sunset}`
  return `Deprecated since ${deprecation.date}${end}: ${deprecation.reason}${successor === undefined ? '' : ` Use ${successor}.`}`
}
