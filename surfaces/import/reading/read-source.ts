import { stat } from 'node:fs/promises'
import type { EntryProblem } from 'pantry/data'
import { placeOfField, readingProblem } from '../data-error.ts'
import { endWithheld, LookAlikes, proseProblem, type LookAlike } from './look-alikes.ts'
import { compileExpression, type Scope, type Table } from './expression.ts'
import { Exceptions } from './exceptions.ts'
import { findFiles, placed, type DeclaredFile, type FoundFile } from './find-files.ts'
import { compileMap, type Mapped, type Rejected, type RowRules } from './map-row.ts'
import { asText } from './modifiers.ts'
import { readMembers } from './read-members.ts'
import { compileLoops, within } from './rows.ts'
import { Sentences } from './sentences.ts'
import type { Reader, RowStep, TableDeclaration } from '../source.ts'

/** Some rows, their file, and how much of all files has been read when they come out (0 to 1). */
export type ReadRows = Readonly<{ rows: readonly (Mapped | Rejected)[]; path: string; fraction: number }>

type FoundRow = Readonly<{ scope: Scope; problem: string | undefined }>
type FoundRows = Readonly<{ rows: readonly FoundRow[]; path: string; fraction: number }>

/** One member of a document may hold thousands of rows: they come out in parts of at most so many. */
const mostRows = 500

async function* rowsOfFile(
  found: FoundFile,
  outermost: RowStep,
  loops: ReturnType<typeof compileLoops>
): AsyncGenerator<FoundRows> {
  const { path, file } = found
  for await (const { members, fraction } of readMembers(found)) {
    let rows: FoundRow[] = []
    for (const { key, value, problem } of members) {
      const scope = within({ file }, outermost, key, value)
      // A broken line is one row, whatever the loops within it would have made of it.
      for (const row of problem === undefined ? loops(scope) : [scope]) {
        if (rows.push({ scope: row, problem }) < mostRows) continue
        yield { rows, path, fraction }
        rows = []
      }
    }
    yield { rows, path, fraction }
  }
}

async function foundOf(
  folder: string,
  { declared, pointer }: DeclaredFile
): Promise<readonly Readonly<{ file: FoundFile; size: number; pointer: DeclaredFile['pointer'] }>[]> {
  try {
    return await Promise.all(
      (await findFiles(folder, declared)).map(async file => ({ file, size: (await stat(file.path)).size, pointer }))
    )
  } catch (error) {
    throw readingProblem(error, pointer, declared.path)
  }
}

/**
 * The rows of some files in file order, as scopes for expressions, in parts of no certain size. Throws a DataError for
 * a file that is not what is declared.
 */
export async function* rowsOf(
  folder: string,
  files: readonly DeclaredFile[],
  [outermost, ...inner]: Reader['rows'],
  lose?: (loop: string) => void
): AsyncGenerator<FoundRows> {
  const loops = compileLoops(inner, lose)
  const found = (await Promise.all(files.map(file => foundOf(folder, file)))).flat()
  const total = found.reduce((sum, { size }) => sum + size, 0)
  let before = 0
  for (const { file, size, pointer } of found) {
    const share = size / total
    try {
      for await (const { rows, path, fraction } of rowsOfFile(file, outermost, loops))
        yield { rows, path, fraction: before + share * fraction }
    } catch (error) {
      throw readingProblem(error, pointer, file.declared.path)
    }
    before += share
  }
}

async function readTable(folder: string, name: string, { file, rows, key }: TableDeclaration): Promise<Table> {
  const keyOf = compileExpression(key, { tables: new Map() })
  const table = new Map<string, Scope>()
  for await (const part of rowsOf(folder, [{ declared: file, pointer: ['reader', 'tables', name, 'file'] }], rows)) {
    for (const { scope, problem } of part.rows) {
      if (problem !== undefined) continue
      // The first row of a key stays: what comes later under the same key would change with the order of reading.
      for (const name of [keyOf(scope)].flat())
        if (name !== null && !table.has(asText(name))) table.set(asText(name), scope)
    }
  }
  return table
}

type ReadOptions = Readonly<{
  /** What the source declares that rows must hold to. */
  rules?: RowRules
  /** Called for each row that `only_with` excludes, with its file. */
  passOver?: (path: string) => void
  /**
   * Called for each turn of a loop in which the loop within it, by its name, has no member: a row that is lost there.
   */
  lose?: (loop: string) => void
  /**
   * Called at the end with what looks like a thing that is never kept, in so few rows that these alone are left out.
   */
  leaveOut?: (found: readonly LookAlike[]) => void
}>

/**
 * Reads the rows of a source in file order, in parts of no certain size, each mapped to the declared fields. Only
 * declared fields come out. Throws a DataError at the end when a field held what is never kept in more than a few rows.
 */
export async function* readSource(
  reader: Reader,
  folder: string,
  { rules, passOver = () => undefined, lose, leaveOut = () => undefined }: ReadOptions = {}
): AsyncGenerator<ReadRows> {
  const tables = new Map<string, Table>()
  for (const [name, declaration] of Object.entries(reader.tables ?? {}))
    tables.set(name, await readTable(folder, name, declaration))
  const named = { tables, expressions: reader.expressions }
  const exceptions = new Exceptions(reader.exceptions)
  const map = compileMap(reader.map, named, rules, exceptions)
  const found = new LookAlikes()
  const sentences = new Sentences()
  const needed = reader.only_with === undefined ? () => true : compileExpression(reader.only_with, named)
  for await (const { rows: read, path, fraction } of rowsOf(
    folder,
    placed(reader.files, 'reader', 'files'),
    reader.rows,
    lose
  )) {
    const rows: (Mapped | Rejected)[] = []
    for (const { scope, problem } of read) {
      if (problem === undefined && needed(scope) === null) passOver(path)
      else {
        const row = problem === undefined ? map(scope) : { nativeId: '', reason: problem }
        found.see(row.nativeId, 'row' in row ? undefined : row.withheld)
        if ('row' in row) sentences.see(row)
        rows.push(row)
      }
    }
    yield { rows, path, fraction }
  }
  const place = (field: string): EntryProblem['pointer'] => placeOfField(reader.map, field)
  leaveOut(
    endWithheld(found, place, [
      ...sentences.result().map(one => proseProblem(one, place(one.field))),
      ...exceptions.problems()
    ])
  )
}
