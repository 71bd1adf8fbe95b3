import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { startEmbedded, type EmbeddedServer } from '../../core/database/embedded.ts'
import { openPool } from '../../core/database/pool.ts'
import { program } from './program.ts'

/** The embedded server on a folder, stopped when `t` ends. */
export async function startServer(t: Test, dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log: silent })
  t.teardown(() => server.stop())
  return server
}

/** Runs one statement on a connection of its own. */
export async function query(
  { connection }: Pick<EmbeddedServer, 'connection'>,
  sql: string
): Promise<readonly Record<string, unknown>[]> {
  const knex = openPool(connection, bulkLimits, 1, silent)
  try {
    return (await knex.raw<{ rows: Record<string, unknown>[] }>(sql)).rows
  } finally {
    await knex.destroy()
  }
}

export type Elsewhere = Readonly<{ process: ChildProcess; serverPid: number; connection: EmbeddedServer['connection'] }>

/**
 * Another process that runs the server on a folder, as an earlier Pantry did. `inside` is a command that runs it
 * somewhere else, such as in a container.
 */
function spawnHolder(
  t: Test,
  dataDir: string,
  inside: readonly string[],
  env: NodeJS.ProcessEnv,
  stderr: 'inherit' | 'pipe'
): ChildProcess {
  const [command = process.execPath, ...args]: readonly string[] = [
    ...inside,
    process.execPath,
    ...program('test/support/hold-embedded'),
    dataDir
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', stderr], env: { ...process.env, ...env } })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

export async function startElsewhere(t: Test, dataDir: string): Promise<Elsewhere> {
  const child = spawnHolder(t, dataDir, [], {}, 'inherit')
  const [line] = (await once(createInterface({ input: child.stdout ?? Readable.from([]) }), 'line')) as [string]
  const { serverPid, connection } = JSON.parse(line) as Omit<Elsewhere, 'process'>
  return { process: child, serverPid, connection }
}

/** What a start says that is refused. Rejects when it is not. */
export async function refusedElsewhere(
  t: Test,
  dataDir: string,
  inside: readonly string[],
  env: NodeJS.ProcessEnv = {}
): Promise<string> {
  const child = spawnHolder(t, dataDir, inside, env, 'pipe')
  let words = ''
  child.stderr?.on('data', chunk => {
    words += String(chunk)
  })
  const started = once(child.stdout ?? child, 'data').then(() => {
    throw new Error('It was started.')
  })
  const ended = once(child, 'close').then(([code]) => {
    if (code === 0) throw new Error('It ended without an error.')
  })
  await Promise.race([ended, started])
  started.catch(() => undefined)
  return words
}
