import { cutWhole, invalid, isObject, type JsonObject } from 'pantry/data'
import { tableRows, type Dialect } from '../import/reading/table-rows.ts'
import { isHeldBack } from './held-back.ts'
import { readValue, tableForms, type FormId, type LineField, type Section, type TableForm } from './forms.ts'
import {
  headingOf,
  isAside,
  maxCardLength,
  maxCount,
  readLine,
  textOf,
  type ListLine,
  type UnreadLine
} from './list-text.ts'

/** A list that was read. */
export type ReadList = Readonly<{
  /** The form that most lines have; null if no line says anything. */
  form: FormId | null
  lines: readonly (ListLine | UnreadLine)[]
  /** The names of the columns that were not read. */
  leftOut: readonly string[]
}>

/** `isTable`: whether the text is said to be a table; `field`: of errors; `most`: the most lines that are wanted. */
type ReadOptions = Readonly<{ isTable?: boolean; field?: string; most?: number }>

const delimiters: readonly Dialect['delimiter'][] = [',', ';', '\t']

const rowsOf = (text: string, delimiter: Dialect['delimiter']) => cutWhole(text, tableRows({ delimiter, quotes: true }))

/**
 * Returns the names of the columns in the first line of a table. It is parsed twice, as header and as row, because only
 * a row has the names.
 */
const columnsOf = (first: string, delimiter: Dialect['delimiter']): readonly string[] =>
  Object.keys(rowsOf(`${first}\n${first}`, delimiter)[0]?.row ?? {})

const plain = (name: string): string => name.replaceAll('"', '').trim().toLowerCase().replaceAll('_', ' ')

const forms: readonly TableForm[] = tableForms

const allColumns = ({ columns, also = [] }: TableForm): TableForm['columns'] => [...columns, ...also]

const headsOf = (form: TableForm, field: LineField | 'count'): readonly string[] =>
  allColumns(form).flatMap(([head, holds]) => (holds === field ? [plain(head)] : []))

/** Returns the form of a table by its columns: one whose marks are all there, or else one with a column of cards. */
function formOf(columns: readonly string[]): TableForm | undefined {
  const has = (head: string): boolean => columns.includes(plain(head))
  const hasAny = (heads: readonly string[]): boolean => heads.some(has)
  return forms.find(form =>
    form.marks === undefined
      ? hasAny([...headsOf(form, 'sku'), ...headsOf(form, 'number')]) ||
        // One word alone may be a card.
        (hasAny(headsOf(form, 'name')) && columns.length > 1)
      : form.marks.every(has)
  )
}

/** Spreadsheets, and tables that are written here, have an apostrophe before a text that could be a formula. */
const withoutGuard = (cell: string): string => cell.replace(/^'(?=[\s\p{C}]*[=+\-@＝＋－＠﹢﹣])/u, '')

type Cells = ReadonlyMap<string, string>

/** Returns the cells of the columns that a form reads, and no other. */
const cellsOf = (row: JsonObject, heads: ReadonlySet<string>): Cells =>
  new Map(
    Object.entries(row).flatMap(([name, cell]) =>
      heads.has(plain(name)) && typeof cell === 'string'
        ? [[plain(name), withoutGuard(cell.replaceAll(/\s+/g, ' ').trim())] as const]
        : []
    )
  )

/** Returns the first cell of a field that is not empty. */
const cellOf = (cells: Cells, form: TableForm, field: LineField | 'count'): string | undefined =>
  headsOf(form, field)
    .map(head => cells.get(head) ?? '')
    .find(text => text !== '')

const fieldOf = (cells: Cells, form: TableForm, field: LineField): string | null =>
  readValue(form, field, cellOf(cells, form, field) ?? '')

function readRow(cells: Cells, form: TableForm, line: number): ListLine | UnreadLine {
  const [, count] = /^(\d{1,4})(?:[.,]0{1,2})?$/.exec(cellOf(cells, form, 'count') ?? '1') ?? []
  const sku = fieldOf(cells, form, 'sku')
  const number = fieldOf(cells, form, 'number')
  // A numeric SKU is the article number of a shop.
  const isArticle = sku !== null && /^\d+$/.test(sku)
  const fields = {
    sku: isArticle ? null : sku,
    number: isArticle ? (number ?? sku) : number,
    name: fieldOf(cells, form, 'name'),
    set: fieldOf(cells, form, 'set'),
    set_name: fieldOf(cells, form, 'set_name'),
    finish: fieldOf(cells, form, 'finish'),
    language: fieldOf(cells, form, 'language'),
    condition: fieldOf(cells, form, 'condition'),
    section: fieldOf(cells, form, 'section')
  }
  if (fields.sku === null && fields.number === null && fields.name === null)
    return { line, text: `Row ${line} names no card.`, problem: 'It names no card.' }
  if (count === undefined || Number(count) < 1 || Number(count) > maxCount)
    return {
      line,
      text: `Row ${line} has a quantity that is no whole number from 1 to ${maxCount}.`,
      problem: `The count is a whole number from 1 to ${maxCount}.`
    }
  if (Object.values(fields).some(value => value !== null && value.length > maxCardLength))
    return {
      line,
      text: `Row ${line} has a value of more than ${maxCardLength} characters.`,
      problem: `A value has at most ${maxCardLength} characters.`
    }
  const said = { ...fields, count: Number(count) }
  return { ...said, line, text: textOf(said), form: form.id as FormId }
}

/** Whether words are the names of columns: a first line of fewer, or with a count, may be a card with commas. */
const mayNameColumns = (names: readonly string[]): boolean =>
  names.length >= 3 && names.every(name => /^[^\d\p{L}]*\p{L}/u.test(name))

/** Whether a word may be shown as the name of a column. A table without names begins with a cell. */
const isName = (word: string): boolean => !/\p{Nd}/u.test(word) && !isHeldBack(word)

/** Reads a table; undefined if the text is none. Throws an error of `field` for one that cannot be read. */
function readTable(text: string, { isTable, field, most }: Required<ReadOptions>): ReadList | undefined {
  const [first = ''] = text.split('\n', 1)
  const columns = delimiters.map(delimiter => columnsOf(first, delimiter))
  const known = columns.map(names => formOf(names.map(plain)))
  const at = known.findIndex(form => form !== undefined)
  const form = known[at]
  if (form === undefined && !isTable && !columns.some(mayNameColumns)) return undefined
  const general = forms.filter(({ marks }) => marks === undefined)
  if (form === undefined)
    throw invalid(
      field,
      'The first line of the table names no column of a card.',
      general.flatMap(one => [...headsOf(one, 'sku'), ...headsOf(one, 'number')])
    )
  const heads = new Set(allColumns(form).map(([head]) => plain(head)))
  // Spreadsheets end with empty rows.
  const rows = rowsOf(text, delimiters[at] ?? ',')
    .filter(({ row }) => Object.keys(row).length > 0)
    .slice(0, most + 1)
  if (rows.length === 0) throw invalid(field, 'The table has no rows.')
  return {
    form: form.id as FormId,
    leftOut: (columns[at] ?? []).flatMap((name, place) =>
      heads.has(plain(name)) ? [] : [isName(name) ? name.trim().slice(0, 60) : `Column ${place + 1}`]
    ),
    lines: rows.map(({ row, problem }, index) => {
      if (problem !== undefined) throw invalid(field, `Row ${index + 1} of the table cannot be read. ${problem}`)
      return readRow(cellsOf(isObject(row) ? row : {}, heads), form, index + 1)
    })
  }
}

/** Returns the value that occurs most; of several the first. */
function mostFrequent(values: readonly FormId[]): FormId | null {
  const counts = new Map<FormId, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? null
}

function readText(text: string, most: number): ReadList {
  const lines: (ListLine | UnreadLine)[] = []
  let section: Section | null = null
  const gaps = new Set<number>()
  for (const [index, raw] of text.split('\n').entries()) {
    if (lines.length > most) break
    const heading = headingOf(raw)
    if (heading !== undefined) section = heading
    else if (!isAside(raw)) lines.push(readLine(raw, index + 1, section))
    else if (raw.trim() === '' && lines.length > 0) gaps.add(lines.length)
  }
  const form = mostFrequent(lines.flatMap(line => (line.count === undefined ? [] : [line.form])))
  const [gap = 0, ...more] = [...gaps].filter(at => at < lines.length)
  // Arena leaves an empty line before the sideboard where it writes no headings.
  const isSplit = form === 'arena' && section === null && gap > 0 && more.length === 0
  return {
    form,
    leftOut: [],
    lines: isSplit
      ? lines.map((line, index) =>
          line.count === undefined ? line : { ...line, section: index < gap ? 'main' : 'sideboard' }
        )
      : lines
  }
}

/**
 * Reads a list of cards in any form: a table (CSV) by its first line, or lines of text, without empty lines and
 * comments (`#`, `//`). Of a table only the columns of its form are read, and of a list with more than `most` lines one
 * line more. Throws an error of `field` for a table without a column of cards or with a broken row.
 */
export function readList(
  text: string,
  { isTable = false, field = 'text', most = Infinity }: ReadOptions = {}
): ReadList {
  if (text.includes('\0')) throw invalid(field, `\`${field}\` must be text without U+0000.`)
  const content = text
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    // Removes the line with which spreadsheets declare the delimiter.
    .replace(/^"?sep=."?\n/i, '')
  return readTable(content.replace(/^\n+/, ''), { isTable, field, most }) ?? readText(content, most)
}
