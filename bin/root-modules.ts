import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codeFile } from './compiled-registry.ts'
import { filesBelow, writtenEndings, type RootModules } from './handler-files.ts'

const idOf = (path: string): string =>
  path.slice(0, -(writtenEndings.find(ending => path.endsWith(ending)) ?? '').length).replaceAll('\\', '/')

const importFile = async (file: string, version = ''): Promise<unknown> =>
  (await import(pathToFileURL(file).href + version)) as unknown

/** The modules in a folder, each in a file of its own. */
export const codeInFiles = (folder: string, ending: '.ts' | '.js'): RootModules => ({
  folder,
  modules: new Map(
    existsSync(folder)
      ? filesBelow(folder, ending).map(file => [idOf(relative(folder, file)), { file, load: () => importFile(file) }])
      : []
  )
})

/** A bundle of modules: what each does when it runs is done when it is asked for, once, as if it were a file. */
type Bundle = Readonly<Record<string, () => unknown>>

/** The list of a root's bundled modules: the bundle that each written file is in. */
export const bundleList = 'modules.json'

/** The modules of a part of a root, such as `surfaces`, in the bundles of a folder. */
export function codeInBundles(folder: string, root: string, part: string): RootModules {
  const file = join(folder, bundleList)
  const bundles = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>) : {}
  // A process that has loaded the bundles of an earlier build loads those of this one beside them.
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
