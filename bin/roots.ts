import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Coded, HandlerTable } from '../core/plan/bind-handlers.ts'
import type { CorpusChecks } from '../core/corpus/corpus.ts'
import { MigrationError } from '../core/database/errors.ts'
import type { NamedJob } from '../core/database/jobs/job.ts'
import type { Migration } from '../core/database/migrations.ts'
import type { OpenServices, SettingsSchema } from '../core/database/root-services.ts'
import type { WebhookTypes } from '../core/database/webhooks/types.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { hooksProblem, type Hooks } from '../core/http/hooks.ts'
import { exportedHandlers, importProblem, repeatedHandler } from '../core/registry/rules/handlers.ts'
import { standardRoot, type DocumentExtension } from '../core/registry/registry.ts'
import type { Root } from '../core/registry/load.ts'
import { migrationsInSql, namedModules, notBuilt, staleSources, unbuilt, unbuiltMigrations } from './built-sources.ts'
import { readCompiled } from './compiled-registry.ts'
import {
  codeInBundles,
  codeInFiles,
  codeFiles,
  joinMigrations,
  NotBuiltError,
  readMigrations,
  writtenEndings,
  type RootMigration,
  type RootModule,
  type RootModules
} from './root-modules.ts'
import { jobsOf } from './root-jobs.ts'
import { servicesOf } from './root-services.ts'
import { webhooksOf } from './root-webhooks.ts'
import { codeFolder, codeExtension, optionalRoots, packageFolder, resolveRoots, type ResolvedRoot } from './project.ts'
import { runOf } from './stack-traces.ts'

export { packageFolder } from './project.ts'

/** The services of roots, by name. Only a root itself knows their types. */
export type AnyServices = Readonly<Record<string, unknown>>

export type LoadedRoot = Root &
  Readonly<{
    table: HandlerTable<AnyServices>
    openServices: OpenServices | undefined
    settings: SettingsSchema | undefined
    hooks: Hooks
    migrations: readonly RootMigration[]
    /** Its work in the background. */
    jobs: readonly NamedJob[]
    /** What it tells others about. */
    webhooks?: WebhookTypes | undefined
    /** Its sources that must be built; they are among its `problems`. */
    outdated?: readonly Diagnostic[]
    /** Why its compiled registry is not used, if there is one. */
    unusable?: string
  }>

/** The framework's own root, with the discovery documents of every service. */
const standardFolder = join(packageFolder, 'core', 'standard')

/** Whether this Node.js runs TypeScript (22.18 and later, outside of `node_modules`, erasable types only). */
const stripsTypes = 'typescript' in process.features && process.features.typescript !== false

const ownRoots = new Map([
  [standardFolder, standardRoot],
  ...[...optionalRoots].map(([name, folder]) => [folder, name] as const)
])

const isOurs = (root: string): boolean => root === packageFolder || ownRoots.has(root)

/** Returns the folder of the compiled code of a root. For Pantry's own roots it is beside the running code. */
const builtFolder = (root: string): string =>
  isOurs(root) ? join(codeFolder, relative(packageFolder, root)) : join(root, 'dist')

const commandsPart = 'surfaces/commands'

export const bundleFolder = (root: string): string => join(builtFolder(root), 'bundle')

/** Returns a part of a root's code: bundled, else compiled file by file, else the source files. */
function codeOf(root: string, part: string, bundles = bundleFolder): RootModules | undefined {
  const built = builtFolder(root)
  const written = join(root, part)
  const inFiles: (readonly [folder: string, ending: '.ts' | '.js'])[] = isOurs(root)
    ? [[join(built, part), codeExtension]]
    : [
        [join(built, part), '.js'],
        [written, '.js'],
        ...(stripsTypes || codeExtension === '.ts' ? [[written, '.ts'] as const] : [])
      ]
  for (const read of [
    () => codeInBundles(bundles(root), root, part),
    ...inFiles.map(place => () => codeInFiles(...place))
  ]) {
    const code = read()
    if (code.modules.size > 0) return code
  }
  return undefined
}

export const isBuilt = (root: string): boolean => {
  const code = codeOf(root, 'surfaces')
  return code !== undefined && code.folder !== join(root, 'surfaces')
}

const byId = <T>(table: ReadonlyMap<string, T>): Map<string, T> =>
  new Map([...table].sort(([one], [other]) => (one < other ? -1 : 1)))

/** Loads the handlers of a root. In `files`, a file that cannot be imported is listed under its own id. */
async function handlersOf(
  folder: string,
  code: RootModules | undefined
): Promise<Readonly<{ table: HandlerTable<AnyServices>; files: ReadonlyMap<string, string>; problems: Diagnostic[] }>> {
  const table = new Map<string, Coded<AnyServices>>()
  const files = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const { id: fileId, written, runnable } of codeFiles('handlers', folder, code)) {
    const shown = relative(process.cwd(), written)
    const unread = (problem: Diagnostic): void => {
      problems.push(problem)
      if (!files.has(fileId)) files.set(fileId, shown)
    }
    if (runnable === undefined) {
      unread(notBuilt(written, folder))
      continue
    }
    let module: object
    try {
      module = (await runnable.load()) as object
    } catch (error) {
      unread(importProblem(shown, error))
      continue
    }
    for (const { id, handler, problem } of exportedHandlers(shown, fileId, module)) {
      const other = id === undefined ? undefined : files.get(id)
      const wrong = id === undefined || other === undefined ? problem : repeatedHandler(shown, id, other)
      if (wrong !== undefined) problems.push(wrong)
      if (id === undefined) continue
      if (other === undefined) files.set(id, shown)
      if (wrong === undefined) table.set(id, handler as Coded<AnyServices>)
    }
  }
  return { table: byId(table), files: byId(files), problems }
}

/** Returns the default export of a module of a root, or `otherwise` if there is no such module. */
async function defaultExportOf<T>(code: RootModules | undefined, name: string, otherwise: T): Promise<T> {
  const module = code?.modules.get(name)
  return module === undefined
    ? otherwise
    : await runOf(module.file, async () => ((await module.load()) as { default: T }).default)
}

const checksOf = async (code: RootModules | undefined): Promise<Readonly<{ checks?: CorpusChecks }>> =>
  code === undefined ? {} : { checks: await defaultExportOf(code, 'checks', {}) }

/**
 * Returns the corpora that services read. They are declared in a file of their own, so that the services need not be
 * imported to know them.
 */
const readsOf = async (folder: string, code: RootModules): Promise<NonNullable<LoadedRoot['reads']>> => ({
  file: relative(process.cwd(), join(folder, 'surfaces', 'corpora.ts')),
  corpora: await defaultExportOf(code, 'corpora', {})
})

/**
 * Returns the schema of the settings of a root, which is in a file of its own, because `pantry config` opens no
 * services.
 */
const settingsIn = (code: RootModules | undefined): Promise<SettingsSchema | undefined> =>
  defaultExportOf<SettingsSchema | undefined>(code, 'settings', undefined)

const hooksIn = async (code: RootModules | undefined): Promise<Hooks> => {
  const module = code?.modules.get('hooks')
  if (module === undefined) return {}
  return await runOf(module.file, async () => {
    const { default: hooks } = (await module.load()) as { default?: Hooks }
    const problem = hooksProblem(hooks)
    if (hooks === undefined || problem !== undefined) throw new TypeError(problem)
    return hooks
  })
}

const nameOf = (folder: string): string => ownRoots.get(folder) ?? (relative(process.cwd(), folder) || '.')

/**
 * Returns the migrations of a root. They are outside of `surfaces` because each runs once and is kept for ever.
 * Compiled ones whose source was deleted are ignored.
 */
function migrationsIn(
  { folder, package: packageName }: ResolvedRoot,
  bundles = bundleFolder
): readonly RootMigration[] {
  const code = codeOf(folder, 'migrations', bundles)
  const sources = join(folder, 'migrations')
  const isCompiled = code !== undefined && code.folder !== sources && existsSync(sources)
  const isWritten = (id: string): boolean =>
    writtenEndings.some(written => existsSync(join(sources, `${id}${written}`)))
  const runnable = [...(code?.modules ?? [])].flatMap(([id, module]) => (!isCompiled || isWritten(id) ? [module] : []))
  const waiting = unbuiltMigrations(folder, code).map(problem => {
    const file = resolve(problem.file)
    return { file, load: () => Promise.reject(new NotBuiltError(problem)) }
  })
  return readMigrations([...runnable, ...waiting], packageName)
}

/** H106, H115 and H116: sources of a root that are not in the code that runs, or not as they were built. */
const notAsBuilt = ({ folder }: ResolvedRoot, bundles: typeof bundleFolder): readonly Diagnostic[] => [
  ...unbuilt(folder, 'surfaces', namedModules, codeOf(folder, 'surfaces', bundles)),
  ...unbuilt(folder, commandsPart, [commandsPart], codeOf(folder, commandsPart, bundles)),
  ...unbuiltMigrations(folder, codeOf(folder, 'migrations', bundles)),
  ...migrationsInSql(folder),
  ...staleSources(bundles(folder), folder)
]

/** Returns H115 for the sources of the named roots that are not as they were built. */
export const changedSources = (names: readonly string[]): readonly Diagnostic[] =>
  resolveRoots(names).flatMap(({ folder }) => staleSources(bundleFolder(folder), folder))

/** Imports the migrations of all roots. H106: one cannot be imported, or does not export its steps. */
export async function migrationProblems(roots: readonly LoadedRoot[]): Promise<readonly Diagnostic[]> {
  const problems: Diagnostic[] = []
  for (const { file, load } of roots.flatMap(({ migrations }) => migrations))
    await load().catch((error: unknown) => {
      const reason = error instanceof MigrationError ? error.cause : error
      // It is among the problems of its root.
      if (reason instanceof NotBuiltError) return
      const hint = 'A migration exports `up` and `down`, and importing it has no side effect.'
      problems.push(importProblem(relative(process.cwd(), file), reason, hint))
    })
  return problems
}

async function loadRoot(root: ResolvedRoot, bundles: (root: string) => string): Promise<LoadedRoot> {
  const { folder } = root
  const code = codeOf(folder, 'surfaces', bundles)
  const { table, files, problems } = await handlersOf(folder, code)
  const { jobs, problems: jobProblems } = await jobsOf(folder, code)
  const { webhooks, problems: webhookProblems } = await webhooksOf(code)
  const { unusable, ...compiled } = readCompiled(bundles(folder))
  const outdated = notAsBuilt(root, bundles)
  return {
    name: nameOf(folder),
    folder,
    ...(await checksOf(code)),
    ...(code === undefined ? {} : { reads: await readsOf(folder, code) }),
    handlers: table,
    handlerFiles: files,
    extensions: await defaultExportOf<readonly DocumentExtension[]>(code, 'discovery', []),
    problems: [...problems, ...jobProblems, ...webhookProblems, ...outdated],
    outdated,
    table,
    openServices: servicesOf(code?.modules.get('services')),
    settings: await settingsIn(code),
    hooks: await hooksIn(code),
    migrations: migrationsIn(root, bundles),
    jobs,
    webhooks,
    ...compiled,
    // The one of the standard root in a published package was made by one Node.js version and cannot be made again.
    ...(unusable === undefined || folder === standardFolder ? {} : { unusable })
  }
}

/** Loads the standard root and the named ones, in order; without names, those of the project. */
export async function loadRoots(names: readonly string[], bundles = bundleFolder): Promise<readonly LoadedRoot[]> {
  return Promise.all(
    [
      { folder: standardFolder, package: undefined },
      ...resolveRoots(names).filter(({ folder }) => folder !== standardFolder)
    ].map(async root => await loadRoot(root, bundles))
  )
}

/**
 * Returns the bundle folder while code is edited: that of an earlier build, so that commands do not run old code, else
 * a separate one, because commands then run the source files.
 */
export const editFolder = (root: string): string =>
  existsSync(bundleFolder(root)) ? bundleFolder(root) : join(builtFolder(root), 'edit')

/** Returns the files of jobs. They are not imported, so one that is wrong counts too. */
const jobFilesIn = (code: RootModules | undefined): readonly string[] =>
  [...(code?.modules.keys() ?? [])].filter(id => id.startsWith('jobs/'))

/** Whether the code of the named roots may open the database. */
export const mayOpenStores = (names: readonly string[], bundles = bundleFolder): boolean =>
  resolveRoots(names).some(root => {
    const code = codeOf(root.folder, 'surfaces', bundles)
    return (
      migrationsIn(root, bundles).length > 0 ||
      code?.modules.has('services') === true ||
      code?.modules.has('webhooks') === true ||
      jobFilesIn(code).length > 0
    )
  })

/** Loads the named roots, or those of the project, without their handlers and without the standard root. */
export async function contentRoots(
  names: readonly string[]
): Promise<readonly Pick<LoadedRoot, 'name' | 'folder' | 'checks'>[]> {
  return Promise.all(
    resolveRoots(names).map(async ({ folder }) => ({
      name: nameOf(folder),
      folder,
      ...(await checksOf(codeOf(folder, 'surfaces')))
    }))
  )
}

export const settingsOf = async (names: readonly string[]): Promise<readonly SettingsSchema[]> =>
  (await Promise.all(resolveRoots(names).map(({ folder }) => settingsIn(codeOf(folder, 'surfaces'))))).filter(
    settings => settings !== undefined
  )

/** Returns the types of webhooks that the named roots declare. */
export const webhookTypesOf = async (names: readonly string[]): Promise<readonly string[]> =>
  (await Promise.all(resolveRoots(names).map(({ folder }) => webhooksOf(codeOf(folder, 'surfaces'))))).flatMap(
    ({ webhooks }) => Object.keys(webhooks ?? {})
  )

export const migrationsOf = (names: readonly string[]): readonly Migration[] =>
  joinMigrations(
    resolveRoots(names).map(root => ({
      name: nameOf(root.folder),
      migrations: migrationsIn(root),
      jobs: jobFilesIn(codeOf(root.folder, 'surfaces')),
      webhooks: codeOf(root.folder, 'surfaces')?.modules.get('webhooks')
    }))
  )

/** Returns the modules of the commands that the named roots define; without names, the roots of the project. */
export const commandModules = (names: readonly string[]): readonly RootModule[] =>
  resolveRoots(names).flatMap(({ folder }) => [...(codeOf(folder, commandsPart)?.modules.values() ?? [])])

/**
 * Returns the path in a root of the file that exports its own `defineHandler`. A file that cannot be imported is
 * skipped.
 */
export async function definerOf(root: string): Promise<string | undefined> {
  const code = codeOf(root, 'surfaces')
  if (code === undefined) return undefined
  for (const name of ['define', 'services']) {
    const exported = (await code.modules
      .get(name)
      ?.load()
      .catch(() => undefined)) as Readonly<Record<string, unknown>> | undefined
    if (typeof exported?.['defineHandler'] !== 'function') continue
    return ['.ts', '.js']
      .map(written => join('surfaces', `${name}${written}`))
      .find(written => existsSync(join(root, written)))
  }
  return undefined
}

export const joinTables = (roots: readonly LoadedRoot[]): HandlerTable<AnyServices> =>
  new Map(roots.flatMap(root => [...root.table]))
