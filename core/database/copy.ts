import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Knex } from 'knex'
import type { ClientBase } from 'pg'
import { from } from 'pg-copy-streams'
import { typed } from './errors.ts'

/** A transaction of knex: its statements are kept all, or none. */
export type Transaction = Knex.Transaction
/** A column value: JSON goes in as its text, a list as an array of texts. */
export type CopyValue = string | number | null | readonly string[]

/** Bytes of one write, and how many of them stay free for a last row that is not longer than usual. */
const chunkLength = 1 << 16
const chunkSlack = 1 << 13
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escape = (text: string): string =>
  /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, character => escapes[character] ?? character) : text
const quote = (member: string): string => `"${member.replace(/["\\]/g, '\\$&')}"`

function field(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escape(value)
  return typeof value === 'number' ? String(value) : escape(`{${value.map(quote).join(',')}}`)
}

/** A row in the text format of COPY (PostgreSQL manual, COPY, "Text Format"), without the end of the line. */
export function copyLine(row: readonly CopyValue[]): string {
  let text = ''
  for (let index = 0; index < row.length; index++)
    text += index === 0 ? field(row[index] ?? null) : '\t' + field(row[index] ?? null)
  return text
}

/** Bytes of UTF-8 that grow at their end. */
export class Bytes {
  length = 0
  private buffer: Buffer

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafeSlow(size)
  }

  add(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.buffer.write(text, this.length)
  }

  addBytes(bytes: Bytes, from: number, to: number): void {
    this.reserve(to - from)
    this.length += bytes.buffer.copy(this.buffer, this.length, from, to)
  }

  /** What was added, without a copy. */
  view(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  private reserve(more: number): void {
    if (this.length + more <= this.buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.length + more))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}

/** The start of a line that is in `bytes` already, and what follows it. */
export type StartedLine = Readonly<{ bytes: Bytes; from: number; to: number; rest: string }>

/** Rows in pieces large enough for one write each. */
function* encode(rows: Iterable<readonly CopyValue[] | StartedLine>): Generator<Buffer> {
  let chunk = new Bytes(chunkLength)
  for (const row of rows) {
    if ('bytes' in row) {
      chunk.addBytes(row.bytes, row.from, row.to)
      chunk.add(`\t${row.rest}\n`)
    } else {
      chunk.add(`${copyLine(row)}\n`)
    }
    if (chunk.length >= chunkLength - chunkSlack) {
      yield chunk.view()
      chunk = new Bytes(chunkLength)
    }
  }
  if (chunk.length > 0) yield chunk.view()
}

/**
 * Commits. Rejects where that failed, such as with the connection, or over a constraint that is checked at the end:
 * `commit()` of knex does not, it says so in `executionPromise` alone.
 */
export async function commit(transaction: Transaction): Promise<void> {
  await transaction.commit()
  await transaction.executionPromise
}

/** The connection that a transaction holds, for what knex has no words for. */
export const clientOf = async (transaction: Transaction): Promise<ClientBase> =>
  (await (transaction.client as Knex.Client).acquireConnection()) as ClientBase

/**
 * Streams rows into a table with COPY, on the connection of the transaction; the start of a row may be a line of
 * `copyLine` that was made before. Table and column names are the caller's own words, never input.
 */
export async function copyInto(
  transaction: Transaction,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly CopyValue[] | StartedLine>
): Promise<void> {
  const client = await clientOf(transaction)
  const target = client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`))
  try {
    await pipeline(Readable.from(encode(rows), { objectMode: true, highWaterMark: 4 }), target)
  } catch (error) {
    throw typed(error)
  }
}
