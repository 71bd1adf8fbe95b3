#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { processIo } from './output/io.ts'
import { run } from './run.ts'

// `pantry list | head` closes the pipe early: that is no failure, and the exit code still tells what was found.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// Most functions of a command that ends run once: optimising them as eagerly as in a server takes a sixth of its processor time.
if (process.argv[2] !== 'serve') setFlagsFromString('--interrupt-budget=500000')

process.exitCode = await run(process.argv.slice(2), processIo())
