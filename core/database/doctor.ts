import { accessSync, constants, existsSync, realpathSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Knex } from 'knex'
import type pg from 'pg'
import {
  connectClient,
  commandBulkLimits,
  commandLimits as limits,
  isPoolerRefusal,
  silent,
  targetOf,
  type Reached,
  type ServerNames,
  type ServerTarget
} from './connection.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { creationProblem } from './creation.ts'
import { startEmbedded } from './embedded.ts'
import { serverAccount, type Account } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { databaseName, existingCluster, socketFolder } from './embedded/cluster.ts'
import { lockHolder } from './embedded/lock.ts'
import { OperatorFault } from './fault.ts'
import { codeOf } from './errors.ts'
import { newerSchemaMessage, newerSchemaFix, type MigrationStatus } from './migrations.ts'
import { openPool } from './pool.ts'

/** The result of one check by `pantry doctor`. */
export type Finding = Readonly<{
  name: string
  ok: boolean
  detail: string
  /** What to do; an empty text if the check found nothing wrong. */
  fix: string
}>

const good = (name: string, detail: string): Finding => ({ name, ok: true, detail, fix: '' })
const bad = (name: string, detail: string, fix: string): Finding => ({ name, ok: false, detail, fix })

const oldestMajor = 14
const usePooler = 'Set PANTRY_DATABASE_POOLER=transaction.'

type Asked = Readonly<{ findings: readonly Finding[]; isAnswering: boolean }>
type Options = Readonly<{
  /** Advice for a server that does not answer. */
  fix: string
  /** The read-only server, if one is configured. */
  read?: ServerTarget | undefined
}> &
  Questions

/** What is asked of a database that answers. */
type Questions = Readonly<{
  /** Returns which migrations have run and which have not. */
  migrations: (knex: Knex) => Promise<MigrationStatus>
  /** Returns how the tables that are corpora differ from their declarations. Absent if there are none. */
  tables?: (knex: Knex) => Promise<readonly Diagnostic[]>
}>

/**
 * Checks the server that is written to, whether all migrations have run there, and the read-only server if there is
 * one. Never throws.
 */
async function diagnoseServers(
  target: ServerTarget,
  { fix, read, ...questions }: Options
): Promise<readonly Finding[]> {
  const [written, others] = await Promise.all([
    ask(target, 'server', fix),
    read === undefined ? { findings: [] } : ask(read, 'server that is read', fix.replace('URL', 'READ_URL'))
  ])
  const findings = [...written.findings, ...others.findings]
  return written.isAnswering ? [...findings, ...(await diagnoseSchema(target, questions, fix))] : findings
}

async function diagnoseSchema(target: ServerTarget, questions: Questions, fix: string): Promise<readonly Finding[]> {
  const knex = openPool(target, commandBulkLimits, 1, silent)
  const unread = (name: string) => (error: unknown) => {
    const { message } = error instanceof Error && error.cause instanceof Error ? error.cause : (error as Error)
    return bad(name, `They cannot be read: ${message}`, fix)
  }
  try {
    const migrations = await questions
      .migrations(knex)
      .then(status => migrationsFinding(knex, status))
      .catch(unread('migrations'))
    const tables = await questions.tables?.(knex).then(tablesFinding, unread('tables'))
    return tables === undefined ? [migrations] : [migrations, tables]
  } finally {
    await knex.destroy()
  }
}

async function migrationsFinding(knex: Knex, { pending, unknown }: MigrationStatus): Promise<Finding> {
  if (unknown.length > 0) return bad('migrations', newerSchemaMessage(unknown), newerSchemaFix)
  if (pending.length === 0) return good('migrations', 'All have run.')
  const notRun = `Not yet run: ${pending.join(', ')}.`
  const problem = await creationProblem(knex)
  return problem === undefined
    ? bad('migrations', notRun, 'Run `pantry migrate`; `pantry serve` does it too.')
    : bad('migrations', `${notRun} ${problem.message}`, problem.fix)
}

function tablesFinding(differences: readonly Diagnostic[]): Finding {
  if (differences.length === 0) return good('tables', 'All are as they are declared.')
  return bad(
    'tables',
    differences.map(({ code, file, message }) => `${code} ${file}: ${message}`).join(' '),
    [...new Set(differences.map(({ hint = '' }) => hint))].join(' ')
  )
}

async function ask(target: ServerTarget, label: string, fix: string): Promise<Asked> {
  let client: pg.Client | undefined
  try {
    client = await connectClient(target, limits)
    const {
      rows: [row]
    } = await client.query<{ version: string; pid: number }>(
      "select current_setting('server_version') as version, pg_backend_pid() as pid"
    )
    const { version = '', pid = 0 } = row ?? {}
    const answer =
      Number.parseInt(version) >= oldestMajor
        ? good(label, `PostgreSQL ${version} answers.`)
        : bad(label, `PostgreSQL ${version} answers, which is too old.`, `Use version ${oldestMajor} or later.`)
    // A pooler gives clients other process ids than those of the server.
    const isBetween = (client as pg.Client & Reached).processID !== pid
    return { findings: [answer, ...(await diagnosePooler(client, target, isBetween))], isAnswering: true }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      findings: [
        isPoolerRefusal(error)
          ? bad('pooler', `A pooler is in between: ${reason}.`, usePooler)
          : bad(label, `The database does not answer: ${reason}`, error instanceof OperatorFault ? error.fix : fix)
      ],
      isAnswering: false
    }
  } finally {
    await client?.end().catch(() => undefined)
  }
}

async function diagnosePooler(
  client: pg.Client,
  target: ServerTarget,
  isBetween: boolean
): Promise<readonly Finding[]> {
  if (target.isPooled === true)
    return [
      good(
        'pooler',
        isBetween
          ? 'A pooler is in between.'
          : 'PANTRY_DATABASE_POOLER is set, and there is no pooler. Without it, statements cost less.'
      )
    ]
  if (!isBetween || !(await losesStatements(client, target))) return []
  return [
    bad(
      'pooler',
      'A pooler in transaction mode is in between: what was prepared is not there in the next transaction.',
      usePooler
    )
  ]
}

/** Tells whether a prepared statement is lost when another client uses the server connection in between. */
async function losesStatements(client: pg.Client, target: ServerTarget): Promise<boolean> {
  let other: pg.Client | undefined
  const named = { name: 'pantry_doctor', text: 'select 1' }
  try {
    await client.query(named)
    other = await connectClient(target, limits)
    await other.query('begin')
    await other.query('select 1')
    await client.query(named)
    return false
  } catch (error) {
    return codeOf(error) === '26000'
  } finally {
    await other?.end().catch(() => undefined)
  }
}

type DoctorOptions = ServerNames & Readonly<{ dataDir: string; postgresBin?: string | undefined }> & Questions

/** Bytes needed for the programs, a new cluster and the bundled data, with a reserve. */
const spaceNeeded = 500 * 1024 * 1024

/**
 * Checks everything that the database needs; each finding says what to do if it is bad. Never throws; creates no
 * cluster, but starts an existing one that is not running, and may copy the programs of PostgreSQL.
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

/** Starts the embedded server briefly, because its own error message says best why it does not start. */
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
  return error instanceof OperatorFault
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
