import { existsSync, statSync, type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { EntryProblem, JsonObject } from 'pantry/data'
import { FileProblem } from './data-error.ts'
import type { Reader, SourceFile } from './source.ts'

/** A file that is there, and what expressions read as `file`. */
export type FoundFile = Readonly<{ path: string, declared: SourceFile, file: JsonObject }>

/** Folder of an installed package, found as a module at `from` (a file path or URL) would find it. */
export function packageFolder (name: string, from: string): string {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') throw new FileProblem(`The package \`${name}\` is not installed.`)
    throw error
  }
}

/** A part of a path with `*` in it, as a pattern for one name. Names that start with a point are hidden. */
const namePattern = (part: string): RegExp => new RegExp(`^(?!\\.)${part.split('*').map(text => text.replace(/[^\w]/g, '\\$&')).join('[^/]*')}$`)

/** Links are followed: a copy of an upstream may consist of them. One that leads nowhere is taken for a file, so that reading it says what is wrong. */
const isFile = (folder: string, entry: Dirent): boolean =>
  entry.isSymbolicLink() ? statSync(join(folder, entry.name), { throwIfNoEntry: false })?.isFile() ?? true : entry.isFile()

async function expand (folder: string, parts: readonly string[]): Promise<string[]> {
  const [part, ...rest] = parts
  if (part === undefined) return [folder]
  if (!part.includes('*')) return expand(join(folder, part), rest)
  const pattern = namePattern(part)
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter(entry => pattern.test(entry.name) && isFile(folder, entry) === (rest.length === 0)).map(({ name }) => name).sort()
  return (await Promise.all(names.map(name => expand(join(folder, name), rest)))).flat().filter(path => rest.length === 0 || existsSync(path))
}

/** The files that a declaration names, in byte order of their names, folder by folder. Throws when a pattern finds none; a missing file shows when it is read. */
export async function findFiles (folder: string, declared: SourceFile): Promise<readonly FoundFile[]> {
  const base = declared.package === undefined ? folder : packageFolder(declared.package, join(folder, 'package.json'))
  const paths = await expand(base, declared.path.split('/'))
  if (paths.length === 0) throw new FileProblem(`No file in the folder of the source is called \`${declared.path}\`.`)
  return paths.map(path => ({ path, declared, file: { name: basename(path).replace(/\..*$/, ''), ...declared.set } }))
}

/** A file of a declaration and its place in the entry of the source. */
export type DeclaredFile = Readonly<{ declared: SourceFile, pointer: EntryProblem['pointer'] }>

export const placed = (files: readonly SourceFile[], ...pointer: EntryProblem['pointer']): readonly DeclaredFile[] =>
  files.map((declared, index) => ({ declared, pointer: [...pointer, index] }))

/** All files that a reader names: of its rows, its tables and its sets. */
export const filesOf = (reader: Reader): readonly DeclaredFile[] => [
  ...placed(reader.files, 'reader', 'files'),
  ...Object.entries(reader.tables ?? {}).map(([name, { file }]) => ({ declared: file, pointer: ['reader', 'tables', name, 'file'] })),
  ...placed(reader.sets?.files ?? [], 'reader', 'sets', 'files')
]
