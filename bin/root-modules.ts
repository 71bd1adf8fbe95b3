import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { toMigrationError, unreadMigration } from '../core/database/errors.ts'
import { jobMigrations } from '../core/database/jobs/table.ts'
import { onceMigrations } from '../core/database/once/table.ts'
import { webhookMigrations } from '../core/database/webhooks/table.ts'
import type { Migration, MigrationSteps } from '../core/database/migrations.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { codeFile } from './compiled-registry.ts'
import { UsageError } from './config.ts'
import { named } from './waits.ts'

/** A module of a root. `file` is the one that messages name; `load` returns its exports. */
export type RootModule = Readonly<{ file: string; load: () => Promise<unknown> }>

/**
 * Code of a root that this process can run: its folder, and its modules by their paths in the part of the root, without
 * extension.
 */
export type RootModules = Readonly<{ folder: string; modules: ReadonlyMap<string, RootModule> }>

/**
 * A file with handlers or a job: its path below `surfaces/handlers/` or `surfaces/jobs/` without extension, its source,
 * and the module that this process can run, `undefined` until it is built.
 */
type CodeFile = Readonly<{ id: string; written: string; runnable: RootModule | undefined }>

/** Returns the files below a folder that have an ending, sorted, without `.d.ts` files. */
export const filesBelow = (folder: string, ending: string): string[] =>
  allBelow(folder, ending).filter(file => !file.endsWith('.d.ts'))

/** Returns all files below a folder that have an ending, sorted. */
export const allBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && file.name.endsWith(ending))
    .map(file => join(file.parentPath, file.name))
    .sort()

/** Returns the files below a folder, each with its path below the folder without ending. */
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

/** Extensions of a root's code. Views contain JSX and need `.tsx`; a compiler copies plain JavaScript. */
export const writtenEndings = ['.js', '.ts', '.tsx']

/**
 * Returns the path of a file with handlers below their folder, without extension; `undefined` for other files. Every
 * export of such a file is a handler, whose id follows from this path and the name of the export (`handlerId`).
 */
export const handlerFileId = (file: string): string | undefined =>
  /(?:^|\/)surfaces\/handlers\/(.+)\.[jt]sx?$/.exec(file.replaceAll('\\', '/'))?.[1]

/**
 * Returns the files of a root with handlers, or with jobs. If it has source files they decide: a source that is not
 * compiled yet is listed, and compiled code without a source is not.
 */
export function codeFiles(
  part: 'handlers' | 'jobs',
  folder: string,
  code: RootModules | undefined
): readonly CodeFile[] {
  const sources = join(folder, 'surfaces')
  const isCompiled = code?.folder !== sources && existsSync(sources)
  const runnable = new Map(
    [...(code?.modules ?? [])].flatMap(([id, module]): [string, RootModule][] =>
      id.startsWith(`${part}/`) ? [[id.slice(part.length + 1), module]] : []
    )
  )
  return isCompiled
    ? idsBelow(join(sources, part), writtenEndings).map(([id, file]) => ({
        id,
        written: file,
        runnable: runnable.get(id)
      }))
    : [
        ...[...runnable].map(([id, module]) => ({
          id,
          written: code?.folder === sources ? module.file : join(sources, part, `${id}.ts`),
          runnable: module
        })),
        ...idsBelow(join(sources, part), writtenEndings).flatMap(([id, file]) =>
          runnable.has(id) ? [] : [{ id, written: file, runnable: undefined }]
        )
      ]
}

/** Returns the path of a module without its extension. */
export const idOf = (path: string): string =>
  path.slice(0, -(writtenEndings.find(ending => path.endsWith(ending)) ?? '').length).replaceAll('\\', '/')

/**
 * Names the line of a syntax error, in the file or in one that it imports. Node writes that only where a process ends
 * with the error, so one is started that does.
 */
function withLine(error: unknown, url: string): unknown {
  if (!(error instanceof SyntaxError)) return error
  const { stderr } = spawnSync(process.execPath, ['--no-warnings', '-e', `import(${JSON.stringify(url)})`], {
    encoding: 'utf8'
  })
  const [, file, line = ''] = /^(file:\/\/.*):(\d+)$/m.exec(stderr) ?? []
  return file === undefined
    ? error
    : new SyntaxError(`${error.message} (${relative(process.cwd(), fileURLToPath(file))}:${line})`)
}

async function importFile(file: string, version = ''): Promise<unknown> {
  const url = pathToFileURL(file).href + version
  return await import(url).catch((error: unknown) => {
    throw withLine(error, url)
  })
}

export const codeInFiles = (folder: string, ending: '.ts' | '.js'): RootModules => ({
  folder,
  modules: new Map(
    existsSync(folder)
      ? filesBelow(folder, ending).map(file => [
          idOf(relative(folder, file)),
          { file, load: () => named(file, () => importFile(file)) }
        ])
      : []
  )
})

/** Functions by module path. The first call runs the module; later calls return the same exports. */
type Bundle = Readonly<Record<string, () => unknown>>

/** The file in a bundle folder that says in which bundle each module of the root is. */
export const bundleList = 'modules.json'

/** Returns the modules of a part of a root, such as `surfaces`. */
export function codeInBundles(folder: string, root: string, part: string): RootModules {
  const file = join(folder, bundleList)
  const bundles = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>) : {}
  // With the digest in the URL, a process that has loaded an earlier build loads the new one too.
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
        .map(([path, bundle]) => {
          const file = join(root, path)
          return [idOf(path.slice(part.length + 1)), { file, load: () => named(file, () => load(path, bundle)) }]
        })
    )
  }
}

/** A migration of a root, with its file. */
export type RootMigration = Migration & Readonly<{ file: string }>

/** The file name of a migration. The migrations of a root run in the order of their names. */
const migrationName = /^(\d{4}_[a-z0-9_]+)\.(?:ts|js)$/

/** Tells whether a file is named as a migration is. */
export const isMigration = (file: string): boolean => migrationName.test(basename(file))

/**
 * Returns the migrations with the names by which executed ones are recorded. Those of an installed package are prefixed
 * with its name, so that two packages may use the same names.
 */
export function readMigrations(
  modules: readonly RootModule[],
  packageName: string | undefined
): readonly RootMigration[] {
  return modules.map(({ file, load }) => {
    const own = migrationName.exec(basename(file))?.[1]
    if (own === undefined)
      throw new UsageError(`${file} is not named as a migration is, such as 0001_trees${extname(file)}.`)
    const name = packageName === undefined ? own : `${packageName}/${own}`
    return { name, file, load: () => stepsOf(file, name, load) }
  })
}

/** Thrown in place of loading a module that is not built; `fix` says what builds it. */
export class NotBuiltError extends Error {
  readonly fix: string | undefined

  constructor({ message, hint }: Diagnostic) {
    super(message)
    this.fix = hint
  }
}

/** Tells whether a migration exports the `config` of knex: an object with the boolean `transaction` alone. */
const isConfig = (config: unknown): boolean =>
  typeof config === 'object' &&
  config !== null &&
  isDeepStrictEqual(Object.keys(config), ['transaction']) &&
  'transaction' in config &&
  typeof config.transaction === 'boolean'

/**
 * Loads a migration; the errors of its steps name it (`toMigrationError`). Throws a MigrationError if the module cannot
 * be imported, does not export `up` and `down`, or exports another `config` than knex reads here.
 */
async function stepsOf(file: string, name: string, load: RootModule['load']): Promise<MigrationSteps> {
  const shown = relative(process.cwd(), file)
  const steps = (await load().catch((error: unknown) => {
    throw unreadMigration(shown, name, error, error instanceof NotBuiltError ? error.fix : undefined)
  })) as Partial<MigrationSteps>
  const missing = (['up', 'down'] as const).filter(step => typeof steps[step] !== 'function')
  if (missing.length > 0)
    throw unreadMigration(
      shown,
      name,
      new Error(`it does not export ${missing.map(step => `\`${step}\``).join(' and ')}`),
      'A migration is `export async function up (knex) { … }`, and `down`, which takes it back.'
    )
  if ('config' in steps && !isConfig(steps.config))
    throw unreadMigration(
      shown,
      name,
      new Error('it exports a `config` other than `{ transaction: false }`'),
      'Write `export const config = { transaction: false }` if it runs outside of a transaction, and nothing otherwise.'
    )
  const { up, down, adopt, loosen } = steps as MigrationSteps & Required<Pick<MigrationSteps, 'down'>>
  const told =
    (step: MigrationSteps['up']) =>
    async (knex: Parameters<MigrationSteps['up']>[0]): Promise<void> => {
      try {
        await named(file, () => step(knex))
      } catch (error) {
        throw toMigrationError(shown, name, error, steps.config?.transaction === false && knex.isTransaction !== true)
      }
    }
  return {
    ...steps,
    up: told(up),
    down: told(down),
    ...(adopt === undefined ? {} : { adopt: told(adopt) }),
    ...(loosen === undefined ? {} : { loosen: told(loosen) })
  }
}

/** Throws a UsageError if two roots have a thing of the same name; `fix` says what to do. */
export function refuseRepeated(
  what: string,
  roots: readonly Readonly<{ name: string; names: readonly string[] }>[],
  fix: string
): void {
  const owners = new Map<string, string>()
  for (const root of roots)
    for (const name of root.names) {
      const owner = owners.get(name)
      if (owner !== undefined)
        throw new UsageError(`The roots \`${owner}\` and \`${root.name}\` both have a ${what} \`${name}\`. ${fix}`)
      owners.set(name, root.name)
    }
}

type WithMigrations = Readonly<{
  name: string
  migrations: readonly Migration[]
  jobs: readonly unknown[]
  webhooks?: unknown
}>

/**
 * Returns the migrations of all roots in load order, after those of the framework that they need. Throws a
 * UsageError if two roots have one of the same name.
 */
export function joinMigrations(roots: readonly WithMigrations[]): readonly Migration[] {
  const named = roots.map(({ name, migrations }) => ({ name, names: migrations.map(one => one.name) }))
  refuseRepeated('migration', named, 'Rename the one that has not run anywhere.')
  const hasWebhooks = roots.some(({ webhooks }) => webhooks !== undefined)
  const hasJobs = hasWebhooks || roots.some(({ jobs }) => jobs.length > 0)
  const hasTables = named.some(({ names }) => names.length > 0)
  const own = [
    ...(hasJobs ? jobMigrations : []),
    ...(hasWebhooks ? webhookMigrations : []),
    ...(hasTables ? onceMigrations : [])
  ]
  return [...own, ...roots.flatMap(({ migrations }) => migrations)]
}
