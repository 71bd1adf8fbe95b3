import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A handler of a root: its id, the file a person wrote, and the file this process can run, `undefined` until it is built. */
export type HandlerFile = Readonly<{ id: string, written: string, runnable: string | undefined }>

/** All files below a folder with an ending, in order, without declarations of types. */
export const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && file.name.endsWith(ending) && !file.name.endsWith('.d.ts'))
    .map(file => join(file.parentPath, file.name))
    .sort()

/** A file is a handler when its default export is one; told from its text, so that nothing else is imported. */
const isHandlerFile = (file: string): boolean => /^export default defineHandler\(/m.test(readFileSync(file, 'utf8'))

const idsBelow = (folder: string, ending: string): string[] =>
  filesBelow(folder, ending).filter(isHandlerFile).map(file => relative(folder, file).slice(0, -ending.length).replaceAll('\\', '/'))

/**
 * The handlers of a root. `code` is the folder of what this process can run, in files with `ending`. Where the sources are at hand they
 * decide: one that is not compiled yet is listed, and compiled code whose source is gone is not.
 */
export function handlerFiles (folder: string, code: string | undefined, ending: '.ts' | '.js'): readonly HandlerFile[] {
  const sources = join(folder, 'surfaces')
  const runnable = new Set(code === undefined ? [] : idsBelow(code, ending))
  const ids = ending === '.js' && code !== sources && existsSync(sources) ? idsBelow(sources, '.ts') : [...runnable]
  return ids.map(id => ({
    id,
    written: join(sources, `${id}.ts`),
    runnable: code !== undefined && runnable.has(id) ? join(code, `${id}${ending}`) : undefined
  }))
}
