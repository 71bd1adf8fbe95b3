import type { Knex } from 'knex'
import pg from 'pg'
import { clientConfig, commandBulkLimits, commandLimits as limits, type NamedServer } from './connection.ts'
import { codeOf } from './errors.ts'
import { bad, good, type Finding } from './finding.ts'
import { silent } from './log.ts'
import { newer, useNewer, type MigrationStatus } from './migrations.ts'
import { openPool } from './pool.ts'
import { isPoolerRefusal, type Reached } from './pooler.ts'

const oldestMajor = 14
const usePooler = 'Set PANTRY_DATABASE_POOLER=transaction.'

type Asked = Readonly<{ findings: readonly Finding[]; isPrimary: boolean }>
type Options = Readonly<{
  /** The advice for a server that does not answer. */
  fix: string
  /** Returns which migrations have run and which have not. */
  migrations: (knex: Knex) => Promise<MigrationStatus>
}>

/**
 * Checks each server as Pantry would use it, that one of several is the primary, and that no migration is pending
 * there. Never throws.
 */
export async function diagnoseServers(
  servers: readonly NamedServer[],
  { fix, migrations }: Options
): Promise<readonly Finding[]> {
  const asked = await Promise.all(
    servers.map(async server => ({ server, ...(await ask(server, servers.length > 1, fix)) }))
  )
  const findings = asked.flatMap(one => one.findings)
  const [primary, other] = asked.filter(({ isPrimary }) => isPrimary)
  if (primary === undefined)
    return servers.length === 1
      ? findings
      : [...findings, bad('primary', 'No server takes writes.', 'Start the primary, or promote a standby.')]
  if (other !== undefined)
    findings.push(
      bad(
        'primary',
        `${primary.server.name} and ${other.server.name} both take writes.`,
        'Stop the one that was left behind, and make a standby of it (pg_rewind).'
      )
    )
  return [...findings, await diagnoseMigrations(primary.server, migrations, fix)]
}

async function diagnoseMigrations(
  { target }: NamedServer,
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

async function ask({ name, target }: NamedServer, isOneOfSeveral: boolean, fix: string): Promise<Asked> {
  const label = isOneOfSeveral ? `server ${name}` : 'server'
  const client = new pg.Client(clientConfig(target, limits))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const {
      rows: [row]
    } = await client.query<{ version: string; standby: boolean; pid: number }>(
      "select current_setting('server_version') as version, pg_is_in_recovery() as standby, pg_backend_pid() as pid"
    )
    const { version = '', standby = false, pid = 0 } = row ?? {}
    const role = isOneOfSeveral ? (standby ? ' as a standby' : ' as the primary') : ''
    const answer =
      Number.parseInt(version) >= oldestMajor
        ? good(label, `PostgreSQL ${version} answers${role}.`)
        : bad(label, `PostgreSQL ${version} answers, which is too old.`, `Use version ${oldestMajor} or later.`)
    // A pooler reports process ids of its own instead of the server's.
    const isBetween = (client as pg.Client & Reached).processID !== pid
    return {
      findings: [answer, ...(await diagnosePooler(client, { name, target }, isBetween))],
      isPrimary: !standby || !isOneOfSeveral
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      findings: [
        isPoolerRefusal(error)
          ? bad('pooler', `A pooler is in between: ${reason}.`, usePooler)
          : bad(label, `The database does not answer: ${reason}`, fix)
      ],
      isPrimary: false
    }
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function diagnosePooler(client: pg.Client, server: NamedServer, isBetween: boolean): Promise<readonly Finding[]> {
  if (server.target.isPooled === true)
    return [
      good(
        'pooler',
        isBetween
          ? 'A pooler is in between.'
          : 'PANTRY_DATABASE_POOLER is set, and there is no pooler. Without it, statements cost less.'
      )
    ]
  if (!isBetween || !(await losesStatements(client, server))) return []
  return [
    bad(
      'pooler',
      'A pooler in transaction mode is in between: what was prepared is not there in the next transaction.',
      usePooler
    )
  ]
}

/** Tells whether a prepared statement is lost when another client uses the server connection in between. */
async function losesStatements(client: pg.Client, { target }: NamedServer): Promise<boolean> {
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
