import { spawn, type ChildProcess } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import type { Test } from 'tap'
import { runAs, runNow, serverAccount } from '../../core/database/embedded/account.ts'
import { eventually } from './eventually.ts'
import { scratchFolder } from './scratch.ts'

/** Folder of the server's programs as Debian installs them: the newest version that is here. */
const bin = (existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [])
  .sort((a, b) => Number(b) - Number(a))
  .map(version => `/usr/lib/postgresql/${version}/bin`)
  .find(folder => existsSync(join(folder, 'pg_basebackup')))
const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(file => existsSync(file))

/** Why a test cannot run here; false where it can. */
export const noPostgres: string | false = bin === undefined ? 'postgresql (Debian) is not installed' : false
export const noPooler: string | false =
  noPostgres !== false ? noPostgres : pgbouncer === undefined ? 'pgbouncer (Debian) is not installed' : false

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A program run as the account of servers, until `t` ends. */
function start(t: Test, folder: string, program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { ...runAs(serverAccount(folder, undefined)), stdio: 'ignore' })
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return child
}

function ownFolder(t: Test): string {
  const folder = scratchFolder(t)
  const account = serverAccount(folder, undefined)
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  return folder
}

function run(folder: string, program: string, args: readonly string[]): void {
  const { ok, output } = runNow(join(bin ?? '', program), args, serverAccount(folder, undefined))
  if (!ok) throw new Error(`${program}: ${output}`)
}

/** A server of Debian's packages on a TCP port. */
export type TestServer = Readonly<{
  port: number
  /** `host:port`, for lists. */
  host: string
  url: string
  query: <Row extends object>(sql: string) => Promise<readonly Row[]>
  /** Stops or freezes all processes of the server at once, as a machine that fails does. */
  signal: (name: NodeJS.Signals) => void
  start: () => Promise<void>
  promote: () => Promise<void>
}>

const database = 'pantry'

async function serverIn(t: Test, folder: string, port: number): Promise<TestServer> {
  const url = `postgres://${database}@127.0.0.1:${port}/${database}`
  let child: ChildProcess | undefined
  const query = async <Row extends object>(sql: string, at = url): Promise<readonly Row[]> => {
    const client = new pg.Client({ connectionString: at, connectionTimeoutMillis: 2_000 })
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }
  const server: TestServer = {
    port,
    host: `127.0.0.1:${port}`,
    url,
    query,
    signal: name => {
      const own = child?.pid ?? 0
      // The helpers of a server have its process as their parent.
      for (const pid of [own, ...childrenOf(own)]) process.kill(pid, name)
    },
    start: async () => {
      child = start(t, folder, join(bin ?? '', 'postgres'), [
        '-D',
        join(folder, 'data'),
        '-p',
        String(port),
        '-k',
        folder
      ])
      await eventually(() => query('select 1', url.replace(/pantry$/, 'postgres')))
    },
    promote: async () => {
      await query('select pg_promote()')
    }
  }
  await server.start()
  return server
}

const childrenOf = (pid: number): readonly number[] =>
  runNow('/bin/sh', ['-c', 'cat /proc/$0/task/*/children', String(pid)], undefined)
    .output.split(/\s+/)
    .filter(text => text !== '')
    .map(Number)

const settings = `
listen_addresses = '127.0.0.1'
fsync = off
max_connections = 400
shared_buffers = 64MB
wal_level = replica
hot_standby = on
wal_retrieve_retry_interval = 200ms
log_min_messages = fatal
`

/** Files that a server needs besides its settings, by their names in its folder, and what names them. */
export type ServerFiles = Readonly<{ files: Readonly<Record<string, string>>; settings: string; rules: string }>

/** A primary with an empty database. `rules`: lines on who may connect how, which come before its own. */
export async function startPrimary(t: Test, more?: ServerFiles): Promise<TestServer> {
  const folder = ownFolder(t)
  run(folder, 'initdb', [
    '-D',
    join(folder, 'data'),
    '-U',
    database,
    '--auth=trust',
    '--encoding=UTF8',
    '--no-locale',
    '--no-sync'
  ])
  appendFileSync(join(folder, 'data', 'postgresql.conf'), settings)
  if (more !== undefined) addTo(join(folder, 'data'), more)
  const server = await serverIn(t, folder, await freePort())
  const client = new pg.Client({ connectionString: server.url.replace(/pantry$/, 'postgres') })
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  return server
}

function addTo(data: string, { files, settings, rules }: ServerFiles): void {
  const { uid, gid } = statSync(data)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    chownSync(join(data, name), uid, gid)
  }
  appendFileSync(join(data, 'postgresql.conf'), settings)
  const own = join(data, 'pg_hba.conf')
  writeFileSync(own, `${rules}\n${readFileSync(own, 'utf8')}`)
}

/**
 * A primary and its streaming standbys. A commit is acknowledged when one of them has it, and whichever is promoted,
 * the others follow it.
 */
export async function startReplicated(
  t: Test,
  count: number
): Promise<Readonly<{ primary: TestServer; standbys: readonly TestServer[] }>> {
  const primary = await startPrimary(t)
  const ports = [primary.port]
  const folders: string[] = []
  for (let at = 0; at < count; at += 1) {
    const folder = ownFolder(t)
    run(folder, 'pg_basebackup', [
      '-D',
      join(folder, 'data'),
      '-h',
      '127.0.0.1',
      '-p',
      String(primary.port),
      '-U',
      database,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync'
    ])
    folders.push(folder)
    ports.push(await freePort())
  }
  const upstream = `primary_conninfo = 'host=${ports.map(() => '127.0.0.1').join(',')} port=${ports.join(',')} user=${database} target_session_attrs=read-write connect_timeout=2'\n`
  for (const folder of folders)
    appendFileSync(join(folder, 'data', 'postgresql.auto.conf'), `${upstream}synchronous_standby_names = 'ANY 1 (*)'\n`)
  const standbys = await Promise.all(folders.map((folder, at) => serverIn(t, folder, ports[at + 1] ?? 0)))
  await primary.query("alter system set synchronous_standby_names = 'ANY 1 (*)'")
  await primary.query('select pg_reload_conf()')
  await eventually(async () => {
    const streaming = await primary.query("select from pg_stat_replication where state = 'streaming'")
    if (streaming.length < count) throw new Error('not all standbys follow yet')
  })
  return { primary, standbys }
}

/** PgBouncer as Debian sets it, in transaction mode, in front of a server. */
export async function startPooler(t: Test, server: TestServer, more = ''): Promise<Readonly<{ url: string }>> {
  const folder = ownFolder(t)
  const port = await freePort()
  mkdirSync(join(folder, 'run'))
  chmodSync(join(folder, 'run'), 0o777)
  writeFileSync(join(folder, 'users'), `"${database}" ""\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${join(folder, 'run')}
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
${more}`
  )
  start(t, folder, pgbouncer ?? '', [join(folder, 'pgbouncer.ini')])
  const url = `postgres://${database}@127.0.0.1:${port}/${database}`
  await eventually(async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    await client.connect()
    await client.query('select 1').finally(() => client.end())
  })
  return { url }
}
