import type { Knex } from 'knex'
import pg from 'pg'
import { clientConfig, commandBulkLimits, commandLimits as limits, type ServerTarget } from './connection.ts'
import { codeOf } from './errors.ts'
import { bad, good, type Finding } from './finding.ts'
import { silent } from './log.ts'
import { newer, useNewer, type MigrationStatus } from './migrations.ts'
import { openPool } from './pool.ts'
import { isPoolerRefusal, type Reached } from './pooler.ts'

const oldestMajor = 14
const usePooler = 'Set PANTRY_DATABASE_POOLER=transaction.'

type Asked = Readonly<{ findings: readonly Finding[]; isAnswering: boolean }>
type Options = Readonly<{
  /** The advice for a server that does not answer. */
  fix: string
  /** The server that is only read. */
  read?: ServerTarget | undefined
  /** Returns which migrations have run and which have not. */
  migrations: (knex: Knex) => Promise<MigrationStatus>
}>

/**
 * Checks the server that is written to as Pantry would use it, that no migration is pending there, and the server that
 * is only read. Never throws.
 */
export async function diagnoseServers(
  target: ServerTarget,
  { fix, read, migrations }: Options
): Promise<readonly Finding[]> {
  const [written, others] = await Promise.all([
    ask(target, 'server', fix),
    read === undefined ? { findings: [] } : ask(read, 'server that is read', fix.replace('URL', 'READ_URL'))
  ])
  const findings = [...written.findings, ...others.findings]
  return written.isAnswering ? [...findings, await diagnoseMigrations(target, migrations, fix)] : findings
}

async function diagnoseMigrations(
  target: ServerTarget,
  migrations: Options['migrations'],
  fix: string
): Promise<Finding> {
  const knex = openPool(target, commandBulkLimits, 1, silent)
  try {
    const { pending, unknown } = await migrations(knex)
    if (unknown.length > 0) return bad('migrations', newer(unknown), useNewer)
    return pending.length === 0
      ? good('migrations', 'All have run.')
      : bad('migrations', `Not yet run: ${pending.join(', ')}.`, 'Run `pantry migrate`; `pantry serve` does it too.')
  } catch (error) {
    return bad(
      'migrations',
      `They cannot be read: ${error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)}`,
      fix
    )
  } finally {
    await knex.destroy()
  }
}

async function ask(target: ServerTarget, label: string, fix: string): Promise<Asked> {
  const client = new pg.Client(clientConfig(target, limits))
  client.on('error', () => undefined)
  try {
    await client.connect()
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
    // A pooler reports process ids of its own instead of the server's.
    const isBetween = (client as pg.Client & Reached).processID !== pid
    return { findings: [answer, ...(await diagnosePooler(client, target, isBetween))], isAnswering: true }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      findings: [
        isPoolerRefusal(error)
          ? bad('pooler', `A pooler is in between: ${reason}.`, usePooler)
          : bad(label, `The database does not answer: ${reason}`, fix)
      ],
      isAnswering: false
    }
  } finally {
    await client.end().catch(() => undefined)
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
  const other = new pg.Client(clientConfig(target, limits))
  other.on('error', () => undefined)
  const named = { name: 'pantry_doctor', text: 'select 1' }
  try {
    await client.query(named)
    await other.connect()
    await other.query('begin')
    await other.query('select 1')
    await client.query(named)
    return false
  } catch (error) {
    return codeOf(error) === '26000'
  } finally {
    await other.end().catch(() => undefined)
  }
}
