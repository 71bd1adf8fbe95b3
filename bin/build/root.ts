import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'
import { filesBelow, writtenEndings } from '../handler-files.ts'
import { FindingsError } from '../output/exit.ts'
import { bundleList } from '../root-modules.ts'
import { openBundler, replaceFile, type Bundler, type Bundling } from './bundle.ts'

/**
 * The bundles of a root: what is loaded at once is in one. Each has the modules that the framework asks for, by their
 * files or folders without endings.
 */
const bundles = {
  commands: ['surfaces/commands'],
  content: [
    'surfaces/checks',
    'surfaces/corpora',
    'surfaces/define',
    'surfaces/discovery',
    'surfaces/hooks',
    'surfaces/settings'
  ],
  handlers: ['surfaces/handlers'],
  migrations: ['migrations'],
  services: ['surfaces/services']
}

/** The files of a root that are written at a path without an ending, or below it. */
const writtenAt = (root: string, path: string): string[] =>
  [
    ...writtenEndings.map(ending => join(root, `${path}${ending}`)).filter(file => existsSync(file)),
    ...(existsSync(join(root, path)) ? writtenEndings.flatMap(ending => filesBelow(join(root, path), ending)) : [])
  ]
    .map(file => relative(root, file).replaceAll('\\', '/'))
    .sort()

const namespace = 'root'

/**
 * The first module of each bundle: a table by file of functions that run a module when they are first called, so that
 * one that throws takes no other down.
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
 * The wrapper that a bundle has around a module that awaits at its top level, or imports one: what it imports comes
 * first.
 */
const awaiting = /^ {2}async "([^"]+)"\(\) \{$/m

/** The written files of each bundle of a root that has some. */
const filesOf = (root: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(bundles)
      .map(([name, paths]): [string, string[]] => [name, paths.flatMap(path => writtenAt(root, path))])
      .filter(([, found]) => found.length > 0)
  )

/** Each file that was read, with those that it imports, as absolute paths; without the first modules. */
const importsIn = ({ inputs }: Metafile): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(inputs).flatMap(([file, { imports }]) =>
      file.startsWith(`${namespace}:`)
        ? []
        : [[resolve(file), imports.filter(({ external }) => external !== true).map(({ path }) => resolve(path))]]
    )
  )

/** The bundles of a root, which can be made again after an edit. */
export type RootBundler = Readonly<{
  /**
   * Makes them of what is written now; resolves to a digest of them, and to each file that they are made of, with those
   * that it imports.
   */
  make: () => Promise<Readonly<{ digest: string; imports: ReadonlyMap<string, readonly string[]> }>>
  close: () => Promise<void>
}>

/** Bundles the code of a root into a folder, as often as it is asked to. */
export function openRootBundler(root: string, folder: string, how: Bundling): RootBundler {
  let files: ReadonlyMap<string, readonly string[]> = new Map()
  let opened: Readonly<{ names: string; bundler: Bundler }> | undefined
  const close = async (): Promise<void> => {
    await opened?.bundler.close()
    opened = undefined
  }
  /** One bundler, as long as there are the same bundles. */
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
      files = filesOf(root)
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
      return { digest, imports: importsIn(metafile) }
    }
  }
}

/** Bundles the code of a root into a folder once. */
export async function bundleRoot(...given: Parameters<typeof openRootBundler>): Promise<void> {
  const bundler = openRootBundler(...given)
  try {
    await bundler.make()
  } finally {
    await bundler.close()
  }
}
