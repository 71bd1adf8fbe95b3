import type { JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { DiagnosticCode } from '../../diagnostics/catalog.ts'
import type { Diagnostic, Span } from '../../diagnostics/diagnostic.ts'
import { suggest, suggestionHint } from '../../diagnostics/suggest.ts'
import { propertiesOf, requiredOf, coerceText } from '../../schema/json-schema.ts'
import { decodeText } from '../../source/decode-text.ts'
import { filePieces, type FolderFile } from '../../source/read-folder.ts'
import {
  cutLines,
  readRecord,
  reportCut,
  shiftSpan,
  type Cut,
  type RecordPlace,
  type FilePosition
} from '../../source/records.ts'
import { isRefusal, parseSeparated, refusalText, type Refusal, type SeparatedRow } from '../../source/separated.ts'
import { fileStart, report, reportFile, type SourceFile } from '../../source/report.ts'
import type { EntryForm, FormContext } from '../loaded.ts'

/** A row of a table. An empty cell without quotation marks is `null`. */
type Row = Readonly<{ cells: readonly (string | null)[]; at: RecordPlace }>

function cellsIn(text: string): Span[] {
  const spans: Span[] = []
  let isQuoted = false
  let [line, column] = [1, 1]
  let start = { line, column, length: 0 }
  for (const sign of `${text.replace(/\r?\n$/, '')},`) {
    if (sign === '"') isQuoted = !isQuoted
    if (sign === ',' && !isQuoted) {
      spans.push(start)
      start = { line, column: column + 1, length: 0 }
    } else {
      start = { ...start, length: start.length + sign.length }
    }
    ;[line, column] = sign === '\n' ? [line + 1, 1] : [line, column + sign.length]
  }
  // A cell whose quotation mark is not closed extends to the end.
  return isQuoted ? [...spans, start] : spans
}

/** Parses lines. `refusal` is the error at which the parser stopped; `records` has the rows before it. */
function parseRows(text: string): { records: readonly SeparatedRow[]; refusal: Refusal | undefined } {
  try {
    return { records: parseSeparated(text, { hasNull: true }), refusal: undefined }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { records } = error
    return { records: records === 0 ? [] : parseSeparated(text, { hasNull: true, to: records }), refusal: error }
  }
}

function reportRefusal(file: FolderFile, cut: Cut, refusal: Refusal): Diagnostic {
  const { code, column } = refusal
  const [message, hint] = refusalText(refusal)
  const cells = cellsIn(cut.bytes.toString())
  const cell = (code === 'CSV_QUOTE_NOT_CLOSED' ? cells.at(-1) : cells[column]) ?? fileStart
  const problem = { ...cut, code: 'M119', message, hint } as const
  return reportCut(file, problem, cut.from + cut.bytes.length, shiftSpan(cut, cell))
}

function* rowsOf(file: FolderFile): Generator<Row | Diagnostic, void, void> {
  for (const lines of cutLines(filePieces(file.real), { quoted: true })) {
    if ('code' in lines) return yield* [reportCut(file, lines)]
    // Skips a byte order mark, because spreadsheets write one at the start of CSV files.
    const mark = lines.from === 0 && lines.bytes.indexOf('\ufeff') === 0 ? 3 : 0
    const cut = { ...lines, from: lines.from + mark, bytes: lines.bytes.subarray(mark) }
    const { text, problem } = decodeText(cut.bytes, Infinity)
    if (problem !== undefined) {
      const end = cut.from + cut.bytes.length
      return yield* [reportCut(file, { ...cut, lineFrom: cut.from, ...problem }, end, shiftSpan(cut, problem.span))]
    }
    const { records, refusal } = parseRows(text)
    let [bytes, line] = [0, 0]
    const here = (): FilePosition => ({
      from: cut.from + bytes,
      lineFrom: cut.from + bytes,
      line: cut.line + line,
      column: 1
    })
    for (const { record, info } of records) {
      if (record.length > 1 || record[0] !== null) yield { cells: record, at: { ...here(), to: cut.from + info.bytes } }
      ;[bytes, line] = [info.bytes, info.lines]
    }
    if (refusal !== undefined)
      return yield* [reportRefusal(file, { ...here(), bytes: cut.bytes.subarray(bytes) }, refusal)]
  }
}

/** Reads a row again. A pointer in it is the name or the number (from 0) of a column, and locates the cell. */
function sourceOf(file: FolderFile, { at }: Row, header: readonly string[], value?: JsonValue): SourceFile {
  const { text, lineAt } = readRecord(file.real, at)
  const cells = cellsIn(text)
  return {
    file: file.path,
    value,
    diagnostics: [],
    lineAt,
    locate: ([field = '']) =>
      shiftSpan(at, cells[typeof field === 'number' ? field : header.indexOf(field)] ?? cells[0] ?? fileStart)
  }
}

/**
 * Returns the value of a cell. An empty cell without quotation marks is `undefined`, or `null` if the field is required
 * and may be null.
 */
function valueOf(
  cell: string | null,
  schema: JsonSchema,
  isRequired: boolean,
  separator: string | undefined
): JsonValue | undefined {
  const types = [schema['type']].flat()
  if (cell === null) return isRequired && types.includes('null') ? null : undefined
  if (!types.includes('array') || separator === undefined) return coerceText(schema, cell)
  const items = (schema['items'] as JsonSchema | undefined) ?? {}
  return Object.freeze(cell === '' ? [] : cell.split(separator).map(item => coerceText(items, item.trim())))
}

/** CSV (RFC 4180): the first row has the field names, each other row is an entry. The schema has the types of cells. */
export const csvTable: EntryForm = {
  shown: 'entries.csv',
  name: /^entries\.csv$/,
  *read(file, context) {
    const { schema, declaration } = context
    const [required, properties] = [requiredOf(schema), propertiesOf(schema)]
    const cellOf = (cell: string | null, name: string): JsonValue | undefined =>
      valueOf(cell, properties[name] ?? {}, required.includes(name), declaration.separator)
    let header: readonly string[] | undefined
    let isRead = false
    for (const row of rowsOf(file)) {
      isRead = true
      if ('code' in row) {
        yield row
      } else if (header === undefined) {
        header = row.cells.map(cell => cell?.trim() ?? '')
        const wrong = checkHeader(sourceOf(file, row, header), header, context)
        if (wrong.length > 0) return yield* wrong
      } else if (row.cells.length !== header.length) {
        const { length } = row.cells
        const pointer = [Math.min(length - 1, header.length)]
        const message = `The row has ${length} cells, but the first row names ${header.length}.`
        yield report(sourceOf(file, row, header), 'M119', pointer, message, {
          hint: 'Put a cell that holds a comma between quotes.'
        })
      } else {
        const names = header
        const members = names.map((name, index) => [name, cellOf(row.cells[index] ?? null, name)] as const)
        const value = Object.freeze(
          Object.fromEntries(members.filter((member): member is [string, JsonValue] => member[1] !== undefined))
        )
        yield {
          value,
          file: file.path,
          place: () => ({ source: sourceOf(file, row, names, value), pointer: [] }),
          missing: field => ({ pointer: [field], hint: 'Fill the cell.' })
        }
      }
    }
    if (!isRead) yield reportFile(file.path, 'M113', 'The file is empty.', 'Name the fields in the first row.')
  }
}

type Problem = readonly [code: DiagnosticCode, message: string, hint: string | undefined]

/** Checks the header row, so that its mistakes are not reported for each row. Their pointers are column indexes. */
function checkHeader(
  source: SourceFile,
  header: readonly string[],
  { schema, declaration: { separator, hash } }: FormContext
): Diagnostic[] {
  const properties = propertiesOf(schema)
  const known = Object.keys(properties)
  const isUnknown = (name: string): boolean => !known.includes(name) && schema['additionalProperties'] === false
  const otherSeparator = header.length === 1 ? /[;\t|]/.exec(header[0] ?? '')?.[0] : undefined
  const problemOf = (name: string, index: number): Problem | undefined => {
    const types = [properties[name]?.['type']].flat()
    if (name === '') return ['M119', 'A column has no name.', 'The first row names the field of each column.']
    if (header.indexOf(name) < index)
      return ['M102', `The column \`${name}\` is already named.`, 'Keep one of the two.']
    if (isUnknown(name)) {
      const hint = otherSeparator === undefined ? suggestionHint(name, known) : 'Separate cells with commas.'
      return ['C201', `\`${name}\` is not a field of an entry.`, hint]
    }
    const mapping = `\`${name}\` is a mapping, which no cell can hold.`
    if (types.includes('object')) return ['C210', mapping, 'Write the entries as JSON Lines or YAML.']
    if (!types.includes('array') || separator !== undefined) return undefined
    const list = `\`${name}\` is a list, but \`corpus.yaml\` does not say what separates its items.`
    return ['C210', list, 'Add `separator: ";"` there.']
  }
  const wrong = header.flatMap((name, index) => {
    const [code, message, hint] = problemOf(name, index) ?? []
    return code === undefined || message === undefined ? [] : [report(source, code, [index], message, { hint })]
  })
  if (otherSeparator !== undefined && wrong.length > 0) return wrong
  const misspelt = header.filter(isUnknown).map(name => suggest(name, known))
  const absent = requiredOf(schema).filter(
    name => !header.includes(name) && name !== hash?.field && !misspelt.includes(name)
  )
  return [
    ...wrong,
    ...absent.map(name =>
      report(source, 'C201', [0], `\`${name}\` is required in an entry, but no column has that name.`, {
        hint: `Add the column \`${name}\`.`
      })
    )
  ]
}
