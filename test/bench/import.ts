import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../support/migrations.ts'
import { copyInto } from '../../core/database/copy.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { silent } from '../../core/database/connection.ts'
import { importSource } from '../../surfaces/importer.ts'
import { mappedRows } from '../support/mapped-rows.ts'
import type { Source } from '../../surfaces/import/source.ts'
import { permutedSource, writePermutedRows } from './permuted-rows.ts'

export type ImportMeasure = Readonly<{
  rows: number
  /**
   * Rows a second of a first import, of a second one that changes nothing, of reading and mapping alone, and of COPY
   * into a table without an index.
   */
  first: number
  second: number
  reading: number
  copying: number
  /** First import to bare COPY. */
  ratio: number
  /** RSS of this process at its highest, and before the first import. */
  peakMegabytes: number
  startMegabytes: number
}>

const perSecond = async (rows: number, work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return Math.round((rows / (performance.now() - started)) * 1000)
}

async function readAll({ reader }: Source, folder: string): Promise<readonly string[]> {
  const rows: string[] = []
  if (reader === undefined) return rows
  for await (const mapped of mappedRows(reader, folder)) {
    if ('reason' in mapped) throw new Error(mapped.reason)
    rows.push(JSON.stringify(mapped))
  }
  return rows
}

/** The mapped rows as text into one column: what no import can be faster than. */
async function copyAll(database: Database, rows: readonly string[]): Promise<void> {
  await database.bulk.transaction(async transaction => {
    await transaction.raw('create table bare (row jsonb)')
    await copyInto(
      transaction,
      'bare',
      ['row'],
      rows.map(row => [row])
    )
  })
}

/** Imports `rows` permuted real rows into an empty database of its own, twice. */
export async function measureImport(
  sources: ReadonlyMap<string, Source>,
  scratch: string,
  rows: number,
  say: (text: string) => void
): Promise<ImportMeasure> {
  const source = permutedSource(sources)
  const folder = await writePermutedRows(join(scratch, 'rows'), rows)
  const dataDir = join(scratch, 'import')
  const database = await openDatabase({ dataDir, log: silent })
  try {
    await migrate(database.bulk)
    const start = process.memoryUsage.rss()
    let peak = start
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 50)
    const run = (): Promise<number> =>
      perSecond(rows, async () => {
        say(JSON.stringify(await importSource(database, source, { folder })))
      })
    const [first, second] = [await run(), await run()]
    clearInterval(watch)
    let read: readonly string[] = []
    const reading = await perSecond(rows, async () => {
      read = await readAll(source, folder)
    })
    const copying = await perSecond(rows, () => copyAll(database, read))
    return {
      rows,
      first,
      second,
      reading,
      copying,
      ratio: first / copying,
      peakMegabytes: Math.round(peak / 1e6),
      startMegabytes: Math.round(start / 1e6)
    }
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const importTable = ({
  rows,
  first,
  second,
  reading,
  copying,
  ratio,
  peakMegabytes,
  startMegabytes
}: ImportMeasure): string =>
  [
    `import of ${rows} rows      rows/s`,
    `first import            ${first}   (${ratio.toFixed(2)} of a bare COPY of the same rows)`,
    `second import           ${second}`,
    `reading and mapping     ${reading}`,
    `bare COPY               ${copying}`,
    `peak RSS                ${peakMegabytes} MB   (${startMegabytes} MB before the first import)`
  ].join('\n')
