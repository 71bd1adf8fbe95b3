import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import type { Mapped } from '../../../surfaces/import/reading/map-row.ts'
import type { Source } from '../../../surfaces/import/source.ts'
import { mappedRows } from '../../support/mapped-rows.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { lantern } from './lantern.ts'

/** A row as the files of these tests hold it. */
export type Row = Readonly<{
  id: string
  set?: string
  number?: string
  lang?: string
  variant?: string
  name?: string
  setName?: string
  released?: string
  total?: number
  /** The code of the set in which it came. */
  printedIn?: string
}>

/** A source whose rows are in `rows.json`, with every field where its name says. */
export const plain = (id = 'plain'): Source => ({
  ...lantern,
  id,
  reader: {
    files: [{ shape: 'json', path: 'rows.json' }],
    rows: [{ as: 'row' }],
    map: {
      native_id: 'row.id',
      game: { const: 'lan' },
      set_code: 'row.set',
      set_name: 'row.setName',
      released_on: 'row.released',
      declared_total: 'row.total',
      number: 'row.number',
      lang: 'row.lang',
      variant: 'row.variant',
      name: 'row.name',
      printed_in: { kind: { const: 'set' }, code: 'row.printedIn' }
    }
  }
})

/** Writes the rows of a `plain` source; fields left out get those of an ordinary card. */
export function writeRows(folder: string, rows: readonly Row[]): string {
  writeFileSync(
    join(folder, 'rows.json'),
    JSON.stringify(rows.map(row => ({ set: 'AB1', number: '001', lang: 'en', ...row })))
  )
  return folder
}

/** What is kept of the rows of a source; `files`: its files by path. Throws where a row is left out. */
export async function rowsOf(
  t: Test,
  { reader, attributes }: Pick<Source, 'reader' | 'attributes'>,
  files: Readonly<Record<string, unknown>>
): Promise<readonly Mapped['row'][]> {
  const folder = scratchFolder(t)
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value))
  }
  const rows: Mapped['row'][] = []
  for await (const mapped of mappedRows(reader!, folder, { rules: { attributes } })) {
    if ('reason' in mapped) throw new Error(mapped.reason)
    rows.push(mapped.row)
  }
  return rows
}
