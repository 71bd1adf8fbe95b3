import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Migration, MigrationSteps } from '../core/database/migrations.ts'
import { codeFile } from './compiled-registry.ts'
import { UsageError } from './config.ts'

/** A module of a root's code: the file that messages name, and a function that imports it. */
export type RootModule = Readonly<{ file: string; load: () => Promise<unknown> }>

/**
 * Code of a root that this process can run: the folder it is in, and its modules by their paths without extension,
 * relative to the part of the root.
 */
export type RootModules = Readonly<{ folder: string; modules: ReadonlyMap<string, RootModule> }>

/**
 * A file with handlers of a root: its path below `surfaces/handlers/` without extension, its source file, and the
 * module that this process can run, `undefined` until it is built.
 */
type HandlerFile = Readonly<{ id: string; written: string; runnable: RootModule | undefined }>

/** Lists all files below a folder with the given ending, sorted, without `.d.ts` files. */
export const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && file.name.endsWith(ending) && !file.name.endsWith('.d.ts'))
    .map(file => join(file.parentPath, file.name))
    .sort()

/** Returns the paths of the files below a folder with one of the endings, without the ending, with the files. */
const idsBelow = (folder: string, endings: readonly string[]): readonly (readonly [id: string, file: string])[] =>
  existsSync(folder)
    ? endings
        .flatMap(ending =>
          filesBelow(folder, ending).map(
            file => [relative(folder, file).slice(0, -ending.length).replaceAll('\\', '/'), file] as const
          )
        )
        .sort()
    : []

/**
 * The file extensions that code of a root may have. Views contain JSX and need `.tsx`; a compiler copies plain
 * JavaScript.
 */
export const writtenEndings = ['.js', '.ts', '.tsx']

/**
 * Folder of a root's handlers, inside its code folder. Every export of a file in it is a handler, with an id that
 * follows from the path of the file and the name of the export (`handlerId`).
 */
const handlers = 'handlers'

/** Returns the path of a file below the folder of handlers, without extension; `undefined` for another file. */
export const handlerFileId = (file: string): string | undefined =>
  new RegExp(`(?:^|/)surfaces/${handlers}/(.+)\\.[jt]sx?$`).exec(file.replaceAll('\\', '/'))?.[1]

/**
 * Lists the files with handlers of a root; `code` is its runnable `surfaces` code. If source files exist they decide: a
 * source that is not compiled yet is listed, and compiled code without a source is not.
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
    ? idsBelow(join(sources, handlers), writtenEndings).map(([id, file]) => ({
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

const idOf = (path: string): string =>
  path.slice(0, -(writtenEndings.find(ending => path.endsWith(ending)) ?? '').length).replaceAll('\\', '/')

const importFile = async (file: string, version = ''): Promise<unknown> =>
  (await import(pathToFileURL(file).href + version)) as unknown

/** Returns the modules in a folder in which each module is a file. */
export const codeInFiles = (folder: string, ending: '.ts' | '.js'): RootModules => ({
  folder,
  modules: new Map(
    existsSync(folder)
      ? filesBelow(folder, ending).map(file => [idOf(relative(folder, file)), { file, load: () => importFile(file) }])
      : []
  )
})

/**
 * A bundle: functions by module path. The first call of a function runs the module and later calls return the same
 * exports, as an import would.
 */
type Bundle = Readonly<Record<string, () => unknown>>

/** Name of the file that maps each module of a root to its bundle. */
export const bundleList = 'modules.json'

/** Returns the modules of a part of a root, such as `surfaces`, from the bundles in a folder. */
export function codeInBundles(folder: string, root: string, part: string): RootModules {
  const file = join(folder, bundleList)
  const bundles = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>) : {}
  // The version makes a process that has loaded the bundles of an earlier build load the new ones too.
  const version = existsSync(join(folder, codeFile)) ? `?${readFileSync(join(folder, codeFile), 'utf8').trim()}` : ''
  const load = async (path: string, bundle: string): Promise<unknown> => {
    const { default: modules } = (await importFile(join(folder, `${bundle}.js`), version)) as { default: Bundle }
    return modules[path]?.()
  }
  return {
    folder,
    modules: new Map(
      Object.entries(bundles)
        .filter(([path]) => path.startsWith(`${part}/`))
        .map(([path, bundle]) => [
          idOf(path.slice(part.length + 1)),
          { file: join(root, path), load: () => load(path, bundle) }
        ])
    )
  }
}

/** Matches names such as `0001_trees.js`; migrations run in the order of their names. */
const migrationName = /^(\d{4}_[a-z0-9_]+)\.(?:ts|js)$/

/**
 * Builds the migrations of a root from its modules. Executed migrations are recorded by name; those of an installed
 * package are prefixed with the package name, so that two packages may use the same names.
 */
export function readMigrations(modules: readonly RootModule[], packageName: string | undefined): readonly Migration[] {
  return modules.map(({ file, load }) => {
    const name = migrationName.exec(basename(file))?.[1]
    if (name === undefined)
      throw new UsageError(`${file} is not named as a migration is, such as 0001_trees${extname(file)}.`)
    return { name: packageName === undefined ? name : `${packageName}/${name}`, load: () => stepsOf(file, load) }
  })
}

/**
 * Returns the exports of a module. Throws a UsageError that names the file if it is not a migration, before any of its
 * steps runs.
 */
async function stepsOf(file: string, load: RootModule['load']): Promise<MigrationSteps> {
  const steps = (await load()) as Partial<MigrationSteps>
  const missing = (['up', 'down'] as const).filter(step => typeof steps[step] !== 'function')
  if (missing.length > 0)
    throw new UsageError(
      `${file} does not export ${missing.map(step => `\`${step}\``).join(' and ')}. A migration is \`export async function up (knex) { … }\`, and \`down\`, which takes it back.`
    )
  return steps as MigrationSteps
}

type WithMigrations = Readonly<{ name: string; migrations: readonly Migration[] }>

/** Joins the migrations of all roots, in load order. Throws a UsageError if two roots have one of the same name. */
export function joinMigrations(roots: readonly WithMigrations[]): readonly Migration[] {
  const owners = new Map<string, string>()
  return roots.flatMap(root =>
    root.migrations.map(migration => {
      const owner = owners.get(migration.name)
      if (owner !== undefined)
        throw new UsageError(
          `The roots \`${owner}\` and \`${root.name}\` both have a migration \`${migration.name}\`. Rename the one that has not run anywhere.`
        )
      owners.set(migration.name, root.name)
      return migration
    })
  )
}
