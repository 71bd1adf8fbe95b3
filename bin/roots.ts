import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Handler, HandlerTable } from '../core/handler/handler.ts'
import type { CorpusChecks } from '../core/corpus/check.ts'
import type { OpenServices } from '../core/handler/root-services.ts'
import type { Diagnostic } from '../core/diagnostics/diagnostic.ts'
import { handlerProblem, importProblem } from '../core/registry/handler-problem.ts'
import type { DocumentExtension } from '../core/registry/extension.ts'
import type { Root } from '../core/registry/load.ts'
import { standardRoot } from '../core/registry/root.ts'
import { reportFile } from '../core/source/report.ts'
import { UsageError } from './config.ts'
import { filesBelow, handlerFiles } from './handler-files.ts'

/** Services are known to their own root only; here they are values that are passed on. */
export type Services = Readonly<Record<string, unknown>>

export type LoadedRoot = Root & Readonly<{ table: HandlerTable<Services>, openServices: OpenServices | undefined }>

const here = fileURLToPath(import.meta.url)
const ending = here.endsWith('.ts') ? '.ts' : '.js'
/** Folder of the running code: the project itself, or its `dist`. */
const codeFolder = resolve(dirname(here), '..')
/** Folder of the project: where package.json stands. */
export const packageFolder = existsSync(join(codeFolder, 'package.json')) ? codeFolder : resolve(codeFolder, '..')

/** The framework's own root: the discovery documents every service gets. */
const standardFolder = join(packageFolder, 'core', 'standard')

/** Where the code of a root lies that this process can run: beside its manifests, or compiled in `dist`. */
function codeOf (folder: string): string | undefined {
  const places = folder === packageFolder ? [join(codeFolder, 'surfaces')] : [join(folder, 'surfaces'), join(folder, 'dist', 'surfaces')]
  return places.find(place => existsSync(place) && filesBelow(place, ending).length > 0)
}

const importHandler = async (file: string): Promise<{ default: Handler<Services> }> => await import(pathToFileURL(file).href) as { default: Handler<Services> }

/** Imported when it is opened: what only reads manifests needs no database driver. */
const servicesOf = (file: string): OpenServices | undefined => existsSync(file)
  ? async given => (await import(pathToFileURL(file).href) as { default: OpenServices }).default(given)
  : undefined

/** The default export of a file of a root's code that is no handler, where there is one. */
async function partOf<T> (code: string, name: string, otherwise: T): Promise<T> {
  const file = join(code, `${name}${ending}`)
  return existsSync(file) ? (await import(pathToFileURL(file).href) as { default: T }).default : otherwise
}

/** The checks of a root's corpora, where it has code. */
const checksOf = async (code: string | undefined): Promise<CorpusChecks | undefined> => code === undefined ? undefined : partOf(code, 'checks', {})

const nameOf = (folder: string): string => folder === standardFolder ? standardRoot : relative(process.cwd(), folder) || '.'

async function loadRoot (folder: string): Promise<LoadedRoot> {
  const code = codeOf(folder)
  const name = nameOf(folder)
  const table = new Map<string, Handler<Services>>()
  const files = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const { id, written, runnable } of handlerFiles(folder, code, ending)) {
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
  const openServices = code === undefined ? undefined : servicesOf(join(code, `services${ending}`))
  return { name, folder, ...(checks === undefined ? {} : { checks }), handlers: table, handlerFiles: files, extensions, problems, table, openServices }
}

const namedFolders = (names: readonly string[]): readonly string[] => (names.length === 0 ? [packageFolder] : names).map(rootFolder)

/** The standard root and the named ones, in order. Without a name the project itself is the root. */
export async function loadRoots (names: readonly string[]): Promise<readonly LoadedRoot[]> {
  return Promise.all([standardFolder, ...namedFolders(names)].map(loadRoot))
}

/** What can be read of the named roots without their handlers. */
export async function contentRoots (names: readonly string[]): Promise<readonly Pick<LoadedRoot, 'name' | 'folder' | 'checks'>[]> {
  return Promise.all(namedFolders(names).map(async folder => {
    const checks = await checksOf(codeOf(folder))
    return { name: nameOf(folder), folder, ...(checks === undefined ? {} : { checks }) }
  }))
}

/** A root is named by its folder, or by the name of an installed package. */
function rootFolder (name: string): string {
  const folders = [resolve(name), join(packageFolder, 'node_modules', name), join(process.cwd(), 'node_modules', name)]
  const found = folders.find(folder => existsSync(join(folder, 'manifests')))
  if (found === undefined) throw new UsageError(`There is no root \`${name}\`: neither a folder with \`manifests/\` nor an installed package with one.`)
  return found
}

/** All handlers of all roots in one table. */
export const joinTables = (roots: readonly LoadedRoot[]): HandlerTable<Services> => new Map(roots.flatMap(root => [...root.table]))
