import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Knex } from 'knex'
import type { ClientBase } from 'pg'
import { from } from 'pg-copy-streams'
import { typed } from './errors.ts'

export type Transaction = Knex.Transaction
/** A column value: JSON goes in as its text, a list as an array of texts. */
export type CopyValue = string | number | null | readonly string[]

const chunkLength = 1 << 16
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escape = (text: string): string => /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, character => escapes[character] ?? character) : text
const quote = (member: string): string => `"${member.replace(/["\\]/g, '\\$&')}"`

function field (value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escape(value)
  return typeof value === 'number' ? String(value) : escape(`{${value.map(quote).join(',')}}`)
}

/** A row in the text format of COPY (PostgreSQL manual, COPY, "Text Format"), without the end of the line. Lines join to longer ones with a tab. */
export function copyLine (row: readonly CopyValue[]): string {
  let text = ''
  for (let index = 0; index < row.length; index++) text += index === 0 ? field(row[index] ?? null) : '\t' + field(row[index] ?? null)
  return text
}

/** Rows, or lines made of them before, in pieces large enough for one write each. */
function * encode (rows: Iterable<readonly CopyValue[] | string>): Generator<Buffer> {
  let chunk = ''
  for (const row of rows) {
    chunk += typeof row === 'string' ? row : copyLine(row)
    chunk += '\n'
    if (chunk.length >= chunkLength) {
      yield Buffer.from(chunk)
      chunk = ''
    }
  }
  if (chunk !== '') yield Buffer.from(chunk)
}

/** Streams rows, or lines of `copyLine`, into a table with COPY, on the connection of the transaction. Table and column names are the caller's own words, never input. */
export async function copyInto (
  transaction: Transaction,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[] | string>
): Promise<void> {
  const client = await (transaction as unknown as { client: { acquireConnection: () => Promise<ClientBase> } }).client.acquireConnection()
  const target = client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`))
  try {
    await pipeline(Readable.from(encode(rows), { objectMode: true, highWaterMark: 4 }), target)
  } catch (error) {
    throw typed(error)
  }
}
