import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * A handler of a root: its id, the file a person wrote, and the file this process can run, `undefined` until it is
 * built.
 */
type HandlerFile = Readonly<{ id: string; written: string; runnable: string | undefined }>

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
const handlersIn = (code: string): string => join(code, 'handlers')

/**
 * The handlers of a root. `code` is the folder of what this process can run, in files with `ending`. Where the sources
 * are at hand they decide: one that is not compiled yet is listed, and compiled code whose source is gone is not.
 */
export function handlerFiles(folder: string, code: string | undefined, ending: '.ts' | '.js'): readonly HandlerFile[] {
  const sources = join(folder, 'surfaces')
  const runnable = code === undefined ? new Map<string, string>() : idsBelow(handlersIn(code), [ending])
  const isCompiled = ending === '.js' && code !== sources && existsSync(sources)
  return [...(isCompiled ? idsBelow(handlersIn(sources), writtenEndings) : runnable)].map(([id, file]) => ({
    id,
    written: isCompiled || code === sources ? file : join(handlersIn(sources), `${id}.ts`),
    runnable: runnable.get(id)
  }))
}
