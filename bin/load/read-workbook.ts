import type { Sheet } from 'read-excel-file/node'
import type { JsonValue } from '../../core/canonical/json.ts'
import { suggest } from '../../core/diagnostics/suggest.ts'
import { UsageError } from '../config.ts'
import { messageOf } from '../io.ts'
import type { FileRow, TableFile } from './table-file.ts'

const named = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

/** Returns the sheets that have cells. */
async function sheetsIn(path: string): Promise<readonly Sheet[]> {
  const { default: readWorkbook } = await import('read-excel-file/node')
  const sheets = await readWorkbook(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read as a workbook: ${messageOf(error)}`, { cause: error })
  })
  return sheets.filter(({ data }) => data.length > 0)
}

/** Returns the sheet to read: the one that is named, or the only one. Throws a UsageError that lists them. */
function sheetIn(path: string, sheets: readonly Sheet[], wanted: string | undefined, by: string): Sheet {
  const names = sheets.map(({ sheet }) => sheet)
  if (wanted === undefined) {
    const [only] = sheets
    if (only !== undefined && sheets.length === 1) return only
    throw new UsageError(
      names.length === 0
        ? `${path} has no sheet with rows.`
        : `${path} has ${names.length} sheets: name one with ${by}: ${named(names)}.`
    )
  }
  const found = sheets.find(({ sheet }) => sheet === wanted)
  if (found !== undefined) return found
  const near = suggest(wanted, names)
  throw new UsageError(
    `${by}: ${path} has no sheet \`${wanted}\`${near === undefined ? `; it has ${named(names)}` : `; did you mean \`${near}\``}.`
  )
}

/** Returns the value of a cell: a day, or a day with its time, as ISO 8601 writes it. */
function valueOf(cell: unknown): JsonValue {
  if (!(cell instanceof Date))
    return typeof cell === 'string' || typeof cell === 'boolean' || Number.isFinite(cell) ? (cell as JsonValue) : null
  const text = cell.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text
}

const textOf = (value: JsonValue): string => (typeof value === 'object' ? '' : String(value).trim())

/** Returns the columns with a name, by their names in the first row. Of two with one name the first is taken. */
function columnsIn([first = []]: Sheet['data'], notes: Set<string>): ReadonlyMap<string, number> {
  const columns = new Map<string, number>()
  for (const [at, cell] of first.entries()) {
    const name = textOf(valueOf(cell))
    if (name === '') continue
    if (columns.has(name)) notes.add(`Of two columns \`${name}\` the first is taken.`)
    else columns.set(name, at)
  }
  return columns
}

/** Returns the names of the sheets of a workbook that have rows. */
export const sheetsOfWorkbook = async (path: string): Promise<readonly string[]> =>
  (await sheetsIn(path)).map(({ sheet }) => sheet)

/**
 * Opens a workbook (Office Open XML, ISO/IEC 29500): the rows of a sheet, whose first row names the columns. Formulas
 * are not computed: their last result counts. `by`: how a sheet is named, for messages.
 */
export async function openWorkbook(path: string, wanted?: string, by = '--from-table'): Promise<TableFile> {
  const { data } = sheetIn(path, await sheetsIn(path), wanted, by)
  const notes = new Set<string>()
  const columns = columnsIn(data, notes)
  if (columns.size === 0) throw new UsageError(`${path} has no names of columns in the first row of the sheet.`)
  const rows = data
    .slice(1)
    .map((cells, at): FileRow => ({
      line: at + 2,
      values: new Map([...columns].map(([name, column]) => [name, valueOf(cells[column])]))
    }))
  return { declared: new Map(), notes, read: () => rows.filter(row => !isBlank(row)) }
}

const isBlank = (row: FileRow): boolean => 'values' in row && [...row.values.values()].every(value => value === null)
