import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../connection.ts'
import { OperatorFault } from '../fault.ts'
import { runAs, runNow, type Account } from './account.ts'
import { removeFile } from './lock.ts'

/**
 * Tells whether a process belongs to the server of a cluster: on Linux by its working directory, elsewhere by its
 * arguments. On Linux, throws if the process has ended or this user may not inspect it.
 */
export function serves(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux')
    return runNow('/bin/ps', ['-o', 'args=', '-p', String(pid)], undefined).output.includes(cluster)
  const [place, own] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
  return place.dev === own.dev && place.ino === own.ino
}

/**
 * Returns the parent of a process, see proc(5): the command name, which may contain anything, ends at the last closing
 * bracket.
 */
const parentOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[2])

/**
 * Returns the ids of the helper processes that are left of a dead server: helpers end with their server unless they are
 * stopped or hang in the kernel. Returns none while the server lives, even in another container, because it is then the
 * parent of one; and none on systems other than Linux.
 */
function helpersOf(cluster: string): readonly number[] {
  if (process.platform !== 'linux') return []
  const found = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (serves(Number(name), cluster)) found.set(Number(name), parentOf(Number(name)))
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
  return [...found.values()].some(parent => found.has(parent)) ? [] : [...found.keys()]
}

/**
 * Kills the helper processes that are left of a dead server, and returns how many there were; throws OperatorFault
 * if they belong to another user. The data is safe: the next server recovers from the write-ahead log.
 */
export function endHelpers(cluster: string): number {
  const helpers = helpersOf(cluster)
  for (const pid of helpers) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') continue
      throw new OperatorFault(
        'O205',
        `Processes of a PostgreSQL server that has ended still use ${cluster} (${helpers.join(', ')}), and belong to another user.`,
        'End them as that user, or start Pantry as that user.',
        error
      )
    }
  }
  return helpers.length
}

export type PostmasterOptions = Readonly<{
  bin: string
  cluster: string
  /**
   * File descriptor that holds the lock of the cluster. The server and its helpers inherit it, so the lock lasts as
   * long as any of them.
   */
  lockFd: number
  socketDir: string
  account: Account | undefined
  settings: Readonly<Record<string, string>>
  log: Log
  /** Tries to connect: resolves if the server accepts a connection, else rejects. */
  probe: () => Promise<void>
}>

/** The server process. `exited` resolves when it has ended. */
type Postmaster = Readonly<{ pid: number; exited: Promise<void>; stop: () => Promise<void> }>

/**
 * A shell script that runs beside the server and reads a pipe from this process. When this process ends in any way, the
 * pipe closes and the script stops the server; after a line on the pipe it ends without stopping the server.
 */
const watcher = 'read -r _ || kill -INT "$0"'

const startLimit = 60_000
const fastLimit = 3_000
const immediateLimit = 500
/** After how many further attempts to start, 0.2 s apart, the helper processes of a dead server are killed. */
const patientAttempts = 10

const settingsOf = (socketDir: string): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: socketDir,
  unix_socket_permissions: '0700',
  port: '5432',
  shared_buffers: '256MB',
  max_connections: '60',
  fsync: 'on',
  // No standby replicates from this server.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  // Write the files of the write-ahead log in full when they are made: a server that later has no space for its log
  // stops, and then nothing can be read either.
  wal_init_zero: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  // Statements are not logged, because they may contain what users sent.
  log_min_error_statement: 'panic',
  log_min_messages: 'fatal'
})

/**
 * Starts the server and waits until it answers, at most a minute; else throws OperatorFault. Helpers that a dead
 * server has left behind are waited for, and killed if they do not end.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const deadline = Date.now() + startLimit
  for (let attempt = 0; ; attempt += 1) {
    const { postmaster, words } = launch(options)
    const ended = postmaster.exited.then(() => 'ended' as const)
    while (Date.now() < deadline) {
      const ready = options.probe().then(
        () => 'ready' as const,
        () => sleep(20)
      )
      const outcome = await Promise.race([ready, ended])
      if (outcome === 'ready') return postmaster
      if (outcome === 'ended') break
    }
    await postmaster.stop()
    if (!words().includes('is still in use') || Date.now() >= deadline) {
      throw new OperatorFault(
        'O207',
        `PostgreSQL did not start: ${words() || 'it ended without a word.'}`,
        'The usual reasons are a full disk, too little memory and a folder that cannot be written; `pantry doctor` looks at each.'
      )
    }
    await sleep(200)
    if (attempt >= patientAttempts) endHelpers(options.cluster)
  }
}

function launch({ bin, cluster, lockFd, socketDir, account, settings, log }: PostmasterOptions): {
  postmaster: Postmaster
  words: () => string
} {
  // Remove stale socket files. Their server is gone, because we hold the lock of the data folder, but they would keep
  // the new server from starting if another process now has the process id in them.
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) removeFile(join(socketDir, name), account)
  const flags = Object.entries({ ...settingsOf(socketDir), ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`
  ])
  // `detached`: Ctrl-C in a terminal must reach only Pantry, which then shuts the server down properly.
  const child = spawn(join(bin, 'postgres'), ['-D', cluster, ...flags], {
    ...runAs(account),
    stdio: ['ignore', 'ignore', 'pipe', lockFd],
    detached: true
  })
  const watch = spawn('/bin/sh', ['-c', watcher, String(child.pid ?? 0)], {
    ...runAs(account),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true
  })
  const lines: string[] = []
  createInterface({ input: child.stderr ?? Readable.from([]) }).on('line', line => {
    lines.push(line)
    if (lines.length > 20) lines.shift()
    if (/\b(?:PANIC|FATAL):/.test(line) && !/starting up|shutting down|terminating connection/.test(line))
      log.warn(`PostgreSQL: ${line}`)
  })
  for (const part of [watch, watch.stdin]) part.on('error', () => undefined)
  let running = true
  const exited = new Promise<void>(resolve => {
    const end = (): void => {
      running = false
      watch.stdin.end('\n')
      resolve()
    }
    child.once('exit', end)
    child.once('error', error => {
      lines.push(error.message)
      end()
    })
  })

  async function stop(): Promise<void> {
    for (const [signal, limit] of [
      ['SIGINT', fastLimit],
      ['SIGQUIT', immediateLimit],
      ['SIGKILL', immediateLimit]
    ] as const) {
      if (!running) return
      child.kill(signal)
      const giveUp = new AbortController()
      await Promise.race([exited, sleep(limit, undefined, { signal: giveUp.signal }).catch(() => undefined)])
      giveUp.abort()
    }
    // Helpers that are suspended (SIGSTOP) do not notice the end of the server, and would keep the cluster in use.
    endHelpers(cluster)
  }

  return { postmaster: { pid: child.pid ?? 0, exited, stop }, words: () => lines.join('\n') }
}
