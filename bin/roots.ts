import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Coded, HandlerTable } from '../core/handler/handler.ts'
import type { CorpusChecks } from '../core/corpus/check.ts'
import type { Migration } from '../core/database/migrations.ts'
import type { OpenServices } from '../core/database/root-services.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { handlerProblem, importProblem } from '../core/registry/handler-problem.ts'
import type { DocumentExtension } from '../core/registry/extension.ts'
import type { Root } from '../core/registry/load.ts'
import { standardRoot } from '../core/registry/root.ts'
import { reportFile } from '../core/source/report.ts'
import { filesBelow, handlerFiles, writtenEndings } from './handler-files.ts'
import { codeFolder, ending, packageFolder, rootsNamed, type NamedRoot } from './project.ts'
import { runOf } from './root-code.ts'
import { joinMigrations, readMigrations } from './root-migrations.ts'

export { packageFolder } from './project.ts'

/** Services are known to their own root only; here they are values that are passed on. */
export type Services = Readonly<Record<string, unknown>>

export type LoadedRoot = Root &
  Readonly<{ table: HandlerTable<Services>; openServices: OpenServices | undefined; migrations: readonly Migration[] }>

/** The framework's own root: the discovery documents every service gets. */
const standardFolder = join(packageFolder, 'core', 'standard')

/** Code of a root that this process can run: a folder, and what its files end in. */
type Code = Readonly<{ folder: string; ending: '.ts' | '.js' }>

const isRunnable = ({ folder, ending }: Code): boolean => existsSync(folder) && filesBelow(folder, ending).length > 0

/** Node 22.18 and later run TypeScript whose types can be erased, outside of `node_modules`. */
const stripsTypes = 'typescript' in process.features && process.features.typescript !== false

/** A part of a root's code, such as `surfaces`: compiled with us, compiled in `dist`, or as it was written. */
function codeOf(root: string, part: string): Code | undefined {
  const written = join(root, part)
  const places: Code[] =
    root === packageFolder || root === standardFolder
      ? [{ folder: join(codeFolder, relative(packageFolder, root), part), ending }]
      : [
          { folder: join(root, 'dist', part), ending: '.js' },
          { folder: written, ending: '.js' },
          ...(stripsTypes || ending === '.ts' ? [{ folder: written, ending: '.ts' } as const] : [])
        ]
  return places.find(isRunnable)
}

type HandlerModule = Readonly<{ default: Coded<Services> }>

const importHandler = async (file: string): Promise<HandlerModule> =>
  (await import(pathToFileURL(file).href)) as HandlerModule

/** Imported when it is opened: what only reads manifests needs no database driver. */
const servicesOf = (file: string): OpenServices | undefined =>
  existsSync(file)
    ? given =>
        runOf(file, async () => {
          const { default: open } = (await import(pathToFileURL(file).href)) as { default: OpenServices }
          const { prepare, ...opened } = await open(given)
          return {
            ...opened,
            ...(prepare === undefined ? {} : { prepare: progress => runOf(file, () => prepare(progress)) })
          }
        })
    : undefined

/** The default export of a file of a root's code that is no handler, where there is one. */
async function partOf<T>(code: Code, name: string, otherwise: T): Promise<T> {
  const file = join(code.folder, `${name}${code.ending}`)
  return existsSync(file)
    ? await runOf(file, async () => ((await import(pathToFileURL(file).href)) as { default: T }).default)
    : otherwise
}

/** The checks of a root's corpora, where it has code. */
const checksOf = async (code: Code | undefined): Promise<CorpusChecks | undefined> =>
  code === undefined ? undefined : partOf(code, 'checks', {})

/**
 * What the services of a root read of corpora. A file of its own, because the services themselves are not imported
 * where nothing is opened.
 */
const readsOf = async (folder: string, code: Code): Promise<NonNullable<LoadedRoot['reads']>> => ({
  file: relative(process.cwd(), join(folder, 'surfaces', 'corpora.ts')),
  corpora: await partOf(code, 'corpora', {})
})

const nameOf = (folder: string): string =>
  folder === standardFolder ? standardRoot : relative(process.cwd(), folder) || '.'

/**
 * Migrations are no part of `surfaces`: they run once, and are kept for ever. Compiled code whose source is gone is
 * none.
 */
function migrationsIn({ folder, package: packageName }: NamedRoot): readonly Migration[] {
  const code = codeOf(folder, 'migrations')
  if (code === undefined) return []
  const sources = join(folder, 'migrations')
  const isCompiled = code.folder !== sources && existsSync(sources)
  const isWritten = (file: string): boolean =>
    writtenEndings.some(written => existsSync(join(sources, relative(code.folder, file).replace(/\.js$/, written))))
  const files = filesBelow(code.folder, code.ending).filter(file => !isCompiled || isWritten(file))
  return readMigrations(files, packageName)
}

async function loadRoot(root: NamedRoot): Promise<LoadedRoot> {
  const { folder } = root
  const code = codeOf(folder, 'surfaces')
  const name = nameOf(folder)
  const table = new Map<string, HandlerModule['default']>()
  const files = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const { id, written, runnable } of handlerFiles(folder, code?.folder, code?.ending ?? ending)) {
    const shown = relative(process.cwd(), written)
    files.set(id, shown)
    if (runnable === undefined) {
      problems.push(reportFile(shown, 'H106', 'The file is not compiled yet.', 'Run `npm run build`.'))
      continue
    }
    const module = await importHandler(runnable).catch((error: unknown) => importProblem(shown, error))
    const problem = 'code' in module ? module : handlerProblem(shown, module.default)
    if (problem !== undefined) problems.push(problem)
    else if (!('code' in module)) table.set(id, module.default)
  }
  const checks = await checksOf(code)
  const extensions = code === undefined ? [] : await partOf<readonly DocumentExtension[]>(code, 'discovery', [])
  const openServices = code === undefined ? undefined : servicesOf(join(code.folder, `services${code.ending}`))
  const reads = code === undefined ? undefined : await readsOf(folder, code)
  return {
    name,
    folder,
    ...(checks === undefined ? {} : { checks }),
    ...(reads === undefined ? {} : { reads }),
    handlers: table,
    handlerFiles: files,
    extensions,
    problems,
    table,
    openServices,
    migrations: migrationsIn(root)
  }
}

/** The standard root and the named ones, in order. Without a name those of the project. */
export async function loadRoots(names: readonly string[]): Promise<readonly LoadedRoot[]> {
  return Promise.all([{ folder: standardFolder, package: undefined }, ...rootsNamed(names)].map(loadRoot))
}

/** What can be read of the named roots without their handlers. */
export async function contentRoots(
  names: readonly string[]
): Promise<readonly Pick<LoadedRoot, 'name' | 'folder' | 'checks'>[]> {
  return Promise.all(
    rootsNamed(names).map(async ({ folder }) => {
      const checks = await checksOf(codeOf(folder, 'surfaces'))
      return { name: nameOf(folder), folder, ...(checks === undefined ? {} : { checks }) }
    })
  )
}

/** The migrations of the named roots. */
export const migrationsOf = (names: readonly string[]): readonly Migration[] =>
  joinMigrations(rootsNamed(names).map(root => ({ name: nameOf(root.folder), migrations: migrationsIn(root) })))

/** Where the commands are that roots bring. */
export const commandFolders = (names: readonly string[]): readonly Code[] =>
  rootsNamed(names).flatMap(({ folder }) => codeOf(folder, join('surfaces', 'commands')) ?? [])

/**
 * The file of a root that exports a `defineHandler` of its own, as a path below the root. A file that cannot be
 * imported has none.
 */
export async function definerOf(root: string): Promise<string | undefined> {
  const code = codeOf(root, 'surfaces')
  if (code === undefined) return undefined
  for (const name of ['define', 'services']) {
    const file = join(code.folder, `${name}${code.ending}`)
    if (!existsSync(file)) continue
    const module = (await import(pathToFileURL(file).href).catch(() => ({}))) as Readonly<Record<string, unknown>>
    if (typeof module['defineHandler'] !== 'function') continue
    return ['.ts', '.js']
      .map(written => join('surfaces', `${name}${written}`))
      .find(written => existsSync(join(root, written)))
  }
  return undefined
}

/** All handlers of all roots in one table. */
export const joinTables = (roots: readonly LoadedRoot[]): HandlerTable<Services> =>
  new Map(roots.flatMap(root => [...root.table]))
