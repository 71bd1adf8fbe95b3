import { sha256Hex } from '../canonical/canonical-json.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { Method } from '../vocabulary/words.ts'
import { isForPrograms } from './pointers.ts'

/** One surface with one of its methods. */
export type Operation = Readonly<{ surface: Surface; method: Method; name: string }>

const longest = 63

/** `get_guides_guide`: matches `^[a-zA-Z_][a-zA-Z0-9_]{0,62}$`, the form that every vendor of language models takes. */
function plainName(surface: Surface, method: Method): string {
  const verb = method.toLowerCase()
  const id = surface.id.replace(/\.(get|post|put|patch|delete)$/, '')
  return `${verb}_${id.replace(/[^a-zA-Z0-9]/g, '_')}`
}

const distinctName = (surface: Surface, method: Method): string =>
  `${plainName(surface, method).slice(0, longest - 9)}_${sha256Hex(`${method} ${surface.id}`).slice(0, 8)}`

/**
 * Every surface that programs call with every method, in the order of the registry. Names are unique and depend on id
 * and method alone, unless two ids differ only in punctuation or one is too long: those carry eight digits of a hash.
 */
export function operationsOf(registry: Registry): readonly Operation[] {
  const pairs = registry.surfaces
    .filter(isForPrograms)
    .flatMap(surface => surface.route.methods.map(method => ({ surface, method, plain: plainName(surface, method) })))
  const uses = new Map<string, number>()
  for (const { plain } of pairs) uses.set(plain, (uses.get(plain) ?? 0) + 1)
  return pairs.map(({ surface, method, plain }) => ({
    surface,
    method,
    name: plain.length > longest || uses.get(plain) !== 1 ? distinctName(surface, method) : plain
  }))
}

/** One name for each surface, that of its first method: the name of its tool and of its examples. */
export function namesOf(registry: Registry): ReadonlyMap<Surface, string> {
  const names = new Map<Surface, string>()
  for (const { surface, name } of operationsOf(registry)) if (!names.has(surface)) names.set(surface, name)
  return names
}
