import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { bulkLimits, clientConfig, connectWithRetry, type ConnectionLimits, type Log } from './connection.ts'
import { serverAccount, type Account } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { databaseName, ensureCluster, existingCluster, newCluster, socketFolder } from './embedded/cluster.ts'
import { removeFolder, takeLock } from './embedded/lock.ts'
import { takeCluster } from './embedded/orphan.ts'
import { startPostmaster, type PostmasterOptions } from './embedded/postmaster.ts'
import { OperatorFault } from './fault.ts'
import { codeOf } from './errors.ts'

type EmbeddedOptions = Readonly<{
  dataDir: string
  log: Log
  /**
   * Folder of the programs of another PostgreSQL (14 or later). Default: `PANTRY_POSTGRES_BIN`, else the bundled
   * programs.
   */
  postgresBin?: string | undefined
  /**
   * Use the server of another Pantry process that holds the data folder; it is available only while that process runs
   * it.
   */
  share?: boolean | undefined
  /** Time limits for connecting to a shared server. */
  limits?: ConnectionLimits
  /** Settings of the server, by name, that replace those of Pantry. */
  settings?: Readonly<Record<string, string>>
}>

export type EmbeddedServer = Readonly<{
  /** Where the server is; `host` is the folder of its unix socket. */
  connection: Readonly<{ host: string; port: number; database: string; user: string }>
  /**
   * Returns the process id of the server, which changes when the server is restarted; for a shared server, that of the
   * Pantry process that runs it.
   */
  pid: () => number
  /** Folder of the files of the server (its cluster). */
  folder: string
  stop: () => Promise<void>
}>

const maxRestartDelayMs = 5_000

/**
 * Runs PostgreSQL as a child process on a data folder: creates the cluster the first time, listens only on a private
 * unix socket, restarts the server if it dies, and stops it with this process; or returns the server of another Pantry
 * process (`share`). Throws `OperatorFault`, also if another Pantry process holds the folder and its server must
 * not be shared or cannot be reached.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  if (process.platform === 'win32') {
    throw new OperatorFault(
      'O201',
      'Pantry does not run its own PostgreSQL on Windows.',
      'Set DATABASE_URL to a PostgreSQL server, or run Pantry in WSL.'
    )
  }
  const folder = makeFolder(resolve(options.dataDir))
  const account = serverAccount(folder, existingCluster(folder))
  const lock = await takeLock(folder, account)
  if ('heldBy' in lock) {
    const running =
      options.share === true && typeof lock.heldBy === 'number'
        ? await runningServer(folder, account, lock.heldBy, options.limits)
        : undefined
    if (running !== undefined) return running
    throw new OperatorFault(
      'O205',
      `${folder} is in use by another Pantry (${lock.heldBy === 'elsewhere' ? 'in another container or on another machine' : `process ${lock.heldBy}`}).`,
      'Stop that process, or set PANTRY_DATA_DIR to another folder.'
    )
  }
  const held: (() => void | Promise<void>)[] = [lock.release]
  const release = async (): Promise<void> => {
    for (const one of held.splice(0).reverse()) await one()
  }
  try {
    const binaries = findBinaries(options.postgresBin ?? process.env['PANTRY_POSTGRES_BIN'], folder, account)
    const cluster = existingCluster(folder) ?? newCluster(folder, account)
    if (!cluster.startsWith(folder))
      options.log.warn(
        `${folder} cannot be entered by ${account?.name ?? 'this user'}, who runs the database; it is kept in ${cluster}.`
      )
    if (ensureCluster(cluster, binaries, account)) options.log.info(`A new database was created in ${cluster}.`)
    const server = await takeCluster(cluster, account, options.log)
    held.push(server.release)
    const connection = connectionOf(folder, account)
    return await supervise(
      {
        bin: binaries.bin,
        cluster,
        lockFd: server.fd,
        socketDir: connection.host,
        account,
        settings: options.settings ?? {},
        log: options.log,
        probe: () => ensureDatabase(connection)
      },
      connection,
      release
    )
  } catch (error) {
    await release()
    throw error
  }
}

const connectionOf = (folder: string, account: Account | undefined): EmbeddedServer['connection'] => ({
  host: socketFolder(folder, account),
  port: 5432,
  database: databaseName,
  user: databaseName
})

/**
 * Returns the server of another Pantry process on this machine; undefined if it cannot be reached. `stop` does nothing
 * then: the other process stops it.
 */
async function runningServer(
  folder: string,
  account: Account | undefined,
  owner: number,
  limits = bulkLimits
): Promise<EmbeddedServer | undefined> {
  try {
    const connection = connectionOf(folder, account)
    await connectWithRetry(limits, () => ensureDatabase(connection, limits))
    return { connection, pid: () => owner, folder: existingCluster(folder) ?? folder, stop: () => Promise.resolve() }
  } catch {
    return undefined
  }
}

async function supervise(
  options: PostmasterOptions,
  connection: EmbeddedServer['connection'],
  release: () => Promise<void>
): Promise<EmbeddedServer> {
  const stopping = new AbortController()
  const stopped = (): boolean => stopping.signal.aborted
  let current = await startPostmaster(options)

  async function keepRunning(): Promise<void> {
    let pause = 100
    while (!stopped()) {
      await current.exited
      if (stopped()) return
      options.log.error(`PostgreSQL (process ${current.pid}) ended unexpectedly; it is started again.`)
      try {
        current = await startPostmaster(options)
        pause = 100
      } catch (error) {
        options.log.error(error instanceof Error ? error.message : String(error))
        await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
        pause = Math.min(pause * 2, maxRestartDelayMs)
      }
    }
  }
  const kept = keepRunning()

  async function stop(): Promise<void> {
    stopping.abort()
    await current.stop()
    await kept
    // If a restart was in progress, there is a new server now.
    await current.stop()
    removeFolder(connection.host, options.account)
    await release()
  }

  return { connection, pid: () => current.pid, folder: options.cluster, stop }
}

/** Makes a folder and those above it, one by one: below `/proc` the `recursive` of Node 20 never ends. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function makeFolder(dataDir: string): string {
  try {
    makeFolders(dataDir)
    return realpathSync(dataDir)
  } catch (error) {
    throw new OperatorFault(
      'O204',
      `The data folder ${dataDir} cannot be created: ${codeOf(error)}.`,
      'Set PANTRY_DATA_DIR to a folder that can be written.',
      error
    )
  }
}

/** Resolves if the server answers, else rejects; creates the database of Pantry if it is missing. */
async function ensureDatabase(connection: EmbeddedServer['connection'], limits = bulkLimits): Promise<void> {
  const client = new pg.Client(clientConfig({ ...connection, database: 'postgres' }, limits))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [connection.database])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end()
  }
}
