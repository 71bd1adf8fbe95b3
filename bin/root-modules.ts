import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codeFile } from './compiled-registry.ts'
import { filesBelow, writtenEndings, type RootModules } from './handler-files.ts'

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
