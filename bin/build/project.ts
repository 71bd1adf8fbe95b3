import { join, resolve } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'
import type { BuildCache } from '../../core/source/compiled.ts'
import { bundledFiles, recordSources } from '../built-sources.ts'
import { recordCompiled } from '../compiled-registry.ts'
import { FindingsError } from '../io.ts'
import { readRegistry } from '../read-registry.ts'
import { bundleList } from '../root-modules.ts'
import { bundleFolder, loadRoots } from '../roots.ts'
import { openBundler, replaceFile, type Bundler, type Bundling } from './bundle.ts'

const namespace = 'root'

/**
 * Generates the entry module of each bundle: each file with a function that loads it, so that a module that throws does
 * not affect the others.
 */
const tables = (root: string, filesOf: (bundle: string) => readonly string[]): Plugin => ({
  name: 'tables',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
      namespace,
      path: path.slice(namespace.length + 1)
    }))
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `export default {\n${filesOf(path)
        .map(file => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)})`)
        .join(',\n')}\n}`,
      resolveDir: root
    }))
  }
})

/**
 * Matches the wrapper in a bundle around a module that uses top-level await or imports one that does; the innermost
 * comes first.
 */
const awaiting = /^ {2}async "([^"]+)"\(\) \{$/m

/** Returns each bundled file with the files that it imports, as absolute paths. */
const importsIn = ({ inputs }: Metafile): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(inputs).flatMap(([file, { imports }]) =>
      file.startsWith(`${namespace}:`)
        ? []
        : [[resolve(file), imports.filter(({ external }) => external !== true).map(({ path }) => resolve(path))]]
    )
  )

/** Bundles a root when `make` is called, and again after each edit, until `close`. */
export type RootBundler = Readonly<{
  /** `imports`: each bundled file with the files that it imports. */
  make: () => Promise<Readonly<{ digest: string; imports: ReadonlyMap<string, readonly string[]> }>>
  close: () => Promise<void>
}>

export function openRootBundler(root: string, folder: string, how: Bundling): RootBundler {
  let files: ReadonlyMap<string, readonly string[]> = new Map()
  let opened: Readonly<{ names: string; bundler: Bundler }> | undefined
  const close = async (): Promise<void> => {
    await opened?.bundler.close()
    opened = undefined
  }
  /** Opens a new bundler if the set of bundles has changed. */
  const bundlerOf = async (names: string): Promise<Bundler> => {
    if (opened?.names === names) return opened.bundler
    await close()
    const entries = Object.fromEntries([...files.keys()].map(name => [name, `${namespace}:${name}`]))
    const bundler = await openBundler(folder, entries, how, [tables(root, name => files.get(name) ?? [])])
    opened = { names, bundler }
    return bundler
  }
  return {
    close,
    make: async () => {
      const startedAt = new Date()
      files = bundledFiles(root)
      const { metafile, code, digest } = await (await bundlerOf([...files.keys()].join())).make()
      const late = [...code.values()].flatMap(text => awaiting.exec(text)?.[1] ?? [])
      if (late.length > 0)
        throw new FindingsError(
          `${late[0]}: a module that awaits at its top level cannot be bundled, because each is run when it is asked for. Await in a function.`
        )
      replaceFile(
        join(folder, bundleList),
        `${JSON.stringify(Object.fromEntries([...files].flatMap(([name, found]) => found.map(file => [file, name]))), null, 1)}\n`
      )
      const imports = importsIn(metafile)
      recordSources(folder, root, [...imports.keys()], startedAt)
      return { digest, imports }
    }
  }
}

export async function bundleRoot(...given: Parameters<typeof openRootBundler>): Promise<void> {
  const bundler = openRootBundler(...given)
  try {
    await bundler.make()
  } finally {
    await bundler.close()
  }
}

export const bundleRoots = async (folders: readonly string[], how: Bundling): Promise<void> => {
  for (const folder of folders) await bundleRoot(folder, bundleFolder(folder), how)
}

/** A record without any entry, so that everything is compiled again. */
const emptyCompiled: BuildCache = { take: () => undefined }

/**
 * Reads the named roots from their bundles and saves the compiled registries of `folders`. Mistakes are left to `pantry
 * validate`.
 */
export async function compileRoots(names: readonly string[], folders: readonly string[]): Promise<void> {
  const records = new Map(folders.map(folder => [folder, recordCompiled(bundleFolder(folder))]))
  const roots = await loadRoots(names)
  readRegistry(roots.map(root => ({ ...root, compiled: records.get(root.folder)?.compiled ?? emptyCompiled })))
  for (const { write } of records.values()) write()
}
