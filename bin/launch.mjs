#!/usr/bin/env node
// `npx pantry` in a checkout. It is not an output of the build, so that it exists before the first build and keeps its
// file mode when `dist/` is deleted. The packed framework does not need it.
import { existsSync } from 'node:fs'

const program = new URL('../dist/bin/pantry.js', import.meta.url)

if (existsSync(program)) await import(program)
else {
  process.stderr.write('error: Pantry is not built here yet. Run `npm run build` first.\n')
  process.exitCode = 3
}
