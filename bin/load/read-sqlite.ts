import { isUtf8 } from 'node:buffer'
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import type { Database, SqlValue } from 'sql.js'
import type { JsonValue } from '../../core/canonical/json.ts'
import { suggest } from '../../core/diagnostics/suggest.ts'
import { UsageError } from '../config.ts'
import { messageOf } from '../io.ts'
import type { DeclaredType } from './column-types.ts'
import type { FileRow, TableFile } from './table-file.ts'

/** The whole file is in memory while it is read. */
const mostBytes = 1 << 28
const magic = 'SQLite format 3\0'

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const named = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

/** Returns the first 100 bytes of a file and its size, after it is plain that it can be read. */
function headOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(100)
    const { size } = fstatSync(file)
    if (readSync(file, head) < head.length || head.toString('latin1', 0, magic.length) !== magic)
      throw new UsageError(`${path} is no SQLite file: it does not begin with \`SQLite format 3\`.`)
    if (size > mostBytes)
      throw new UsageError(
        `${path} has ${Math.ceil(size / 2 ** 20)} MiB, and at most ${mostBytes / 2 ** 20} MiB are read. Write the table as CSV, and load that: sqlite3 -header -csv ${path} 'select * from <table>' > <table>.csv`
      )
    // The size in pages counts only where the two counters are the same (SQLite file format, 1.3.7).
    const pageSize = head.readUInt16BE(16) === 1 ? 1 << 16 : head.readUInt16BE(16)
    if (head.readUInt32BE(24) === head.readUInt32BE(92) && head.readUInt32BE(28) * pageSize > size)
      throw new UsageError(`${path} is cut off: it has ${size} bytes of ${head.readUInt32BE(28) * pageSize}.`)
    return head
  } finally {
    closeSync(file)
  }
}

/** Throws a UsageError where changes are beside the file, which would be missing. */
function requireWhole(path: string): void {
  for (const ending of ['-wal', '-journal']) {
    const beside = `${path}${ending}`
    if (existsSync(beside) && statSync(beside).size > 0)
      throw new UsageError(
        `${beside} has changes that are not in ${path}: close the program that writes it, or run: sqlite3 ${path} 'pragma wal_checkpoint(truncate)'`
      )
  }
}

type Column = Readonly<{ name: string; declared: string }>
type Source = Readonly<{ table: string; columns: readonly Column[]; isUtf16: false | 'le' | 'be' }>

const textsIn = (database: Database, sql: string): readonly (readonly string[])[] =>
  (database.exec(sql)[0]?.values ?? []).map(row => row.map(String))

type Table = Readonly<{ name: string; isTable: boolean }>

const tablesIn = (database: Database): readonly Table[] =>
  textsIn(
    database,
    `select name, type from pragma_table_list where schema = 'main' and type in ('table', 'view', 'virtual') and name not like 'sqlite\\_%' escape '\\' order by name`
  ).map(([name = '', type]) => ({ name, isTable: type === 'table' }))

/** Returns the table to read: the one that is named, or the only one. Throws a UsageError that lists them. */
function tableIn(path: string, database: Database, wanted: string | undefined, by: string): string {
  const all = tablesIn(database)
  const names = all.map(({ name }) => name)
  const tables = all.flatMap(({ name, isTable }) => (isTable ? [name] : []))
  if (wanted === undefined) {
    const [only] = tables
    if (only !== undefined && tables.length === 1) return only
    throw new UsageError(
      names.length === 0
        ? `${path} has no table.`
        : `${path} has ${names.length} tables: name one with ${by}: ${named(names)}.`
    )
  }
  if (names.includes(wanted)) return wanted
  const near = suggest(wanted, names)
  throw new UsageError(
    `${by}: ${path} has no table \`${wanted}\`${near === undefined ? `; it has ${named(names)}` : `; did you mean \`${near}\``}.`
  )
}

/** Returns what the declared type of a column allows (SQLite, "Datatypes", 3.1). A date is a text there. */
function typeOf(declared: string): DeclaredType | undefined {
  if (/INT/i.test(declared)) return { among: ['integer', 'bigint', 'double precision'], empty: 'bigint' }
  if (/CHAR|CLOB|TEXT/i.test(declared)) return { among: ['date', 'timestamp with time zone'], empty: 'text' }
  if (/REAL|FLOA|DOUB/i.test(declared)) return { among: ['double precision'], empty: 'double precision' }
  return /BOOL/i.test(declared) ? { among: ['boolean', 'integer', 'bigint'], empty: 'boolean' } : undefined
}

/** Returns a column as it is selected: a text as its bytes, because it may hold U+0000, and bytes as a word. */
const selected = ({ name }: Column): string => {
  const column = quoted(name)
  return `case typeof(${column}) when 'text' then cast(${column} as blob) when 'blob' then 'blob' else ${column} end`
}

const utf16 = { le: new TextDecoder('utf-16le', { fatal: true }), be: new TextDecoder('utf-16be', { fatal: true }) }

/** Decodes a text; undefined if its bytes are none in the encoding of the file. */
function textOf(bytes: Uint8Array, isUtf16: Source['isUtf16']): string | undefined {
  if (isUtf16 === false) return isUtf8(bytes) ? Buffer.from(bytes).toString() : undefined
  try {
    return utf16[isUtf16].decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns the value of a cell, or why it cannot be loaded. */
function valueOf(
  value: SqlValue,
  { declared }: Column,
  isUtf16: Source['isUtf16'],
  tell: (what: string) => void
): Readonly<{ value: JsonValue } | { reason: string }> {
  if (value === null) return { value }
  if (value instanceof Uint8Array) {
    const text = textOf(value, isUtf16)
    return text === undefined ? { reason: 'is text in another encoding' } : { value: text }
  }
  if (typeof value === 'string') return { reason: 'holds bytes' }
  if (typeof value === 'bigint') {
    if (/BOOL/i.test(declared) && (value === 0n || value === 1n)) return { value: value === 1n }
    return { value: Number.isSafeInteger(Number(value)) ? Number(value) : String(value) }
  }
  if (Number.isFinite(value)) return { value }
  tell('infinity is null')
  return { value: null }
}

function* rowsIn(database: Database, { table, columns, isUtf16 }: Source, notes: Set<string>): Generator<FileRow> {
  const statement = database.prepare(`select ${columns.map(selected).join(', ')} from ${quoted(table)}`)
  try {
    for (let line = 1; statement.step(); line++) {
      const cells = statement.get(null, { useBigInt: true })
      const values = new Map<string, JsonValue>()
      let reason: string | undefined
      for (const [at, column] of columns.entries()) {
        const cell = valueOf(cells[at] ?? null, column, isUtf16, what => notes.add(`\`${column.name}\`: ${what}.`))
        if ('reason' in cell) reason ??= `\`${column.name}\` ${cell.reason}.`
        else values.set(column.name, cell.value)
      }
      yield reason === undefined ? { line, values } : { line, reason }
    }
  } finally {
    statement.free()
  }
}

/** Returns the columns of a table without those of bytes, which are noted. */
function columnsIn(database: Database, table: string, notes: Set<string>): readonly Column[] {
  // `hidden` is 1 for a column of a virtual table that is no value.
  const all = textsIn(
    database,
    `select name, type from pragma_table_xinfo('${table.replaceAll("'", "''")}') where hidden <> 1 order by cid`
  ).map(([name = '', declared = '']): Column => ({ name, declared }))
  const counts = database.exec(
    `select ${all.map(({ name }) => `sum(typeof(${quoted(name)}) = 'blob'), count(${quoted(name)})`).join(', ')} from ${quoted(table)}`
  )[0]?.values[0]
  return all.filter(({ name, declared }, at) => {
    const [blobs, count] = [Number(counts?.[at * 2] ?? 0), Number(counts?.[at * 2 + 1] ?? 0)]
    const isBytes = blobs === count && (blobs > 0 || /BLOB/i.test(declared))
    if (isBytes) notes.add(`\`${name}\` is not taken: it holds bytes.`)
    return !isBytes
  })
}

type Opened = <T>(work: (database: Database) => Iterable<T>) => Generator<T>

/** Returns a function that opens an SQLite file for some work, and closes it. The file is never written. */
async function opener(path: string): Promise<Opened> {
  headOf(path)
  requireWhole(path)
  const sqlite = await (await import('sql.js')).default()
  return function* (work) {
    const bytes = readFileSync(path)
    // A file in the mode of write-ahead logs cannot be opened without shared memory; its log is empty.
    bytes[18] = bytes[19] = 1
    const database = new sqlite.Database(bytes)
    try {
      database.run('pragma trusted_schema = off; pragma query_only = on')
      yield* work(database)
    } catch (error) {
      if (error instanceof UsageError) throw error
      throw new UsageError(`${path} cannot be read as SQLite: ${messageOf(error)}.`, { cause: error })
    } finally {
      database.close()
    }
  }
}

/** Returns the names of the tables and views of an SQLite file, without its own. */
export async function tablesOfSqlite(path: string): Promise<readonly string[]> {
  return [...(await opener(path))(database => tablesIn(database).map(({ name }) => name))]
}

/**
 * Opens an SQLite file: the columns of one of its tables or views, and its rows. `by`: how a table is named, for
 * messages.
 */
export async function openSqlite(path: string, wanted?: string, by = '--from-table'): Promise<TableFile> {
  const opened = await opener(path)
  const notes = new Set<string>()
  const [source] = opened(database => {
    const [[found] = []] = textsIn(database, 'pragma quick_check(1)')
    if (found !== 'ok') throw new Error(found ?? 'it is damaged')
    const table = tableIn(path, database, wanted, by)
    const [[encoding = ''] = []] = textsIn(database, 'pragma encoding')
    const isUtf16 = encoding === 'UTF-16le' ? 'le' : encoding === 'UTF-16be' ? 'be' : false
    return [{ table, columns: columnsIn(database, table, notes), isUtf16 } satisfies Source]
  })
  if (source === undefined || source.columns.length === 0)
    throw new UsageError(`${path} has no column that can be loaded. ${[...notes].join(' ')}`.trim())
  return {
    declared: new Map(
      source.columns.flatMap(({ name, declared }): [string, DeclaredType][] => {
        const type = typeOf(declared)
        return type === undefined ? [] : [[name, type]]
      })
    ),
    notes,
    read: () => opened(database => rowsIn(database, source, notes))
  }
}
