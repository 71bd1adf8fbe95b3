import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Returns the folder with the `package.json` of a module, given its URL. */
export function projectFolder(module: string): string {
  let folder = dirname(fileURLToPath(module))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
