/** The program of a process that reads one file, and sends its rows in parts, each when it is asked for. */
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { UsageError } from '../config.ts'
import { messageOf } from '../io.ts'
import type { BinaryForm } from './file-forms.ts'
import type { ReadFailure, ReadOpening, ReadOrder, ReadPart, ReadTables } from './read-apart.ts'
import type { FileRow, TableFile } from './table-file.ts'

/** The most rows of a part, and characters of texts in it, from which the next row is in another one. */
const mostRows = 512
const mostCharacters = 1 << 20

/** Milliseconds between two looks at the memory. */
const lookMs = 50

const charactersIn = (row: FileRow): number =>
  'values' in row
    ? [...row.values.values()].reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    : row.reason.length

async function* partsOf({ read, notes }: TableFile): AsyncGenerator<ReadPart> {
  let rows: FileRow[] = []
  let characters = 0
  for await (const row of read()) {
    rows.push(row)
    characters += charactersIn(row)
    if (rows.length < mostRows && characters < mostCharacters) continue
    yield { rows, notes: [...notes], isLast: false }
    rows = []
    characters = 0
  }
  yield { rows, notes: [...notes], isLast: true }
}

const failureOf = (error: unknown): ReadFailure => ({
  failed: messageOf(error),
  isUsage: error instanceof UsageError,
  code: error instanceof Error && 'code' in error ? String(error.code) : undefined
})

const send = (said: ReadOpening | ReadTables | ReadPart | ReadFailure): void => {
  process.send?.(said)
}

type Reader = Readonly<{ open: () => Promise<TableFile>; tables: () => Promise<readonly string[]> }>

/** How a file is read. Each form needs packages of its own, and only those of this file are installed. */
const readers: Readonly<Record<BinaryForm, (order: ReadOrder) => Promise<Reader>>> = {
  parquet: async ({ path }) => {
    const { openParquet } = await import('./read-parquet.ts')
    return { open: () => openParquet(path), tables: () => Promise.resolve([]) }
  },
  sqlite: async ({ path, table, by }) => {
    const { openSqlite, tablesOfSqlite } = await import('./read-sqlite.ts')
    return { open: () => openSqlite(path, table, by), tables: () => tablesOfSqlite(path) }
  },
  xlsx: async ({ path, table, by }) => {
    const { openWorkbook, sheetsOfWorkbook } = await import('./read-workbook.ts')
    return { open: () => openWorkbook(path, table, by), tables: () => sheetsOfWorkbook(path) }
  }
}

async function read(order: ReadOrder): Promise<void> {
  try {
    const { open, tables } = await readers[order.form](order)
    if (order.asks === 'tables') {
      send({ tables: await tables() })
      return
    }
    const file = await open()
    const parts = partsOf(file)
    process.on('message', () => {
      parts.next().then(
        ({ value }) => {
          send(value as ReadPart)
        },
        (error: unknown) => {
          send(failureOf(error))
        }
      )
    })
    send({ declared: file.declared, notes: [...file.notes] })
  } catch (error) {
    send(failureOf(error))
  }
}

/** Ends the process where it takes too much memory, or the one that began it is gone: reading may never pause. */
function watch(memory: number): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.memoryUsage.rss() > memory || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, lookMs)
}

if (isMainThread) {
  process.once('disconnect', () => {
    process.exit()
  })
  process.once('message', (order: ReadOrder) => {
    new Worker(new URL(import.meta.url), { workerData: order.memory })
    void read(order)
  })
} else watch(workerData as number)
