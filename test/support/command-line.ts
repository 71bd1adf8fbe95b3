import { EventEmitter } from 'node:events'
import { cpSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Io } from '../../bin/io.ts'
import { packageFolder } from '../../bin/roots.ts'
import { run } from '../../bin/commands/run.ts'

/** A small root without code: six surfaces, two corpora. */
export const library = relative(process.cwd(), join(packageFolder, 'test', 'fixture', 'library'))

export type Outcome = Readonly<{ code: number; stdout: string; stderr: string }>

/** Streams that are no terminals, and what was written to them. */
export function capture(env: Io['env'] = {}): Readonly<{ io: Io; stdout: () => string; stderr: () => string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const chunks: [Buffer[], Buffer[]] = [[], []]
  stdout.on('data', (chunk: Buffer) => {
    chunks[0].push(chunk)
  })
  stderr.on('data', (chunk: Buffer) => {
    chunks[1].push(chunk)
  })
  const io = { stdout, stderr, env, signals: new EventEmitter(), exit: () => undefined } as unknown as Io
  return { io, stdout: () => Buffer.concat(chunks[0]).toString(), stderr: () => Buffer.concat(chunks[1]).toString() }
}

/** Runs one command line in this process. */
export async function pantry(args: readonly string[], env: Io['env'] = {}): Promise<Outcome> {
  const { io, stdout, stderr } = capture(env)
  const code = await run(args, io)
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  return { code, stdout: stdout(), stderr: stderr() }
}

/** A copy of the library in a folder that may be changed. */
export function libraryIn(folder: string): string {
  cpSync(library, folder, { recursive: true })
  return relative(process.cwd(), folder)
}
