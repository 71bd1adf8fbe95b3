import type { Progress } from '../../core/database/root-services.ts'
import type { CopyValue } from '../../core/database/copy.ts'
import { keepsUnique, type DescribedTable } from '../../core/database/tables/describe.ts'
import { wordsColumn, type LoadRequest } from '../../core/database/tables/load.ts'
import { suggest } from '../../core/diagnostics/suggest.ts'
import { UsageError } from '../config.ts'
import { indexesOfNew } from '../scaffold/asked-of-rows.ts'
import { requireTableName } from '../scaffold/table-corpus.ts'
import { ColumnType, copied, misfit, statedTypes } from './column-types.ts'
import { openFile, type WantedFile } from './read-rows.ts'
import type { FileRow, TableFile } from './table-file.ts'

/**
 * What is to be loaded. `indexes`: undefined for those that a new table gets by itself. `types`: types of columns of a
 * new table, each as `column=type`.
 */
type Wanted = Omit<LoadRequest, 'columns' | 'existing' | 'indexes' | 'rows'> &
  WantedFile &
  Readonly<{ indexes: readonly string[] | undefined; types: readonly string[] }>

/** A column of a file with its type. `of`: its name in the file. */
type PlannedColumn = Readonly<{
  name: string
  of: string
  type: string
  nulls: number
  isCategory: boolean
  example: string
}>

/** A row that is left out, and why. */
type LeftOut = Readonly<{ line: number; reason: string }>

/**
 * What is to be loaded. `left`: the first of the `leftOut` rows that are left out. `notes`: what is not taken as it is.
 */
type LoadPlan = Readonly<{
  request: LoadRequest
  notes: readonly string[]
  columns: readonly PlannedColumn[]
  left: readonly LeftOut[]
  leftOut: number
}>

const shown = 20
/** Rows after which progress is reported. */
const progressRows = 20_000

/** Returns the name of a column for a name in a file: `Country code` becomes `country_code`. */
const columnName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .replace(/^(?=\d)/, '_')
    .slice(0, 60)

/** Computes a text for each text once. */
function cached(compute: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return text => {
    let value = known.get(text)
    if (value === undefined) known.set(text, (value = compute(text)))
    return value
  }
}

function namesOf(file: string, given: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const of of given) {
    const name = columnName(of)
    if (name === '') throw new UsageError(`${file}: the column \`${of}\` has no letter or digit in its name.`)
    const other = [...names].find(([, known]) => known === name)
    if (other !== undefined)
      throw new UsageError(`${file}: the columns \`${other[0]}\` and \`${of}\` would both be \`${name}\`.`)
    names.set(of, name)
  }
  return names
}

function requireColumns(option: string, asked: readonly string[], names: readonly string[]): void {
  for (const name of asked) {
    if (names.includes(name)) continue
    const near = suggest(name, names)
    throw new UsageError(
      `${option}: the file has no column \`${name}\`${near === undefined ? `; it has ${names.join(', ')}` : `; did you mean \`${near}\``}.`
    )
  }
}

/** What a reading of the whole file has found: the values of each column by its name in the file, and rows left out. */
type Survey = Readonly<{
  types: ReadonlyMap<string, ColumnType>
  left: readonly LeftOut[]
  leftOut: number
  rows: number
}>

/** Reads the whole file. `typeOf`: returns the stated type of a column. `reasonOf`: returns why a row is left out. */
async function survey(
  { read, declared }: TableFile,
  typeOf: (of: string) => string | undefined,
  reasonOf: (row: FileRow) => string | undefined,
  progress: Progress
): Promise<Survey> {
  const types = new Map<string, ColumnType>()
  const left: LeftOut[] = []
  let [rows, leftOut] = [0, 0]
  for await (const row of read()) {
    if ((++rows + leftOut) % progressRows === 0) progress({ label: 'reading', done: rows + leftOut, total: undefined })
    const reason = reasonOf(row)
    if (reason !== undefined || 'reason' in row) {
      rows -= 1
      if (leftOut++ < shown) left.push({ line: row.line, reason: reason ?? '' })
      continue
    }
    for (const [of, value] of row.values) {
      let type = types.get(of)
      if (type === undefined) {
        const stated = typeOf(of)
        type = new ColumnType(stated === undefined ? declared.get(of) : { among: [stated], empty: stated })
        types.set(of, type)
      }
      type.note(value)
    }
  }
  return { types, left, leftOut, rows }
}

/** Gives the columns the types of an existing table. Throws a UsageError for a column that it does not have. */
function inTable(
  { table, search, indexes = [], types: stated }: Wanted,
  columns: readonly PlannedColumn[],
  existing: DescribedTable
): readonly PlannedColumn[] {
  if (existing.isView) throw new UsageError(`\`${table}\` is a view: load into the table behind it.`)
  if (search.length + indexes.length + stated.length > 0)
    throw new UsageError(
      `\`${table}\` exists: \`--search\`, \`--index\` and \`--type\` are for a new table. Write a migration.`
    )
  const types = new Map(existing.columns.map(({ name, type }) => [name, type]))
  const unknown = columns.filter(({ name }) => !types.has(name)).map(({ name }) => name)
  if (unknown.length > 0)
    throw new UsageError(`\`${table}\` has no column ${unknown.map(name => `\`${name}\``).join(', ')}.`)
  return columns.map(column => ({ ...column, type: types.get(column.name) ?? column.type }))
}

/** Reads a file and returns how it is to be loaded. Throws a UsageError if it cannot be. */
export async function planLoad(
  wanted: Wanted,
  existing: DescribedTable | undefined,
  progress: Progress
): Promise<LoadPlan> {
  const { file, key, search, indexes, replaces, table } = wanted
  requireTableName(table)
  const stated = statedTypes(wanted.types)
  const opened = await openFile(wanted)
  const seen = new Set<string>()
  const nameOf = cached(of => {
    const name = columnName(of)
    seen.add(name)
    return name
  })
  const typesNow = existing === undefined ? stated : new Map(existing.columns.map(({ name, type }) => [name, type]))
  const reasonOf = (row: FileRow): string | undefined => {
    if ('reason' in row) return row.reason
    const filled = new Set<string>()
    for (const [of, value] of row.values) {
      const name = nameOf(of)
      if (value !== null && key.includes(name)) filled.add(name)
      const why = misfit(typesNow.get(name) ?? 'text', value)
      if (why !== undefined) return `\`${name}\` ${why}.`
    }
    const empty = filled.size === key.length ? undefined : key.find(name => !filled.has(name))
    return empty === undefined ? undefined : `The key \`${empty}\` is empty.`
  }
  const { types, left, leftOut, rows } = await survey(opened, of => stated.get(nameOf(of)), reasonOf, progress)
  if (seen.size > 0) {
    requireColumns('--key', key, [...seen])
    requireColumns('--type', [...stated.keys()], [...seen])
  }
  if (types.size === 0) {
    const [first] = left
    throw new UsageError(
      `${file} has no row that can be loaded.${first === undefined ? '' : ` Line ${first.line}: ${first.reason}`}`
    )
  }
  const names = namesOf(file, types.keys())
  const inferred = [...types].map(([of, { type, nulls, isCategory, example = '' }]): PlannedColumn => ({
    name: names.get(of) ?? of,
    of,
    type: stated.get(names.get(of) ?? of) ?? type,
    nulls,
    isCategory,
    example
  }))
  const columns = existing === undefined ? inferred : inTable(wanted, inferred, existing)
  const known = columns.map(({ name }) => name)
  requireColumns('--search', search, known)
  requireColumns('--index', indexes ?? [], known)
  if (search.length > 0) requireNoWords(columns)
  if (existing !== undefined && !replaces) requireKey(table, key, existing)
  async function* fitting(): AsyncGenerator<readonly CopyValue[]> {
    let done = 0
    for await (const row of opened.read()) {
      if ('reason' in row || reasonOf(row) !== undefined) continue
      yield columns.map(({ of, type }) => copied(type, row.values.get(of) ?? null))
      if (++done % progressRows === 0 || done === rows) progress({ label: 'copying', done, total: rows })
    }
  }
  const made = { columns, existing, indexes: indexes ?? indexesOfNew(inferred, key), rows: fitting }
  return { columns, left, leftOut, notes: [...opened.notes], request: { ...wanted, ...made } }
}

function requireNoWords(columns: readonly PlannedColumn[]): void {
  if (columns.some(({ name }) => name === wordsColumn))
    throw new UsageError(`--search makes a column \`${wordsColumn}\`, and the file has one of that name.`)
}

/** Throws a UsageError where rows would come again: without a key that the table keeps unique. */
function requireKey(table: string, key: readonly string[], existing: DescribedTable): void {
  if (key.length === 0)
    throw new UsageError(
      `\`${table}\` exists: name the \`--key\` by which rows are the same, or \`--replace\` all rows.`
    )
  if (!keepsUnique(existing, key))
    throw new UsageError(
      `Nothing keeps \`${key.join(', ')}\` unique in \`${table}\`: make a unique index in a migration.`
    )
}
