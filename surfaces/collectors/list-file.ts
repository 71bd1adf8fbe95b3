import { cutWhole, invalid, isObject, type JsonObject } from 'pantry/data'
import { tableRows, type Dialect } from '../import/reading/table-rows.ts'
import { mostLines } from './lists.ts'

/** What a list may come in. Some browsers call a table by the program that opens it. */
export const listFile = {
  types: ['text/plain', 'text/csv', 'application/vnd.ms-excel'],
  limitBytes: 40_000,
  description: `The list as a file: lines as in \`text\`, or a table (CSV) whose first line names a column \`sku\` or \`number\`, and perhaps one \`quantity\`; ${mostLines} lines at most. Of a table nothing else is read.`
}

const cardColumns = ['sku', 'number', 'card number', 'card no', 'collector number', 'card code', 'code']
const quantityColumns = ['quantity', 'qty', 'count', 'copies']

/** Columns from which a line is that of a table, and no card with a comma in it. */
const fewestColumns = 3

const delimiters: readonly Dialect['delimiter'][] = [',', ';', '\t']

const rowsOf = (text: string, delimiter: Dialect['delimiter']) => cutWhole(text, tableRows({ delimiter, quotes: true }))

/** The names of the columns: what the first line says, read as a row of itself. */
const columnsOf = (first: string, delimiter: Dialect['delimiter']): readonly string[] =>
  Object.keys(rowsOf(`${first}\n${first}`, delimiter)[0]?.row ?? {})

const plain = (name: string): string => name.replaceAll('"', '').trim().toLowerCase().replaceAll('_', ' ')

/** The text in the first of these columns that has one. */
const cellOf = (row: JsonObject, columns: readonly string[]): string | undefined =>
  columns
    .map(column => Object.entries(row).find(([name]) => plain(name) === column)?.[1])
    .flatMap(cell => (typeof cell === 'string' && cell.trim() !== '' ? [cell.replaceAll(/\s+/g, ' ').trim()] : []))[0]

/** A row as a line: the card and how many of it. Prices, links and whatever else it has go no further. */
function lineOf(row: JsonObject, number: number): string {
  // A number in the place of a SKU is that of a shop.
  const named = cellOf(row, ['sku'])
  const card = named === undefined || /^\d+$/.test(named) ? (cellOf(row, cardColumns.slice(1)) ?? named) : named
  const [, quantity] = /^(\d{1,3})(?:[.,]0{1,2})?$/.exec(cellOf(row, quantityColumns) ?? '1') ?? []
  if (card === undefined) return `Row ${number} names no card.`
  return quantity === undefined ? `Row ${number} has a quantity that is no whole number.` : `${quantity} ${card}`
}

/** The lines of a table; undefined where the text is none. */
function linesOfTable(text: string, isTable: boolean): readonly string[] | undefined {
  const [first = ''] = text.split('\n', 1)
  const columns = delimiters.map(delimiter => columnsOf(first, delimiter))
  const at = columns.findIndex(names => names.some(name => cardColumns.includes(plain(name))))
  if (at === -1 && !isTable && columns.every(names => names.length < fewestColumns)) return undefined
  if (at === -1) throw invalid('file', 'The first line of the table names no column of a card.', cardColumns)
  // Spreadsheets end with rows of nothing.
  const rows = rowsOf(text, delimiters[at] ?? ',').filter(({ row }) => Object.keys(row).length > 0)
  if (rows.length === 0) throw invalid('file', 'The table has no rows.')
  return rows.map(({ row, problem }, index) => {
    if (problem !== undefined) throw invalid('file', `Row ${index + 1} of the table cannot be read. ${problem}`)
    return lineOf(isObject(row) ? row : {}, index + 1)
  })
}

/** A pasted list and one that came as a file, as lines. */
export function joinLists(text: string, file: Readonly<{ type: string; text: () => string }> | undefined): string {
  if (file === undefined) return text
  const said = file
    .text()
    .replaceAll(/\r\n?/g, '\n')
    // So spreadsheets name the delimiter.
    .replace(/^"?sep=."?\n/i, '')
    .replace(/^\n+/, '')
  const rows = linesOfTable(said, file.type !== 'text/plain')
  return [text.trimEnd(), rows === undefined ? said : rows.join('\n')].filter(one => one.trim() !== '').join('\n')
}
