#!/usr/bin/env node
// `npx pantry` in a checkout. It is no output of the build, so it is there before the first one, and keeps its mode
// when `dist/` is removed. The packed framework does not need it.
import { existsSync } from 'node:fs'

const program = new URL('../dist/bin/pantry.js', import.meta.url)

if (existsSync(program)) await import(program)
else {
  process.stderr.write('error: Pantry is not built here yet. Run `npm run build` first.\n')
  process.exitCode = 3
}
