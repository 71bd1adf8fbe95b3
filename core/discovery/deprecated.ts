import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

/** Returns a warning about a deprecated surface for people and agents; empty for other surfaces. */
export function deprecationNote({ deprecation }: Surface, registry: Registry): string {
  if (deprecation === undefined) return ''
  const successor = registry.byId.get(deprecation.successor ?? '')?.route.path
  const end = deprecation.sunset === undefined ? '' : `, ends on ${deprecation.sunset}`
  return `Deprecated since ${deprecation.date}${end}: ${deprecation.reason}${successor === undefined ? '' : ` Use ${successor}.`}`
}
