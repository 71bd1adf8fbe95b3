#!/usr/bin/env node
import { processIo } from '../io.ts'
import { run } from './run.ts'
import { enableSourceMaps } from '../stack-traces.ts'

enableSourceMaps()

// `pantry list | head` closes the pipe early. That is no failure, so the error is ignored and the exit code kept.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await run(process.argv.slice(2), processIo())
