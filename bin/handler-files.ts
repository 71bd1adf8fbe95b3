import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A module of a root's code: the file that messages name, and a function that imports it. */
export type RootModule = Readonly<{ file: string; load: () => Promise<unknown> }>

/**
 * Code of a root that this process can run: the folder it is in, and its modules by their paths without extension,
 * relative to the part of the root.
 */
export type RootModules = Readonly<{ folder: string; modules: ReadonlyMap<string, RootModule> }>

/** A handler of a root: its id, its source file, and the module this process can run, `undefined` until it is built. */
type HandlerFile = Readonly<{ id: string; written: string; runnable: RootModule | undefined }>

/** Lists all files below a folder with the given ending, sorted, without `.d.ts` files. */
export const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && file.name.endsWith(ending) && !file.name.endsWith('.d.ts'))
    .map(file => join(file.parentPath, file.name))
    .sort()

/** Maps the paths of the files below a folder with one of the endings, without the ending, to the files. */
const idsBelow = (folder: string, endings: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    existsSync(folder)
      ? endings
          .flatMap(ending =>
            filesBelow(folder, ending).map((file): [string, string] => [
              relative(folder, file).slice(0, -ending.length).replaceAll('\\', '/'),
              file
            ])
          )
          .sort()
      : []
  )

/**
 * The file extensions that code of a root may have. Views contain JSX and need `.tsx`; a compiler copies plain
 * JavaScript.
 */
export const writtenEndings = ['.js', '.ts', '.tsx']

/**
 * Folder of a root's handlers, inside its code folder. Every file in it is a handler, and its path is the handler's id.
 */
const handlers = 'handlers'

/**
 * Lists the handlers of a root; `code` is its runnable `surfaces` code. If source files exist they decide: a source
 * that is not compiled yet is listed, and compiled code without a source is not.
 */
export function handlerFiles(folder: string, code: RootModules | undefined): readonly HandlerFile[] {
  const sources = join(folder, 'surfaces')
  const isCompiled = code?.folder !== sources && existsSync(sources)
  const runnable = new Map(
    [...(code?.modules ?? [])].flatMap(([id, module]): [string, RootModule][] =>
      id.startsWith(`${handlers}/`) ? [[id.slice(handlers.length + 1), module]] : []
    )
  )
  return isCompiled
    ? [...idsBelow(join(sources, handlers), writtenEndings)].map(([id, file]) => ({
        id,
        written: file,
        runnable: runnable.get(id)
      }))
    : [...runnable].map(([id, module]) => ({
        id,
        written: code?.folder === sources ? module.file : join(sources, handlers, `${id}.ts`),
        runnable: module
      }))
}
