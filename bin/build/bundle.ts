import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type * as Esbuild from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { codeFile } from '../compiled-registry.ts'
import { filesBelow } from '../handler-files.ts'
import { FindingsError } from '../output/exit.ts'

/**
 * How code is bundled: `packages` may come along, so that a start reads few files, or stay what an install brings;
 * `withSources` puts the texts of sources into the maps.
 */
export type Bundling = Readonly<{ packages: 'inside' | 'outside'; withSources: boolean }>

/**
 * What stays outside in any case: one copy of what a root names of the framework, and of the elements of views, is
 * shared by all that is loaded; the compilers are programs.
 */
const outside = ['pantry', 'pantry/*', 'preact', 'preact/*', 'esbuild', 'typescript']

class NoBundler extends Error {
  readonly fix = 'Run: npm install --save-dev esbuild'
}

/** Whoever builds installs it; what serves needs none. */
async function esbuild(): Promise<typeof Esbuild> {
  try {
    return await import('esbuild')
  } catch (error) {
    throw new NoBundler('The package `esbuild` cannot be loaded.', { cause: error })
  }
}

/** What is wrong with the code, each with its place; `undefined` for a fault of another kind. */
function mistakesIn(error: unknown): FindingsError | undefined {
  if (!(error instanceof Error && 'errors' in error)) return undefined
  const found = (error as Esbuild.BuildFailure).errors.map(({ text, location }) =>
    location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`
  )
  return new FindingsError(found.join('\n'))
}

/**
 * A package that is asked for where it may be missing, such as the driver of another database, stays outside where it
 * is.
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

/** What was made: what it was made of, the code by its files, and a digest of the code, in lowercase hex digits. */
type Made = Readonly<{ metafile: Metafile; code: ReadonlyMap<string, string>; digest: string }>

/** Bundles in a folder that can be made again after an edit. */
export type Bundler = Readonly<{ make: () => Promise<Made>; close: () => Promise<void> }>

/** Whoever reads meanwhile finds the old one or the new one. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/**
 * Makes bundles in a folder, each of what its first module needs. A module is in one file only, so that all that is
 * loaded shares it. Code that cannot be bundled changes nothing in the folder. Code that was there before, and that
 * neither this build nor the one before made, is removed.
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
    // What is written in CommonJS asks for modules of Node.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);'
    },
    ...(packages === 'outside' ? { packages: 'external' } : { external: outside }),
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
    plugins: packages === 'outside' ? [...plugins] : [...plugins, missingOutside],
    logLevel: 'silent',
    metafile: true,
    // When it writes itself, a mistake removes what the build before made.
    write: false
  })
  /** What the last build made, and what it wrote, by a hash of each file. */
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
      // Code that runs may still load a part of the build before.
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

/** Makes bundles in a folder once. */
export async function bundle(...given: Parameters<typeof openBundler>): Promise<Metafile> {
  const bundler = await openBundler(...given)
  try {
    return (await bundler.make()).metafile
  } finally {
    await bundler.close()
  }
}
