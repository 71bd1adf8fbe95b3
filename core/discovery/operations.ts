import { sha256Hex } from '../canonical/json.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { Method } from '../vocabulary/words.ts'
import { countBy, isForPrograms } from './pointers.ts'

export type Operation = Readonly<{ surface: Surface; method: Method; name: string }>

/** Maximum length of a name: the vendors of language models accept `^[a-zA-Z_][a-zA-Z0-9_]{0,62}$`. */
const maxNameLength = 63

/** Returns a name such as `get_guides_guide` for `guides/guide`, which may be too long or that of another surface. */
function plainName(surface: Surface, method: Method): string {
  const id = surface.id.replace(/\.(get|post|put|patch|delete)$/, '')
  return `${method.toLowerCase()}_${id.replace(/[^a-zA-Z0-9]/g, '_')}`
}

const distinctName = (plain: string, { surface, method }: Omit<Operation, 'name'>): string =>
  `${plain.slice(0, maxNameLength - 9)}_${sha256Hex(`${method} ${surface.id}`).slice(0, 8)}`

/**
 * Returns an operation for each method of each surface meant for programs. Names are unique: a name that several
 * operations would have, or that is too long, ends in eight hexadecimal digits of the hash of method and id.
 */
export function operationsOf({ surfaces }: Registry): readonly Operation[] {
  const operations = surfaces
    .filter(isForPrograms)
    .flatMap(surface => surface.route.methods.map(method => ({ surface, method, name: plainName(surface, method) })))
  const uses = countBy(operations, ({ name }) => name)
  return operations.map(operation => {
    const { name } = operation
    return name.length > maxNameLength || uses[name] !== 1
      ? { ...operation, name: distinctName(name, operation) }
      : operation
  })
}

/** Returns the name of each surface meant for programs, that of its first method. Its tool and examples have it too. */
export function surfaceNamesOf(registry: Registry): ReadonlyMap<Surface, string> {
  const names = new Map<Surface, string>()
  for (const { surface, name } of operationsOf(registry)) if (!names.has(surface)) names.set(surface, name)
  return names
}
