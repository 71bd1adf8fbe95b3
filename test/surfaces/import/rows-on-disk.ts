import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../../surfaces/import/source.ts'
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
