import { createRequire } from 'node:module'
import type * as Csv from 'csv-parse/sync'

const require = createRequire(import.meta.url)
/** Returns the CSV parser, which is loaded at the first call. */
const csv = (): typeof Csv => require('csv-parse/sync') as typeof Csv

/** A row, with the bytes and lines of the text up to its end. */
export type SeparatedRow = Readonly<{
  record: readonly (string | null)[]
  info: Readonly<{ bytes: number; lines: number }>
}>

/**
 * `delimiter`: default a comma. `to`: the number of rows to read. `hasNull`: an empty cell without quotation marks is
 * null, which takes ten times as long.
 */
type Options = Readonly<{ delimiter?: string; to?: number; hasNull?: boolean }>

/** The error at which the parser stopped. `records`: the rows before it; `lines`: the lines of the text up to it. */
export type Refusal = Error & Readonly<{ code: string; records: number; column: number; lines: number }>

/** Parses CSV (RFC 4180) with rows of any length. Throws a `Refusal`. */
export const parseSeparated = (
  text: string,
  { delimiter = ',', to, hasNull = false }: Options = {}
): readonly SeparatedRow[] =>
  csv().parse(text, {
    delimiter,
    info: true,
    relax_column_count: true,
    to: to ?? null,
    ...(hasNull
      ? { cast: (cell: string, { quoting }: { quoting: boolean }) => (cell === '' && !quoting ? null : cell) }
      : {})
    // The package's types do not know that `info` wraps each row.
  }) as unknown as readonly SeparatedRow[]

const sentences: Readonly<{ [code: string]: readonly [message: string, hint: string] | undefined }> = {
  INVALID_OPENING_QUOTE: [
    'A cell holds a quote and does not begin with one.',
    'Put the whole cell between quotes, and write a quote in it twice.'
  ],
  CSV_INVALID_CLOSING_QUOTE: ['Text follows the quote that ends a cell.', 'Write a quote within a cell twice.'],
  CSV_QUOTE_NOT_CLOSED: ['A quote does not end.', 'Close it.']
}

/** Returns what is wrong with the row at which the parser stopped, and how to correct it. */
export const refusalText = ({ code, message }: Refusal): readonly [message: string, hint: string] =>
  sentences[code] ?? [message, 'See RFC 4180.']

export const isRefusal = (error: unknown): error is Refusal => error instanceof csv().CsvError
