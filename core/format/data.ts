import type { JsonValue } from '../canonical/json.ts'
import type { Entry } from '../corpus/corpus.ts'
import { bodyOf, titleOf, type FormatModule } from './format.ts'

/** JSON of the data alone; the envelope is not part of this format. */
export const json: FormatModule = {
  mediaType: 'application/json; charset=utf-8',
  accepts: ['application/json', 'application/*+json'],
  of: ['value'],
  render: ({ data }) => JSON.stringify(data)
}

/**
 * JSON-LD 1.1 with the vocabulary of schema.org. It has only what is known of every document; a handler that knows more
 * gives a rendering of its own.
 */
export const jsonld: FormatModule = {
  mediaType: 'application/ld+json; charset=utf-8',
  accepts: ['application/ld+json'],
  of: ['object'],
  render({ title, summary, url, service, origin, site, list }) {
    const [entry] = list?.isOne === true ? list.entries : []
    const [name, text] =
      list === undefined || entry === undefined
        ? [title, '']
        : [titleOf(entry, list.roles, list.key), bodyOf(entry, list.roles)]
    return JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'CreativeWork',
      '@id': url,
      name,
      description: text === '' ? summary : text,
      url,
      publisher: { '@type': 'Organization', name: service, url: origin + (site.under?.base ?? '') }
    })
  }
}

const jsonLines = (items: readonly unknown[]): string => items.map(item => `${JSON.stringify(item)}\n`).join('')

export const ndjson: FormatModule = {
  mediaType: 'application/x-ndjson; charset=utf-8',
  accepts: ['application/x-ndjson'],
  of: ['list', 'lines'],
  render: ({ list, data }) => jsonLines(list?.entries ?? [data].flat()),
  parts: { begin: () => '', write: jsonLines }
}

/**
 * Matches text that spreadsheets may run as a formula: it begins with a tab or a line break, or, after spaces and
 * invisible characters, with a sign (ASCII, full-width or small).
 */
const formula = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠﹢﹣])/u
const needsQuotes = /[",\r\n]|^\s|\s$|^$/

/**
 * Writes a cell. Null and missing values are empty; an empty string is `""`. Lists and objects are JSON. A string that
 * a spreadsheet may run as a formula gets a leading apostrophe; numbers and booleans never do.
 */
function cell(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns a line of CSV (RFC 4180), with its end. */
export const csvRow = (cells: readonly (JsonValue | undefined)[]): string => `${cells.map(cell).join(',')}\r\n`

const csvRows = (entries: readonly Entry[], columns: readonly string[]): string =>
  entries.map(entry => csvRow(columns.map(name => entry[name]))).join('')

/** CSV (RFC 4180) of the entries of a list; the first row has the names of the fields. */
export const csv: FormatModule = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  accepts: ['text/csv'],
  of: ['list'],
  render: ({ list: { entries, columns } = { entries: [], columns: [] } }) =>
    csvRow(columns) + csvRows(entries, columns),
  parts: { begin: csvRow, write: csvRows }
}
