import type { JsonValue } from '../canonical/json.ts'
import type { FormatModule, View } from './format.ts'

/** Text that spreadsheets take for a formula, with ASCII or full-width signs. */
const formula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹢﹣])/u
const needsQuotes = /[",\r\n]|^\s|\s$|^$/

/**
 * Writes a cell. Null and missing values are empty; an empty string is quoted. Lists and objects are JSON. A string
 * that a spreadsheet would run as a formula gets a leading apostrophe; numbers are unchanged.
 */
function cell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Writes the entries of a collection, one row each, below a header row (RFC 4180). */
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
