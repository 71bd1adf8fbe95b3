import { formatDiagnostics } from '../core/diagnostics/format.ts'
import type { Registry } from '../core/registry/registry.ts'
import { colourSeverity } from './output/colour.ts'
import { FindingsError } from './output/exit.ts'
import { print, type Io } from './output/io.ts'
import { readRegistry } from './read-registry.ts'
import { loadRoots, type LoadedRoot } from './roots.ts'

/** The registry of the named roots. With errors they are printed on stderr, and the command ends with 1. Warnings are left to `validate`. */
export async function requireRegistry (names: readonly string[], io: Io): Promise<Readonly<{ registry: Registry, roots: readonly LoadedRoot[] }>> {
  const roots = await loadRoots(names)
  const { registry, diagnostics } = readRegistry(roots)
  if (registry !== undefined) return { registry, roots }
  print(io.stderr, colourSeverity(formatDiagnostics(diagnostics.filter(one => one.severity === 'error'), 'pretty'), io.stderr, io.env))
  throw new FindingsError('The manifests have errors: run `pantry validate`.')
}
