import type { Compiled } from '../../core/source/compiled.ts'
import { recordCompiled } from '../compiled-registry.ts'
import { readRegistry } from '../read-registry.ts'
import { bundleFolder, loadRoots } from '../roots.ts'
import { bundleRoot } from './root.ts'
import type { Bundling } from './bundle.ts'

/** Bundles the code of the root folders, each into its bundle folder. */
export const bundleRoots = async (folders: readonly string[], how: Bundling): Promise<void> => {
  for (const folder of folders) await bundleRoot(folder, bundleFolder(folder), how)
}

/** Ignores what earlier builds compiled, so that everything is compiled again. */
const unknown: Compiled = { take: () => undefined }

/**
 * Reads the named roots from their bundles and saves the compiled registries of `folders`. Does not report mistakes,
 * which is the task of `pantry validate`.
 */
export async function compileRoots(names: readonly string[], folders: readonly string[]): Promise<void> {
  const records = new Map(folders.map(folder => [folder, recordCompiled(bundleFolder(folder))]))
  const roots = await loadRoots(names)
  readRegistry(roots.map(root => ({ ...root, compiled: records.get(root.folder)?.compiled ?? unknown })))
  for (const { write } of records.values()) write()
}
