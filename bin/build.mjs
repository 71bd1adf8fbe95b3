// `npm run build`: bundles the build program and runs it, so that it works where nothing is compiled yet.
import { build } from 'esbuild'

const program = new URL('../dist/bin/build.js', import.meta.url)
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
