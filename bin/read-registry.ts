import { atOnce, type Sliced } from '../core/canonical/slices.ts'
import { kinds } from '../core/kinds/index.ts'
import { loadingRegistry, withBaseUrl, type Loaded } from '../core/registry/load.ts'
import type { Reuse } from '../core/source/read-folder.ts'
import type { LoadedRoot } from './roots.ts'

/** What was read of the roots, and every mistake in it. */
export type ReadRegistry = Loaded

/**
 * Reads and checks every file of the roots. The command line, the server, the watch mode and the tests all use this
 * validator.
 */
export const readRegistry = (roots: readonly LoadedRoot[], baseUrl?: string, reuse?: Reuse): ReadRegistry =>
  atOnce(readingRegistry(roots, baseUrl, reuse))

export function* readingRegistry(roots: readonly LoadedRoot[], baseUrl?: string, reuse?: Reuse): Sliced<ReadRegistry> {
  const loaded = yield* loadingRegistry({ roots, kinds, ...(reuse === undefined ? {} : { reuse }) })
  return loaded.registry === undefined || baseUrl === undefined
    ? loaded
    : { ...loaded, registry: withBaseUrl(loaded.registry, baseUrl) }
}
