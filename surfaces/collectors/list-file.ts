import { cutWhole, invalid, isObject, type JsonObject } from 'pantry/data'
import { tableRows, type Dialect } from '../import/reading/table-rows.ts'
import { mostLines } from './lists.ts'

/** File types of a list. Some browsers report CSV files as `application/vnd.ms-excel`. */
export const listFile = {
  types: ['text/plain', 'text/csv', 'application/vnd.ms-excel'],
  limitBytes: 40_000,
  description: `The list as a file: lines as in \`text\`, or a table (CSV) whose first line names a column \`sku\` or \`number\`, and perhaps one \`quantity\`; ${mostLines} lines at most. Of a table nothing else is read.`
}

const cardColumns = ['sku', 'number', 'card number', 'card no', 'collector number', 'card code', 'code']
const quantityColumns = ['quantity', 'qty', 'count', 'copies']

/** The number of columns from which a first line counts as a table, and not as a card name with commas. */
const fewestColumns = 3

const delimiters: readonly Dialect['delimiter'][] = [',', ';', '\t']

const rowsOf = (text: string, delimiter: Dialect['delimiter']) => cutWhole(text, tableRows({ delimiter, quotes: true }))

/** Returns the column names in the first line. The line is parsed twice, as header and as row. */
const columnsOf = (first: string, delimiter: Dialect['delimiter']): readonly string[] =>
  Object.keys(rowsOf(`${first}\n${first}`, delimiter)[0]?.row ?? {})

const plain = (name: string): string => name.replaceAll('"', '').trim().toLowerCase().replaceAll('_', ' ')

/** Returns the text of the first of these columns that is not empty. */
const cellOf = (row: JsonObject, columns: readonly string[]): string | undefined =>
  columns
    .map(column => Object.entries(row).find(([name]) => plain(name) === column)?.[1])
    .flatMap(cell => (typeof cell === 'string' && cell.trim() !== '' ? [cell.replaceAll(/\s+/g, ' ').trim()] : []))[0]

/** Converts a row to a line with quantity and card. All other columns, such as prices, are dropped. */
function lineOf(row: JsonObject, number: number): string {
  // A numeric SKU is the article number of a shop.
  const named = cellOf(row, ['sku'])
  const card = named === undefined || /^\d+$/.test(named) ? (cellOf(row, cardColumns.slice(1)) ?? named) : named
  const [, quantity] = /^(\d{1,3})(?:[.,]0{1,2})?$/.exec(cellOf(row, quantityColumns) ?? '1') ?? []
  if (card === undefined) return `Row ${number} names no card.`
  return quantity === undefined ? `Row ${number} has a quantity that is no whole number.` : `${quantity} ${card}`
}

/** Converts a table to lines; undefined if the text is not a table. */
function linesOfTable(text: string, isTable: boolean): readonly string[] | undefined {
  const [first = ''] = text.split('\n', 1)
  const columns = delimiters.map(delimiter => columnsOf(first, delimiter))
  const at = columns.findIndex(names => names.some(name => cardColumns.includes(plain(name))))
  if (at === -1 && !isTable && columns.every(names => names.length < fewestColumns)) return undefined
  if (at === -1) throw invalid('file', 'The first line of the table names no column of a card.', cardColumns)
  // Spreadsheets end with empty rows.
  const rows = rowsOf(text, delimiters[at] ?? ',').filter(({ row }) => Object.keys(row).length > 0)
  if (rows.length === 0) throw invalid('file', 'The table has no rows.')
  return rows.map(({ row, problem }, index) => {
    if (problem !== undefined) throw invalid('file', `Row ${index + 1} of the table cannot be read. ${problem}`)
    return lineOf(isObject(row) ? row : {}, index + 1)
  })
}

/** Joins a pasted list with the lines of an uploaded file. */
export function joinLists(text: string, file: Readonly<{ type: string; text: () => string }> | undefined): string {
  if (file === undefined) return text
  const said = file
    .text()
    .replaceAll(/\r\n?/g, '\n')
    // Removes the line with which spreadsheets declare the delimiter.
    .replace(/^"?sep=."?\n/i, '')
    .replace(/^\n+/, '')
  const rows = linesOfTable(said, file.type !== 'text/plain')
  return [text.trimEnd(), rows === undefined ? said : rows.join('\n')].filter(one => one.trim() !== '').join('\n')
}
