import { isUtf8 } from 'node:buffer'
import { isObject } from '../../core/canonical/json.ts'
import { filePieces } from '../../core/source/read-folder.ts'
import { cutItems, cutLines, type Cut, type CutProblem } from '../../core/source/records.ts'
import { isRefusal, parseSeparated, refusalText, type SeparatedRow } from '../../core/source/separated.ts'
import { parseStrictJson } from '../../core/source/strict-json.ts'
import { UsageError } from '../config.ts'
import { formOf, type BinaryForm, type FileForm, type Separator } from './file-forms.ts'
import { delimiterOf, unreadable, type TextForm } from './file-start.ts'
import { openApart, tablesApart } from './read-apart.ts'
import { withReaders } from './reader-packages.ts'
import type { FileRow, TableFile } from './table-file.ts'

type Parts = Iterable<Cut | CutProblem>

/** Yields the parts of a file; throws an OperatorFault at a place from which nothing more can be cut. */
function* sound(path: string, parts: Parts): Generator<Cut> {
  for (const part of parts) {
    if ('message' in part) throw unreadable(`${path}:${part.line}: ${part.message}`, part.hint)
    yield part
  }
}

function textOf(path: string, { bytes, line }: Cut): string {
  if (isUtf8(bytes)) return bytes.toString()
  let bad = line
  for (let from = 0, to = bytes.indexOf(10); to >= 0 && isUtf8(bytes.subarray(from, to)); bad++) {
    from = to + 1
    to = bytes.indexOf(10, from)
  }
  throw unreadable(
    `${path}:${bad}: text that is not UTF-8.`,
    'Convert the file, such as with `iconv -f windows-1252 -t utf-8`.'
  )
}

/** Reads cells as CSV has them (RFC 4180); the first line has the names of the columns. An empty cell is null. */
function* readSeparated(path: string, delimiter: string): Generator<FileRow> {
  let names: readonly string[] | undefined
  for (const cut of sound(path, cutLines(filePieces(path), { quoted: true }))) {
    for (const { record, info } of parsed(path, cut, delimiter)) {
      const line = cut.line + info.lines - 1
      if (record.length === 1 && record[0] === '') continue
      if (names === undefined) names = namesIn(path, line, record)
      else if (record.length === names.length)
        yield { line, values: new Map(names.map((name, at) => [name, emptyIsNull(record[at])])) }
      else yield { line, reason: `It has ${record.length} cells instead of ${names.length}.` }
    }
  }
}

/** Returns the names of the columns. Throws an OperatorFault if two columns have one name. */
function namesIn(path: string, line: number, record: SeparatedRow['record']): readonly string[] {
  const names = record.map(name => (name ?? '').trim())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return names
  throw unreadable(`${path}:${line}: two columns are called \`${twice}\`.`, 'Give each a name of its own.')
}

const emptyIsNull = (cell: string | null | undefined): string | null => (cell === '' ? null : (cell ?? null))

function parsed(path: string, cut: Cut, delimiter: string): readonly SeparatedRow[] {
  const text = textOf(path, cut).replace(/^\ufeff/, '')
  try {
    return parseSeparated(text, { delimiter })
  } catch (error) {
    if (!isRefusal(error)) throw error
    const before = error.records === 0 ? [] : parseSeparated(text, { delimiter, to: error.records })
    const [message, fix] = refusalText(error)
    throw unreadable(`${path}:${cut.line + (before.at(-1)?.info.lines ?? 0)}: ${message}`, fix)
  }
}

const readItem = ({ bytes, line }: Cut): FileRow => {
  const parsed = parseStrictJson(bytes)
  if (!parsed.ok) return { line, reason: parsed.message }
  return isObject(parsed.value)
    ? { line, values: new Map(Object.entries(parsed.value)) }
    : { line, reason: 'It is no object.' }
}

/** Reads JSON Lines: an object on each line. */
function* readLines(path: string): Generator<FileRow> {
  for (const { bytes, line } of sound(path, cutLines(filePieces(path)))) {
    let from = 0
    for (let at = line; from < bytes.length; at++) {
      const end = bytes.indexOf(0x0a, from)
      const item = bytes.subarray(from, end === -1 ? bytes.length : end)
      if (item.toString().trim() !== '') yield readItem({ bytes: item, line: at, from, lineFrom: from, column: 1 })
      from = end === -1 ? bytes.length : end + 1
    }
  }
}

function* readList(path: string): Generator<FileRow> {
  for (const cut of sound(path, cutItems(filePieces(path)))) yield readItem(cut)
}

type Read = (path: string, delimiter: string) => Generator<FileRow>

const reads: Readonly<Record<TextForm, Read>> = {
  csv: readSeparated,
  tsv: readSeparated,
  jsonl: readLines,
  json: readList
}

function openText(path: string, form: TextForm, separator: Separator | undefined): TableFile {
  const delimiter = delimiterOf(path, form, separator)
  return { read: () => reads[form](path, delimiter), declared: new Map(), notes: new Set() }
}

/**
 * What is read: a file, its form if its name does not say it, what separates its cells if the first line does not show
 * it, and the table or sheet where it has several. `by`: how that is named, for messages.
 */
export type WantedFile = Readonly<{
  file: string
  fileFormat?: FileForm | undefined
  separator?: Separator | undefined
  fromTable?: string | undefined
  by?: string
}>

const binary: readonly FileForm[] = ['parquet', 'sqlite', 'xlsx']
const isBinary = (form: FileForm): form is BinaryForm => binary.includes(form)

/** Opens a file. Throws a UsageError for an option that is not of its form, an OperatorFault if it cannot be read. */
export async function openFile({ file, fileFormat, separator, fromTable, by }: WantedFile): Promise<TableFile> {
  const form = formOf(file, fileFormat)
  if (separator !== undefined && form !== 'csv' && form !== 'tsv')
    throw new UsageError(`--separator is of files of separated cells, but \`${file}\` is read as ${form}.`)
  if (fromTable !== undefined && form !== 'sqlite' && form !== 'xlsx')
    throw new UsageError(
      `--from-table names a table of an SQLite file or a sheet of a workbook, but the file is \`${file}\`.`
    )
  if (!isBinary(form)) return openText(file, form, separator)
  return await withReaders(file, form, async () => await openApart({ path: file, form, table: fromTable, by }))
}

/** Returns the names of the tables of an SQLite file, or of the sheets of a workbook. */
export const tablesOf = async (path: string, form: BinaryForm): Promise<readonly string[]> =>
  await withReaders(path, form, async () => await tablesApart({ path, form }))
