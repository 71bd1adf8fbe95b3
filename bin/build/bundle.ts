import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type * as Esbuild from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { OperatorFault } from '../../core/database/fault.ts'
import { codeFile } from '../compiled-registry.ts'
import { FindingsError } from '../io.ts'
import { packageFolder } from '../project.ts'
import { filesBelow } from '../root-modules.ts'

/**
 * `packages`: bundle npm packages, so that a start reads few files, or leave them to be installed. `withSources`:
 * include source texts in the source maps.
 */
export type Bundling = Readonly<{ packages: 'inside' | 'outside'; withSources: boolean }>

const readers = ['hyparquet', 'hyparquet/*', 'hyparquet-compressors', 'sql.js', 'read-excel-file/*', '@babel/parser']
/**
 * Packages that are never bundled: `pantry` and Preact, of which all loaded code must share one copy, compilers, and
 * optional readers of files.
 */
const outside = ['pantry', 'pantry/*', 'preact', 'preact/*', 'esbuild', 'typescript', ...readers]

/** esbuild is installed only where code is built, not where it is served. */
async function esbuild(): Promise<typeof Esbuild> {
  try {
    return await import('esbuild')
  } catch (error) {
    throw new OperatorFault(
      'O406',
      'The package `esbuild`, which bundles code, cannot be loaded.',
      'Run: npm install --save-dev esbuild',
      error
    )
  }
}

/** Returns the errors of a failed build with their positions; `undefined` for any other error. */
function mistakesIn(error: unknown): FindingsError | undefined {
  if (!(error instanceof Error && 'errors' in error)) return undefined
  const found = (error as Esbuild.BuildFailure).errors.map(({ text, location }) =>
    location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`
  )
  return new FindingsError(found.join('\n'))
}

/**
 * Leaves a package external that a `require` or a dynamic import names and that cannot be resolved, such as a database
 * driver that is loaded in a try block.
 */
const missingOutside: Plugin = {
  name: 'missing-outside',
  setup(build) {
    const asked = {}
    build.onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === asked || from.kind === 'import-statement' || from.kind === 'entry-point') return undefined
      const found = await build.resolve(path, {
        importer: from.importer,
        resolveDir: from.resolveDir,
        kind: from.kind,
        pluginData: asked
      })
      return found.errors.length > 0 ? { path, external: true } : found
    })
  }
}

/**
 * `code`: the text of each `.js` file by its path. `digest`: SHA-256 over their names and texts, in lowercase
 * hexadecimal.
 */
type Made = Readonly<{ metafile: Metafile; code: ReadonlyMap<string, string>; digest: string }>

/** Builds when `make` is called, and again after each edit, until `close`. */
export type Bundler = Readonly<{ make: () => Promise<Made>; close: () => Promise<void> }>

/** Replaces a file in one step: concurrent readers see the old text or the new one, never a part. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/**
 * Opens a bundler that writes one bundle per entry to a folder; modules that several use go to shared files, so that
 * each is loaded once. If the code cannot be bundled the folder is not changed. Code files that neither this build nor
 * the one before wrote are deleted.
 */
export async function openBundler(
  into: string,
  entries: Readonly<Record<string, string>>,
  { packages, withSources }: Bundling,
  plugins: readonly Plugin[] = []
): Promise<Bundler> {
  const folder = resolve(into)
  const { context } = await esbuild()
  const opened = await context({
    entryPoints: Object.entries(entries).map(([out, from]) => ({ in: from, out })),
    outdir: folder,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: withSources,
    // Bundled CommonJS code calls `require` for Node.js modules.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);'
    },
    ...(packages === 'outside' ? { packages: 'external' } : { external: outside }),
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
    plugins: packages === 'outside' ? [...plugins] : [...plugins, missingOutside],
    logLevel: 'silent',
    metafile: true,
    // If esbuild wrote the files, an error would delete those of the previous build.
    write: false
  })
  /** The files that the last build wrote, with their hashes. */
  let before: ReadonlyMap<string, string> = new Map()
  return {
    make: async () => {
      const { metafile, outputFiles } = await opened.rebuild().catch((error: unknown) => {
        throw mistakesIn(error) ?? error
      })
      const code = new Map(
        outputFiles
          .filter(({ path }) => path.endsWith('.js'))
          .map(({ path, text }): [string, string] => [path, text])
          .sort(([a], [b]) => (a < b ? -1 : 1))
      )
      for (const { path, hash, contents } of outputFiles) {
        if (before.get(path) === hash && existsSync(path)) continue
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, contents)
      }
      mkdirSync(folder, { recursive: true })
      const made = new Map(outputFiles.map(({ path, hash }) => [path, hash]))
      // Running code may still load the files of the previous build.
      for (const file of ['.js', '.js.map'].flatMap(ending => filesBelow(folder, ending)))
        if (!made.has(file) && !before.has(file)) rmSync(file)
      const hashed = createHash('sha256')
      for (const [file, text] of code) hashed.update(`${relative(folder, file)}\0`).update(text)
      const digest = hashed.digest('hex')
      replaceFile(join(folder, codeFile), `${digest}\n`)
      before = made
      return { metafile, code, digest }
    },
    close: async () => {
      await opened.dispose()
    }
  }
}

async function bundle(...given: Parameters<typeof openBundler>): Promise<Metafile> {
  const bundler = await openBundler(...given)
  try {
    return (await bundler.make()).metafile
  } finally {
    await bundler.close()
  }
}

/** Writes the runtime of typed clients, which is copied into each of them, as a module that imports nothing. */
async function writeClientRuntime(folder: string): Promise<void> {
  const source = readFileSync(join(packageFolder, 'bin', 'client', 'runtime.ts'), 'utf8')
  const { code } = await (await esbuild()).transform(source, { loader: 'ts', target: 'es2022' })
  mkdirSync(join(folder, 'client'), { recursive: true })
  writeFileSync(join(folder, 'client', 'runtime.js'), code)
}

/** Bundles a program into one file that needs no package. */
export async function bundleProgram(from: string, into: string): Promise<void> {
  const { build } = await esbuild()
  await build({
    entryPoints: [join(packageFolder, 'bin', from)],
    outfile: into,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent'
  })
}

/**
 * Bundles the framework's programs and its public modules (`bin/door/`) into a folder, and `more` programs, by their
 * files below `bin/`.
 */
export async function bundleFramework(folder: string, how: Bundling, more: readonly string[] = []): Promise<Metafile> {
  const doors = readdirSync(join(packageFolder, 'bin', 'door'))
    .filter(file => file.endsWith('.ts'))
    .map(file => `door/${file}`)
  const programs = ['commands/pantry.ts', 'workers/main.ts', 'dev/worker.ts', 'load/file-reader.ts', 'build/project.ts']
  const files = [...programs, ...doors, ...more]
  // `commands/pantry.ts` becomes `dist/bin/pantry.js`.
  const nameOf = (file: string): string => file.replace(/^commands\/|\.ts$/g, '')
  const metafile = await bundle(
    folder,
    Object.fromEntries(files.map(file => [nameOf(file), join(packageFolder, 'bin', file)])),
    how
  )
  await writeClientRuntime(folder)
  return metafile
}
