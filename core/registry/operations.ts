import { sha256Hex } from '../canonical/json.ts'
import { routeShape } from '../manifest/paths.ts'
import { isForPrograms, type Surface } from '../manifest/surface.ts'
import type { Method } from '../vocabulary/words.ts'
import type { RecordedName, RecordedNames } from './recorded-names.ts'
import type { Registry } from './registry.ts'

export type Operation = Readonly<{ surface: Surface; method: Method; name: string }>

/** The surfaces of a service, and the names that are recorded for them. */
export type Named = Pick<Registry, 'surfaces' | 'names'>

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
 * Returns an operation for each method of each surface meant for programs. A recorded name stays with its method and
 * path, and where that path is no longer served, with its method and surface. The names of others are made of method
 * and id; one that several would have, that is recorded, or that is too long, ends in eight hexadecimal digits of the
 * hash of method and id.
 */
export function operationsOf({ surfaces, names = {} }: Named): readonly Operation[] {
  const operations = surfaces
    .filter(isForPrograms)
    .flatMap(surface => surface.route.methods.map(method => ({ surface, method, plain: plainName(surface, method) })))
  const recorded = recordedNames(operations, names)
  const uses = new Map<string, number>()
  for (const operation of operations)
    if (!recorded.has(operation)) uses.set(operation.plain, (uses.get(operation.plain) ?? 0) + 1)
  return operations.map(operation => {
    const { surface, method, plain } = operation
    const isFree = plain.length <= maxNameLength && uses.get(plain) === 1 && !Object.hasOwn(names, plain)
    return {
      surface,
      method,
      name: recorded.get(operation) ?? (isFree ? plain : distinctName(plain, { surface, method }))
    }
  })
}

/** Returns the recorded name of each operation that has one. Of two at one path, the one that is not deprecated. */
function recordedNames<T extends Omit<Operation, 'name'>>(
  operations: readonly T[],
  names: RecordedNames
): ReadonlyMap<T, string> {
  const found = new Map<T, string>()
  const keys: readonly (readonly [of: (operation: T) => string, recorded: (name: RecordedName) => string])[] = [
    [
      ({ surface, method }) => `${method} ${routeShape(surface.route.path)}`,
      ({ method, path }) => `${method} ${routeShape(path)}`
    ],
    [({ surface, method }) => `${method} ${surface.id}`, ({ method, surface }) => `${method} ${surface}`]
  ]
  const left = new Map(
    Object.entries(names).sort(
      ([, a], [, b]) => Number(a.deprecated !== undefined) - Number(b.deprecated !== undefined)
    )
  )
  for (const [of, recorded] of keys) {
    const byKey = new Map([...left].reverse().map(([name, value]) => [recorded(value), name]))
    for (const operation of operations) {
      const name = byKey.get(of(operation))
      if (name === undefined || found.has(operation)) continue
      found.set(operation, name)
      left.delete(name)
      byKey.delete(of(operation))
    }
  }
  return found
}

/**
 * Returns the name of each surface meant for programs, that of its first method or the recorded one. Its tool and
 * examples have it too.
 */
export function surfaceNamesOf(registry: Named): ReadonlyMap<Surface, string> {
  const names = new Map<Surface, string>()
  for (const { surface, name } of operationsOf(registry))
    if (!names.has(surface) || registry.names?.[name]?.tool === true) names.set(surface, name)
  return names
}

/** Returns the names to record: those of today, and those of the past that are deprecated, so that none is reused. */
export function namesToRecord(registry: Named): RecordedNames {
  const tools = surfaceNamesOf(registry)
  const now = operationsOf(registry).map(({ surface, method, name }): [string, RecordedName] => [
    name,
    {
      surface: surface.id,
      method,
      path: surface.route.path,
      ...(tools.get(surface) === name ? { tool: true } : {}),
      ...(surface.deprecation === undefined ? {} : { deprecated: surface.deprecation.date })
    }
  ])
  const past = Object.entries(registry.names ?? {}).filter(([, { deprecated }]) => deprecated !== undefined)
  return Object.fromEntries([...past, ...now])
}
