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

/**
 * Makes bundles in a folder, each of what its first module needs. A module is in one file only, so that all that is
 * loaded shares it. What earlier builds left in the folder is removed.
 */
export async function bundle(
  folder: string,
  entries: Readonly<Record<string, string>>,
  { packages, withSources }: Bundling,
  plugins: readonly Plugin[] = []
): Promise<Metafile> {
  const { build } = await esbuild()
  const { metafile } = await build({
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
    plugins: [...plugins, missingOutside],
    logLevel: 'silent',
    metafile: true
  }).catch((error: unknown) => {
    throw mistakesIn(error) ?? error
  })
  const made = new Set(Object.keys(metafile.outputs).map(file => resolve(file)))
  mkdirSync(folder, { recursive: true })
  for (const file of filesBelow(folder, '')) if (!made.has(file)) rmSync(file)
  const digest = createHash('sha256')
  for (const file of filesBelow(folder, '.js')) digest.update(`${relative(folder, file)}\0`).update(readFileSync(file))
  writeFileSync(join(folder, codeFile), `${digest.digest('hex')}\n`)
  return metafile
}
