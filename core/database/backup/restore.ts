import type { Knex } from 'knex'
import { from } from 'pg-copy-streams'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { clientOf } from '../copy.ts'
import { toSurfaceError } from '../errors.ts'
import { adoptionsOf, migrate, type Migration } from '../migrations.ts'
import { withSchemaLock } from '../schema-lock.ts'
import { OperatorFault } from '../fault.ts'
import { brokenBackup, endOfRows, quote, readHeader, readPart, type BackupHeader, type BackupSize } from './format.ts'
import { deleteUnrestored, firstFilled, tablesOf } from './tables.ts'

type RestoreOptions = Readonly<{
  /** All migrations that this Pantry knows. */
  migrations: readonly Migration[]
  /** Whether existing rows of the database may be deleted. If not, a database with rows is an error. */
  replace: boolean
  /** Called with the name of each table before it is filled. */
  onTable?: (table: string) => void
}>

const lineEnd = 0x0a
const pieceLength = 1 << 16

/** Splits a stream of bytes into lines without their ends. Only U+000A ends a line; the last line may lack it. */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const piece of bytes) {
    let at = 0
    for (let next = piece.indexOf(lineEnd); next >= 0; next = piece.indexOf(lineEnd, at)) {
      const line = piece.subarray(at, next)
      yield begun.length === 0 ? line : Buffer.concat([...begun, line])
      begun = []
      at = next + 1
    }
    if (at < piece.length) begun.push(piece.subarray(at))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

/**
 * Yields the rows of a table as they are in the backup, in pieces of at least 64 KiB but the last, and then calls
 * `counted` with the number of rows.
 */
async function* rowsOf(lines: AsyncGenerator<Buffer>, counted: (rows: number) => void): AsyncGenerator<Buffer> {
  const end = Buffer.from(endOfRows)
  let held: Buffer[] = []
  let length = 0
  for (let rows = 0; ; rows++) {
    const { value: line, done } = (await lines.next()) as IteratorResult<Buffer, undefined>
    if (done === true) throw brokenBackup('The backup ends in the middle of a table.')
    if (line.equals(end)) {
      if (length > 0) yield Buffer.concat(held)
      counted(rows)
      return
    }
    held.push(line, Buffer.of(lineEnd))
    length += line.length + 1
    if (length < pieceLength) continue
    yield Buffer.concat(held)
    held = []
    length = 0
  }
}

/**
 * Restores a database from the text of a backup, in one transaction: the schema is set to its state at the time of the
 * backup, the rows are loaded, and then later migrations run; after it those that no transaction may contain. If a
 * migration replaces those of the backup, its tables are made instead, and its `adopt` converts the rows. Tables that
 * `unrestoredOf` returns stay empty. Throws an OperatorFault if the file is incomplete or from a newer Pantry, if the
 * database has rows and `replace` is false, or if the schema of the backup is too old; otherwise the typed errors of
 * the database.
 */
export async function restore(
  knex: Knex,
  bytes: AsyncIterable<Buffer>,
  { migrations, replace, onTable: told = () => undefined }: RestoreOptions
): Promise<BackupSize & Readonly<{ header: BackupHeader }>> {
  const lines = linesOf(bytes)
  const line = async (): Promise<string> => String((await lines.next()).value ?? '')
  try {
    const restored = await withSchemaLock(knex, async transaction => {
      const header = readHeader(await line(), await line())
      const adoptions = await adoptionsOf(migrations, header.migrations)
      const known = new Set([
        ...migrations.map(({ name }) => name),
        ...adoptions.flatMap(({ replaced }) => [...replaced])
      ])
      const unknown = header.migrations.filter(name => !known.has(name))
      if (unknown.length > 0)
        throw new OperatorFault(
          'O402',
          `The backup was made by a newer Pantry, or with other roots: ${unknown.join(', ')} is not known here. Nothing was changed.`,
          'Restore it with the version and the roots that made it.'
        )
      const filled = replace ? undefined : await firstFilled(transaction)
      if (filled !== undefined)
        throw new OperatorFault(
          'O403',
          `The database is not empty: \`${filled}\` has rows. Nothing was changed.`,
          'With --replace they are taken away.'
        )
      await migrate(transaction, migrations, 'reset')
      await migrate(
        transaction,
        migrations.filter(
          ({ name }) => header.migrations.includes(name) || adoptions.some(adoption => adoption.name === name)
        )
      )
      for (const { steps } of adoptions) await steps.loosen?.(transaction)
      // Delete the rows that the migrations have just written, because the backup contains them too.
      for (const { table } of [...(await tablesOf(transaction))].reverse()) await transaction(table).delete()
      const size = await fill(transaction, lines, told)
      for (const { steps } of adoptions) await steps.adopt?.(transaction)
      await migrate(transaction, migrations)
      await deleteUnrestored(transaction)
      return { ...size, header }
    })
    // What PostgreSQL refuses to do in a transaction is done now, such as an index that is made concurrently.
    await migrate(knex, migrations)
    return restored
  } catch (error) {
    throw toSurfaceError(error)
  }
}

async function fill(
  transaction: Knex.Transaction,
  lines: AsyncGenerator<Buffer>,
  told: (table: string) => void
): Promise<BackupSize> {
  const client = await clientOf(transaction)
  const size = { tables: 0, rows: 0 }
  for (;;) {
    const { value, done } = (await lines.next()) as IteratorResult<Buffer, undefined>
    if (done === true) throw brokenBackup('The backup is not whole: its end is missing.')
    const part = readPart(value.toString())
    if ('end' in part) {
      if (part.end.tables !== size.tables || part.end.rows !== size.rows)
        throw brokenBackup(
          `The backup is not whole: it says ${part.end.rows} rows of ${part.end.tables} tables, and holds ${size.rows} of ${size.tables}.`
        )
      // Read to the end of the file, because gunzip checks the checksum only there.
      if ((await lines.next()).done !== true) throw brokenBackup('The backup goes on after its end.')
      return size
    }
    if ('sequence' in part) {
      await client.query('select setval($1::regclass, $2::bigint, $3)', [
        quote(part.sequence),
        part.value,
        part.isCalled
      ])
      continue
    }
    told(part.table)
    // Triggers are off: the rows passed them when they were first written, and what a trigger checks may have changed
    // since.
    await client.query(`alter table ${quote(part.table)} disable trigger user`)
    const rows = Readable.from(
      rowsOf(lines, count => {
        size.rows += count
      }),
      { objectMode: true, highWaterMark: 4 }
    )
    await pipeline(
      rows,
      client.query(from(`copy ${quote(part.table)} (${part.columns.map(quote).join(', ')}) from stdin`))
    )
    await client.query(`alter table ${quote(part.table)} enable trigger user`)
    size.tables++
  }
}
