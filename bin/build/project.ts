import type { Compiled } from '../../core/source/compiled.ts'
import { recordCompiled } from '../compiled-registry.ts'
import { readRegistry } from '../read-registry.ts'
import { bundleFolder, loadRoots } from '../roots.ts'
import { bundleRoot } from './root.ts'
import type { Bundling } from './bundle.ts'

/** Bundles the code of roots, named by their folders, beside what else is built of them. */
export const bundleRoots = async (folders: readonly string[], how: Bundling): Promise<void> => {
  for (const folder of folders) await bundleRoot(folder, bundleFolder(folder), how)
}

/** What earlier builds made is not taken: all is made again. */
const unknown: Compiled = { take: () => undefined }

/**
 * Reads the named roots by their bundles, and keeps what was made of the files of those `folders`: mistakes are left to
 * `pantry validate`.
 */
export async function compileRoots(names: readonly string[], folders: readonly string[]): Promise<void> {
  const records = new Map(folders.map(folder => [folder, recordCompiled(bundleFolder(folder))]))
  const roots = await loadRoots(names)
  readRegistry(roots.map(root => ({ ...root, compiled: records.get(root.folder)?.compiled ?? unknown })))
  for (const { write } of records.values()) write()
}
