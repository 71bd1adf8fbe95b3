import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { bulkLimits } from '../../core/database/connection.ts'
import { startEmbedded, type EmbeddedServer } from '../../core/database/embedded.ts'
import { silent } from '../../core/database/log.ts'
import { openPool } from '../../core/database/pool.ts'

/** The embedded server on a folder, stopped when `t` ends. */
export async function startServer (t: Test, dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, log: silent })
  t.teardown(() => server.stop())
  return server
}

/** Runs one statement on a connection of its own. */
export async function query ({ connection }: Pick<EmbeddedServer, 'connection'>, sql: string): Promise<readonly Record<string, unknown>[]> {
  const knex = openPool(connection, bulkLimits, 1, silent)
  try {
    return (await knex.raw<{ rows: Record<string, unknown>[] }>(sql)).rows
  } finally {
    await knex.destroy()
  }
}

export type Elsewhere = Readonly<{ process: ChildProcess, serverPid: number, connection: EmbeddedServer['connection'] }>

/** Another process that runs the server on a folder, as an earlier Pantry did. */
export async function startElsewhere (t: Test, dataDir: string): Promise<Elsewhere> {
  const program = fileURLToPath(new URL('hold-embedded.ts', import.meta.url))
  const loaders = process.execArgv.filter(argument => argument.includes('typescript'))
  const child = spawn(process.execPath, [...loaders, program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line') as [string]
  const { serverPid, connection } = JSON.parse(line) as Omit<Elsewhere, 'process'>
  return { process: child, serverPid, connection }
}
