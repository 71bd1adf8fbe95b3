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

/** The parser's own message quotes the text around the mistake, which may be a value that is withheld. */
function parseJson (text: string, path: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    throw new SyntaxError(`${path} is not JSON.`)
  }
}

/** Reads one file of a source whole. Throws a SyntaxError for what is not JSON, and the system's error for a file that cannot be read. */
export async function readDocument (folder: string, file: SourceFile): Promise<JsonValue> {
  const path = locateFile(folder, file)
  if (file.shape === 'json') return parseJson(await readFile(path, 'utf8'), path)
  const require = createRequire(path)
  try {
    const exported = require(path) as Record<string, JsonValue>
    return exported[file.export ?? 'default'] ?? null
  } finally {
    // The rows are read once; the module cache would hold them as long as the process lives.
    Reflect.deleteProperty(require.cache, require.resolve(path))
  }
}
