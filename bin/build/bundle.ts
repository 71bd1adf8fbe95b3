import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
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

/**
 * Makes bundles in a folder, each of what its first module needs. A module is in one file only, so that all that is
 * loaded shares it. What was in the folder before, and no build of this bundler or the one before made, is removed.
 */
export async function openBundler(
  folder: string,
  entries: Readonly<Record<string, string>>,
  { packages, withSources }: Bundling,
  plugins: readonly Plugin[] = []
): Promise<Bundler> {
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
    metafile: true
  })
  let before: readonly string[] = []
  return {
    make: async () => {
      const { metafile } = await opened.rebuild().catch((error: unknown) => {
        throw mistakesIn(error) ?? error
      })
      const made = Object.keys(metafile.outputs).map(file => resolve(file))
      mkdirSync(folder, { recursive: true })
      // Code that runs may still load a part of the build before.
      const kept = new Set([...made, ...before])
      for (const file of filesBelow(folder, '')) if (!kept.has(file)) rmSync(file)
      const hash = createHash('sha256')
      const code = new Map(
        made
          .filter(file => file.endsWith('.js'))
          .sort()
          .map(file => [file, readFileSync(file, 'utf8')])
      )
      for (const [file, text] of code) hash.update(`${relative(folder, file)}\0`).update(text)
      const digest = hash.digest('hex')
      writeFileSync(join(folder, codeFile), `${digest}\n`)
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
