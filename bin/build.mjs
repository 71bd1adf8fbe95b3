// `npm run build`: bundles the build program and runs it, so that it works where nothing is compiled yet.
import { existsSync } from 'node:fs'
import { build } from 'esbuild'

const program = new URL('../dist/bin/build.js', import.meta.url)
// The first build delays the first `npm start`, which would say nothing meanwhile.
const isFirst = !existsSync(new URL('../dist/bin/pantry.js', import.meta.url))
const startedAt = performance.now()
if (isFirst) process.stderr.write('building Pantry, once ...\n')
await build({
  entryPoints: [`${import.meta.dirname}/release/build.ts`],
  outfile: program.pathname,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  logLevel: 'error'
})
await import(program)
if (isFirst) process.stderr.write(`built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
