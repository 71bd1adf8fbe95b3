import type { JsonValue } from '../canonical/json.ts'
import type { FormatModule, View } from './format.ts'

/** What spreadsheets read as the beginning of a formula, in the narrow and the wide form. */
const formula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹢﹣])/u
const needsQuotes = /[",\r\n]|^\s|\s$|^$/

/**
 * A cell. Nothing is there for null and for what an entry does not have; an empty text has quotes. Lists and mappings
 * are JSON. A text that a spreadsheet would run as a formula has an apostrophe before it; a number is a number.
 */
function cell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The entries of a collection, one row each, below a row of their names (RFC 4180). */
function renderCsv({ list }: View): string {
  const { entries, columns } = list ?? { entries: [], columns: [] }
  return [columns, ...entries.map(entry => columns.map(name => entry[name]))]
    .map(row => `${row.map(cell).join(',')}\r\n`)
    .join('')
}

export const csv: FormatModule = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  accepts: ['text/csv'],
  of: ['list'],
  render: renderCsv
}
