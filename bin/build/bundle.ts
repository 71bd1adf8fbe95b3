import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'
import { filesBelow } from '../handler-files.ts'

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
  const { build } = await import('esbuild')
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
    logLevel: 'error',
    metafile: true
  })
  const made = new Set(Object.keys(metafile.outputs).map(file => resolve(file)))
  for (const file of filesBelow(folder, '')) if (!made.has(file)) rmSync(file)
  return metafile
}
