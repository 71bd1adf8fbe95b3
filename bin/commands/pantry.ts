#!/usr/bin/env node
import { writeSync } from 'node:fs'
import { exitStatusOf } from '../faults.ts'
import { processIo } from '../io.ts'
import { run } from './run.ts'
import { enableSourceMaps } from '../stack-traces.ts'
import { unsettled } from '../waits.ts'

enableSourceMaps()

// `pantry list | head` closes the pipe early. That is no failure, so the error is ignored and the exit code kept.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

// Node ends with 13 where nothing is left to run, and what is awaited below has not come.
process.once('exit', () => {
  if (process.exitCode !== 13) return
  const ending = exitStatusOf(unsettled())
  writeSync(process.stderr.fd, `${ending.text}\n`)
  process.exitCode = ending.code
})

process.exitCode = await run(process.argv.slice(2), processIo())

/** How long what a root has left open, such as a socket, may keep a command that failed. */
const heldMs = 500
function endOnceWritten(): void {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
  setTimeout(endOnceWritten, heldMs).unref()
}
if (process.exitCode !== 0) setTimeout(endOnceWritten, heldMs).unref()
