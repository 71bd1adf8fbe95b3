import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { kinds } from '../core/kinds/index.ts'
import type { Registry } from '../core/registry/registry.ts'
import { loadRegistry, withBaseUrl } from '../core/registry/load.ts'
import type { LoadedRoot } from './roots.ts'

export type ReadRegistry = Readonly<{ registry: Registry | undefined, diagnostics: readonly Diagnostic[] }>

/** Reads and checks every file of the roots. The one validator: of the command line, the server's start, the watch mode and the tests. */
export function readRegistry (roots: readonly LoadedRoot[], baseUrl?: string): ReadRegistry {
  const { registry, diagnostics } = loadRegistry({ roots, kinds })
  return { registry: registry === undefined || baseUrl === undefined ? registry : withBaseUrl(registry, baseUrl), diagnostics }
}
