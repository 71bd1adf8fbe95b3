import { accessSync, constants, existsSync, realpathSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Knex } from 'knex'
import { targetOf, type ServerNames } from './connection.ts'
import { diagnoseServers } from './diagnose-server.ts'
import { startEmbedded } from './embedded.ts'
import { serverAccount, type Account } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { databaseName } from './embedded/cluster.ts'
import { lockHolder } from './embedded/lock.ts'
import { existingCluster, socketFolder } from './embedded/place.ts'
import { DatabaseStartError } from './errors.ts'
import { bad, good, type Finding } from './finding.ts'
import { silent } from './log.ts'
import type { MigrationStatus } from './migrations.ts'

type DoctorOptions = ServerNames &
  Readonly<{
    dataDir: string
    postgresBin?: string | undefined
    /** Returns which migrations have run and which have not. */
    migrations: (knex: Knex) => Promise<MigrationStatus>
  }>

/** Bytes needed for the programs, a new cluster and the bundled data, with a reserve. */
const spaceNeeded = 500 * 1024 * 1024

/**
 * Checks everything that the database needs; each finding says what to do if it is bad. Never throws; creates no
 * cluster.
 */
export async function diagnoseDatabase(options: DoctorOptions): Promise<readonly Finding[]> {
  if (options.url !== undefined) {
    return await diagnoseServers(targetOf(options.url, options), {
      ...options,
      read: options.readUrl === undefined ? undefined : targetOf(options.readUrl, options),
      fix: 'Check DATABASE_URL, the network and that the server runs.'
    })
  }
  const folder = existingParent(resolve(options.dataDir))
  const dataDir = existsSync(options.dataDir) ? realpathSync(options.dataDir) : resolve(options.dataDir)
  const findings = [diagnoseFolder(folder), diagnoseSpace(folder)]
  let account: Account | undefined
  try {
    account = serverAccount(folder, existingCluster(dataDir))
  } catch (error) {
    return [...findings, failure('user', error)]
  }
  findings.push(
    good(
      'user',
      account === undefined ? 'PostgreSQL runs as you.' : `You are root; PostgreSQL runs as ${account.name}.`
    )
  )
  try {
    const { bin, major } = findBinaries(options.postgresBin ?? process.env['PANTRY_POSTGRES_BIN'], dataDir, account)
    findings.push(good('programs', `PostgreSQL ${major} in ${bin}.`))
  } catch (error) {
    return [...findings, failure('programs', error)]
  }
  const cluster = existingCluster(dataDir)
  const holder = await lockHolder(dataDir)
  if (cluster === undefined) return [...findings, good('database', 'None yet; it is created at the first start.')]
  if (holder === undefined) return [...findings, ...(await diagnoseStopped(options))]
  const target = { host: socketFolder(dataDir, account), port: 5432, database: databaseName, user: databaseName }
  return [
    ...findings,
    good('lock', `${dataDir} is in use by process ${holder}.`),
    ...(await diagnoseServers(target, {
      ...options,
      fix: 'Restart the Pantry that uses the folder, and read its log.'
    }))
  ]
}

/** Starts the server briefly, because its own error message says best why it does not start. */
async function diagnoseStopped(options: DoctorOptions): Promise<readonly Finding[]> {
  try {
    const server = await startEmbedded({ ...options, log: silent })
    try {
      return [
        good('lock', 'Nobody uses the data folder.'),
        ...(await diagnoseServers(server.connection, { ...options, fix: 'Read the log of the server.' }))
      ]
    } finally {
      await server.stop()
    }
  } catch (error) {
    return [failure('start', error)]
  }
}

function failure(name: string, error: unknown): Finding {
  return error instanceof DatabaseStartError
    ? bad(name, error.message, error.fix)
    : bad(name, error instanceof Error ? error.message : String(error), 'Start with LOG_LEVEL=debug and read the log.')
}

const existingParent = (folder: string): string => (existsSync(folder) ? folder : existingParent(dirname(folder)))

function diagnoseFolder(folder: string): Finding {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return good('data folder', `${folder} can be written.`)
  } catch {
    return bad('data folder', `${folder} cannot be written.`, 'Set PANTRY_DATA_DIR to a folder that can be written.')
  }
}

function diagnoseSpace(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const words = `${Math.floor(free / 1024 / 1024)} MB are free in ${folder}.`
  return free >= spaceNeeded
    ? good('space', words)
    : bad('space', words, `Free some space: about ${spaceNeeded / 1024 / 1024} MB are needed.`)
}
