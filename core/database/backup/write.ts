import type { Knex } from 'knex'
import type { ClientBase } from 'pg'
import { to } from 'pg-copy-streams'
import { clientOf } from '../copy.ts'
import { destroyConnection } from '../pool.ts'
import { toSurfaceError } from '../errors.ts'
import { endOfRows, headerText, partText, quote, type BackupHeader, type BackupSize } from './format.ts'
import { sequencesOf, tablesOf } from './tables.ts'

type BackupCallbacks = Readonly<{
  /** Called with each table before it is read: its name, the number of tables already read, and the number of all. */
  onTable?: (table: string, done: number, total: number) => void
  /** Called with the size of the backup when all parts have been yielded. */
  onEnd?: (size: BackupSize) => void
}>

/**
 * Yields the text of a backup in pieces: every table of `tablesOf` in its order, from one snapshot that later changes
 * do not affect, and then the state that each sequence has at the end. Throws the typed errors of the database.
 */
export async function* backupText(
  knex: Knex,
  header: BackupHeader,
  { onTable: told, onEnd: ended }: BackupCallbacks = {}
): AsyncGenerator<string | Buffer> {
  const transaction = await knex.transaction({ isolationLevel: 'repeatable read', readOnly: true })
  const client = await clientOf(transaction)
  let isWhole = false
  try {
    const tables = await tablesOf(transaction)
    yield headerText(header)
    let rows = 0
    for (const [index, { table, columns }] of tables.entries()) {
      told?.(table, index, tables.length)
      yield partText({ table, columns })
      const copied = client.query(to(`copy ${quote(table)} (${columns.map(quote).join(', ')}) to stdout`))
      for await (const piece of copied) yield piece as Buffer
      yield `${endOfRows}\n`
      rows += copied.rowCount
    }
    yield* statesOf(transaction, client)
    const size = { tables: tables.length, rows }
    yield partText({ end: size })
    ended?.(size)
    isWhole = true
  } catch (error) {
    throw toSurfaceError(error)
  } finally {
    // If the backup ends early, a running COPY would keep the connection busy for ever, and a rollback would wait for
    // it, so the connection is destroyed.
    if (!isWhole) destroyConnection(client)
    await transaction.rollback()
  }
}

async function* statesOf(transaction: Knex.Transaction, client: ClientBase): AsyncGenerator<string> {
  for (const sequence of await sequencesOf(transaction)) {
    const {
      rows: [state]
    } = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quote(sequence)}`
    )
    if (state !== undefined) yield partText({ sequence, value: state.value, isCalled: state.called })
  }
}
