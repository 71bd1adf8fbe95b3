import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { bulkLimits, silent } from '../../core/database/connection.ts'
import { startEmbedded } from '../../core/database/embedded.ts'
import { openPool } from '../../core/database/pool.ts'
import { packageFolder } from '../../bin/roots.ts'
import { eventually } from '../support/eventually.ts'
import { program } from '../support/program.ts'
import type { Held } from './watched.ts'

export type Watched = Readonly<{
  port: number
  held: () => Promise<Held & { databaseConnections: number }>
  /** Lines of its log above `warn`. */
  complaints: readonly string[]
  /** Asks it to end, and answers with its exit code. */
  stop: () => Promise<number | null>
}>

/** What the unit for systemd says to the allocator of memory. */
const unit = readFileSync(join(packageFolder, 'bin/deploy/pantry.service'), 'utf8')
const allocator: Readonly<Record<string, string>> = Object.fromEntries(
  [...unit.matchAll(/(MALLOC_\w+)=(\d+)/g)].map(([, name = '', value = '']) => [name, value])
)

/**
 * `pantry serve` over the bundled cards, which an earlier start loaded, in a process of its own beside a database of
 * its own, ready to answer.
 */
export async function watchedService(say: (text: string) => void): Promise<Watched> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pantry-endurance-')))
  chmodSync(folder, 0o755)
  say('starting PostgreSQL, and Pantry, which loads the bundled cards')
  const server = await startEmbedded({ dataDir: folder, log: silent })
  const { host, port: databasePort, user, database } = server.connection
  const pool = openPool(server.connection, bulkLimits, 1, silent)
  const preload = pathToFileURL(join(import.meta.dirname, `watched${extname(import.meta.filename)}`)).href
  const complaints: string[] = []
  const start = async (): Promise<{ child: ChildProcess; port: number; stop: () => Promise<number | null> }> => {
    const child = spawn(process.execPath, ['--import', preload, ...program('bin/commands/pantry'), 'serve'], {
      env: {
        ...process.env,
        ...allocator,
        NODE_ENV: 'production',
        PORT: '0',
        LOG_LEVEL: 'warn',
        PANTRY_DATA_DIR: join(folder, 'service'),
        DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}:${databasePort}/${database}`
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    createInterface({ input: child.stderr! }).on('line', line => {
      if (/"level":"(?:warn|error|fatal)"/.test(line)) complaints.push(line)
    })
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
    const port = Number(new URL(line.replace('listening on ', '')).port)
    await eventually(async () => {
      if (!(await fetch(`http://127.0.0.1:${port}/readyz`)).ok) throw new Error('not ready')
    })
    return {
      child,
      port,
      async stop() {
        if (child.exitCode !== null) return child.exitCode
        const ended = once(child, 'exit') as Promise<[number | null]>
        child.kill('SIGTERM')
        return (await ended)[0]
      }
    }
  }
  await (await start()).stop()
  const { child, port, stop } = await start()
  return {
    port,
    complaints,
    async held() {
      const answer = once(child, 'message') as Promise<[{ held: Held }]>
      child.send('held')
      const [{ held }] = await answer
      const {
        rows: [row]
      } = await pool.raw<{ rows: { count: number }[] }>(
        "select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
      )
      return { ...held, databaseConnections: row?.count ?? 0 }
    },
    async stop() {
      const code = await stop()
      await pool.destroy()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
      return code
    }
  }
}
