import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A module of a root's code: the file that messages name, and what it exports. */
export type RootModule = Readonly<{ file: string; load: () => Promise<unknown> }>

/**
 * Code of a root that this process can run: the folder that it is in, and its modules by their paths below a part of
 * the root, without an ending.
 */
export type RootModules = Readonly<{ folder: string; modules: ReadonlyMap<string, RootModule> }>

/**
 * A handler of a root: its id, the file a person wrote, and the module this process can run, `undefined` until it is
 * built.
 */
type HandlerFile = Readonly<{ id: string; written: string; runnable: RootModule | undefined }>

/** All files below a folder with an ending, in order, without declarations of types. */
export const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && file.name.endsWith(ending) && !file.name.endsWith('.d.ts'))
    .map(file => join(file.parentPath, file.name))
    .sort()

/** The files below a folder with one of the endings, by their paths without it. */
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
 * What code of a root may be written in: views have elements, which only `.tsx` can, and a compiler takes plain
 * JavaScript along.
 */
export const writtenEndings = ['.js', '.ts', '.tsx']

/** Folder of a root's handlers, below the folder of its code: every file in it is one, and its path is its id. */
const handlers = 'handlers'

/**
 * The handlers of a root; `code` is what this process can run of its `surfaces`. Where the sources are at hand they
 * decide: one that is not compiled yet is listed, and compiled code whose source is gone is not.
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
