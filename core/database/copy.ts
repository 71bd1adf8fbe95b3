import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Knex } from 'knex'
import type { ClientBase } from 'pg'
import { from } from 'pg-copy-streams'
import { toSurfaceError } from './errors.ts'

/** A transaction of knex: either all of its statements take effect, or none. */
export type Transaction = Knex.Transaction
/** The value of a column: JSON is given as text, an array column as an array of strings. */
export type CopyValue = string | number | null | readonly string[]

/** Size in bytes of one write, and the part of it that is kept free for the row that is added last. */
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

/** Returns a row in the text format of COPY (PostgreSQL manual, COPY, "Text Format"), without the line end. */
export function copyLine(row: readonly CopyValue[]): string {
  let text = ''
  for (let index = 0; index < row.length; index++)
    text += index === 0 ? field(row[index] ?? null) : '\t' + field(row[index] ?? null)
  return text
}

/** A buffer of UTF-8 bytes that grows as text is added. */
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

  /** Returns the added bytes, without copying them. */
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

/**
 * A row in the text format of COPY: its first columns are the bytes `from` to before `to` of `bytes`, and `rest` is the
 * text of the other columns, without the tab before them.
 */
export type StartedLine = Readonly<{ bytes: Bytes; from: number; to: number; rest: string }>

type CopyRow = readonly CopyValue[] | StartedLine

function addRow(chunk: Bytes, row: CopyRow): void {
  if ('bytes' in row) {
    chunk.addBytes(row.bytes, row.from, row.to)
    chunk.add(`\t${row.rest}\n`)
  } else {
    chunk.add(`${copyLine(row)}\n`)
  }
}

/** Encodes rows in chunks of about 64 KiB, each of which is sent in one write. */
function* encode(rows: Iterable<CopyRow>): Generator<Buffer> {
  let chunk = new Bytes(chunkLength)
  for (const row of rows) {
    addRow(chunk, row)
    if (chunk.length >= chunkLength - chunkSlack) {
      yield chunk.view()
      chunk = new Bytes(chunkLength)
    }
  }
  if (chunk.length > 0) yield chunk.view()
}

/** Encodes rows that come later. Apart from `encode`, because a wait for each row would slow down imports. */
async function* encodeLater(rows: AsyncIterable<CopyRow>): AsyncGenerator<Buffer> {
  let chunk = new Bytes(chunkLength)
  for await (const row of rows) {
    addRow(chunk, row)
    if (chunk.length >= chunkLength - chunkSlack) {
      yield chunk.view()
      chunk = new Bytes(chunkLength)
    }
  }
  if (chunk.length > 0) yield chunk.view()
}

/**
 * Commits a transaction. Rejects if that fails, for example because the connection was lost or a deferred constraint is
 * violated; `commit()` of knex alone resolves then, and only its `executionPromise` rejects.
 */
export async function commit(transaction: Transaction): Promise<void> {
  await transaction.commit()
  await transaction.executionPromise
}

/** Returns the pg connection of a transaction, for operations that knex does not support. */
export const clientOf = async (transaction: Transaction): Promise<ClientBase> =>
  (await (transaction.client as Knex.Client).acquireConnection()) as ClientBase

/**
 * Streams rows into a table with COPY, on the connection of the transaction; rejects with the typed errors of the
 * database. Table and column names are not escaped, so they must never be input.
 */
export async function copyInto(
  transaction: Transaction,
  table: string,
  columns: readonly string[],
  rows: Iterable<CopyRow> | AsyncIterable<CopyRow>
): Promise<void> {
  const client = await clientOf(transaction)
  const target = client.query(from(`copy ${table} (${columns.join(', ')}) from stdin`))
  try {
    const chunks = Symbol.asyncIterator in rows ? encodeLater(rows) : encode(rows)
    await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 4 }), target)
  } catch (error) {
    throw toSurfaceError(error)
  }
}
