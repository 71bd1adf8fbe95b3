#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create } from './create.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')) as { version: string }

process.exitCode = await create(process.argv.slice(2), {
  cwd: process.cwd(),
  env: process.env,
  version,
  input: process.stdin,
  output: process.stderr,
  isTerminal: process.stdin.isTTY && process.stderr.isTTY
})
