import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { filesBelow, writtenEndings } from '../handler-files.ts'
import { FindingsError } from '../output/exit.ts'
import { bundleList } from '../root-modules.ts'
import { bundle, type Bundling } from './bundle.ts'

/**
 * The bundles of a root: what is loaded at once is in one. Each has the modules that the framework asks for, by their
 * files or folders without endings.
 */
const bundles = {
  commands: ['surfaces/commands'],
  content: ['surfaces/checks', 'surfaces/corpora', 'surfaces/define', 'surfaces/discovery', 'surfaces/settings'],
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
const tables = (root: string, files: ReadonlyMap<string, readonly string[]>): Plugin => ({
  name: 'tables',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${namespace}:`) }, ({ path }) => ({
      namespace,
      path: path.slice(namespace.length + 1)
    }))
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `export default {\n${(files.get(path) ?? []).map(file => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)})`).join(',\n')}\n}`,
      resolveDir: root
    }))
  }
})

/**
 * The wrapper that a bundle has around a module that awaits at its top level, or imports one: what it imports comes
 * first.
 */
const awaiting = /^ {2}async "([^"]+)"\(\) \{$/m

/** Bundles the code of a root into a folder. */
export async function bundleRoot(root: string, folder: string, how: Bundling): Promise<void> {
  const files = new Map(
    Object.entries(bundles)
      .map(([name, paths]): [string, string[]] => [name, paths.flatMap(path => writtenAt(root, path))])
      .filter(([, found]) => found.length > 0)
  )
  const { outputs } = await bundle(
    folder,
    Object.fromEntries([...files.keys()].map(name => [name, `${namespace}:${name}`])),
    how,
    [tables(root, files)]
  )
  const late = Object.keys(outputs)
    .filter(file => file.endsWith('.js'))
    .flatMap(file => awaiting.exec(readFileSync(file, 'utf8'))?.[1] ?? [])
  if (late.length > 0)
    throw new FindingsError(
      `${late[0]}: a module that awaits at its top level cannot be bundled, because each is run when it is asked for. Await in a function.`
    )
  writeFileSync(
    join(folder, bundleList),
    `${JSON.stringify(Object.fromEntries([...files].flatMap(([name, found]) => found.map(file => [file, name]))), null, 1)}\n`
  )
}
