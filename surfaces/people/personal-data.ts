import { closed, Text, Type, type JsonObject } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { personalTables } from './personal.ts'
import type { Store } from '../common/repository.ts'

/** Columns that are never exported: secrets, digests, and data without meaning for a reader. */
const never = ['digest', 'form_token', 'request', 'public_key']

const TableRows = closed({ rows: Type.Array(Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })) })

export const Export = closed({
  notice_version: Text,
  tables: Type.Record(Text, TableRows.properties.rows, {
    description: 'Rows by the name of their table, as the notice has them.'
  })
})

/** Returns the rows about a person by their table, from the list that the notice and the deletion also use. */
export async function exportOf(
  { knex, rows }: Store,
  person: string
): Promise<Readonly<Record<string, readonly JsonObject[]>>> {
  const tables: [string, readonly JsonObject[]][] = []
  for (const { table, columns, whose = 'person = :person', shown = {} } of personalTables) {
    const selected = Object.keys(columns)
      .filter(column => !never.includes(column))
      .map(column => (shown[column] === undefined ? `"${column}"` : `${shown[column]} as "${column}"`))
    const [found] = await rows(
      TableRows,
      knex.raw(
        `select coalesce(json_agg(to_json(one) order by cast(to_json(one) as text) collate "C"), '[]') as rows from (select ${selected.join(', ')} from ${table} where ${whose}) one`,
        { person }
      )
    )
    tables.push([table, found?.rows ?? []])
  }
  return Object.fromEntries(tables)
}

/**
 * Deletes rows that no foreign key deletes with the person, and removes the texts of the person from rows that stay.
 * Last table first, because the SQL of `account_acts` looks up rows of tables before it in the list.
 */
export async function eraseWords(transaction: Knex, person: string): Promise<void> {
  for (const { leaving = [] } of personalTables.toReversed())
    for (const sql of leaving) await transaction.raw(sql, { person })
}

/** Deletes the rows with personal data whose retention has ended, as the notice says. */
export async function deleteExpired({ knex }: Pick<Store, 'knex'>, signal?: AbortSignal): Promise<void> {
  for (const { table, ended } of personalTables) {
    signal?.throwIfAborted()
    if (ended !== undefined) await knex(table).whereRaw(ended).delete()
  }
}
