import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { JsonValue } from '../../core/canonical/json.ts'
import type { SourceFile } from './source.ts'

/** Folder of an installed package, found as a module at `from` (a file path or URL) would find it. */
export const packageFolder = (name: string, from: string): string => dirname(createRequire(from).resolve(`${name}/package.json`))

/** Where a file of a source lies, given the folder of the source. */
export function locateFile (folder: string, file: SourceFile): string {
  return join(file.package === undefined ? folder : packageFolder(file.package, join(folder, 'package.json')), file.path)
}

/** Reads one file of a source whole. */
export async function readDocument (folder: string, file: SourceFile): Promise<JsonValue> {
  const path = locateFile(folder, file)
  if (file.shape === 'json') return JSON.parse(await readFile(path, 'utf8')) as JsonValue
  const require = createRequire(path)
  try {
    const exported = require(path) as Record<string, JsonValue>
    return exported[file.export ?? 'default'] ?? null
  } finally {
    // The rows are read once; the module cache would hold them as long as the process lives.
    Reflect.deleteProperty(require.cache, require.resolve(path))
  }
}
