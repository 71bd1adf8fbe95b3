import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import { packageFolder } from '../project.ts'
import { bundle, type Bundling } from './bundle.ts'

/**
 * Bundles the framework's programs and its public modules (`bin/door/`) into a folder, and `more` programs, named by
 * their files below `bin/`.
 */
export async function bundleFramework(folder: string, how: Bundling, more: readonly string[] = []): Promise<Metafile> {
  const doors = readdirSync(join(packageFolder, 'bin', 'door'))
    .filter(file => file.endsWith('.ts'))
    .map(file => `door/${file}`)
  const files = ['pantry.ts', 'workers/main.ts', 'dev/worker.ts', 'build/project.ts', ...doors, ...more]
  return await bundle(
    folder,
    Object.fromEntries(files.map(file => [file.replace(/\.ts$/, ''), join(packageFolder, 'bin', file)])),
    how
  )
}
