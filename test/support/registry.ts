import { readRegistry, type ReadRegistry } from '../../bin/read-registry.ts'
import { loadRoots, type LoadedRoot } from '../../bin/roots.ts'
import { kinds } from '../../core/kinds/index.ts'
import { withBaseUrl } from '../../core/registry/load.ts'
import type { Registry } from '../../core/registry/registry.ts'

export const library = 'test/fixture/library'
/** Content in several languages. */
export const museum = 'test/fixture/museum'
export const gazetteer = 'test/fixture/gazetteer'

export type Read = Readonly<{ roots: readonly LoadedRoot[]; registry: Registry }>

const kept = new Map<string, Promise<Read>>()
/** Roots that no test writes to: they are read once in a process. */
const constant = new Set(['.', library, museum])

async function read(names: readonly string[]): Promise<Read> {
  const roots = await loadRoots(names)
  const { registry, diagnostics }: ReadRegistry = readRegistry(roots)
  if (registry === undefined)
    throw new Error(
      `The roots have errors:\n${diagnostics.map(({ file, code, message }) => `${file} ${code} ${message}`).join('\n')}`
    )
  return { roots, registry }
}

/** The registry of roots, of the shipped service where none is named. Throws when they have errors. */
export async function registryOf(names: readonly string[] = ['.'], baseUrl?: string): Promise<Read> {
  const key = names.join(' ')
  const reading = kept.get(key) ?? read(names)
  if (names.every(name => constant.has(name))) kept.set(key, reading)
  const { roots, registry } = await reading
  return { roots, registry: baseUrl === undefined ? registry : withBaseUrl(registry, baseUrl) }
}

const stored = new Set(
  kinds.filter(({ reaches }) => reaches.some(name => name === 'handlers' || name === 'tables')).map(({ name }) => name)
)

/** The surfaces that answer without a database. */
export const withoutStore = ({ surfaces }: Registry): Registry['surfaces'] =>
  surfaces.filter(({ kind }) => !stored.has(kind))
