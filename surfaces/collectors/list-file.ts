import { invalid } from 'pantry/data'
import { cutWhole } from '../import/reading/cutter.ts'
import { tableRows, type Dialect } from '../import/reading/table-rows.ts'

/** What a list may come in. Some browsers call a table by the program that opens it. */
export const listFile = {
  types: ['text/plain', 'text/csv', 'text/tab-separated-values', 'application/vnd.ms-excel'],
  limitBytes: 262_144,
  description:
    'The list as a file: lines as in `text`, or a table (CSV) whose first line names a column `sku` or `number`, and one `quantity`. Of a table nothing else is read.'
}

const cardColumns = ['sku', 'number', 'card number', 'card no', 'collector number', 'card code', 'code']
const quantityColumns = ['quantity', 'qty', 'count', 'copies']

const plain = (name: string): string => name.trim().toLowerCase().replaceAll('_', ' ')

const delimiters: readonly Dialect['delimiter'][] = ['\t', ';', ',']

/**
 * The lines of a table, with the card and how many of it: prices, links and whatever else the other columns have goes
 * no further. Undefined where the first line names no column of a card.
 */
function linesOfTable(text: string): readonly string[] | undefined {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1)
  const delimiter = delimiters.find(one => first.includes(one)) ?? ','
  const names = first.split(delimiter).map(name => name.replaceAll('"', ''))
  const [card, quantity] = [cardColumns, quantityColumns].map(known =>
    known.map(wanted => names.find(name => plain(name) === wanted)).find(name => name !== undefined)
  )
  if (card === undefined) return undefined
  const rows = cutWhole(text, tableRows({ delimiter, quotes: true }))
  return rows.map(({ row, problem }, at) => {
    if (problem !== undefined) throw invalid('file', `Row ${at + 1} of the table cannot be read. ${problem}`)
    const found = row[card]
    const many = quantity === undefined ? undefined : row[quantity]
    return typeof found === 'string' ? `${typeof many === 'string' ? many : '1'} ${found}` : ''
  })
}

/** A pasted list and one that came as a file, as lines. */
export function joinLists(text: string, file: Readonly<{ type: string; text: () => string }> | undefined): string {
  if (file === undefined) return text
  const said = file.text()
  const rows = linesOfTable(said)
  if (rows === undefined && file.type !== 'text/plain')
    throw invalid('file', 'The first line of the table names no column of a card.', cardColumns)
  return [text, rows === undefined ? said : rows.join('\n')].filter(one => one.trim() !== '').join('\n')
}
