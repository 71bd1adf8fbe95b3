import { stat } from 'node:fs/promises'
import type { EntryProblem } from 'pantry/data'
import { DataError, placeOfField, readingProblem } from '../data-error.ts'
import { checkLookAlikes, LookAlikes, proseProblem, Sentences, type LookAlike } from './look-alikes.ts'
import { asText, compileExpression, compileLoops, within, type ExpressionScope, type SideTable } from './expression.ts'
import { Exceptions } from './kept-values.ts'
import { findFiles, placed, type DeclaredFile, type FoundFile } from './files.ts'
import { compileMap, type Mapped, type Rejected, type RowRules } from './map-row.ts'
import { readMembers } from './shapes.ts'
import type { SourceReader, RowStep, TableDeclaration } from '../source.ts'
import type { Uses } from './uses.ts'

/** Some rows, the path of their file, and the fraction (0 to 1) of all files read so far. */
type RowsRead = Readonly<{ rows: readonly (Mapped | Rejected)[]; path: string; fraction: number }>

type FoundRow = Readonly<{ scope: ExpressionScope; problem: string | undefined }>
type FoundRows = Readonly<{ rows: readonly FoundRow[]; path: string; fraction: number }>

/** The most rows yielded together, because one member of a document may hold thousands. */
const maxBatchRows = 500

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
      // A line that cannot be parsed counts as one row; the inner loops do not run for it.
      for (const row of problem === undefined ? loops(scope) : [scope]) {
        if (rows.push({ scope: row, problem }) < maxBatchRows) continue
        yield { rows, path, fraction }
        rows = []
      }
    }
    yield { rows, path, fraction }
  }
}

async function foundOf(
  folder: string,
  { declared, pointer }: DeclaredFile,
  uses: Uses | undefined
): Promise<readonly Readonly<{ file: FoundFile; size: number; pointer: DeclaredFile['pointer'] }>[]> {
  try {
    return await Promise.all(
      (await findFiles(folder, declared, uses)).map(async file => ({
        file,
        size: (await stat(file.path)).size,
        pointer
      }))
    )
  } catch (error) {
    throw readingProblem(error, pointer, declared.path)
  }
}

/**
 * Yields the rows of the given files in file order, as scopes for expressions, in batches of varying size. Throws a
 * DataError for a file that does not match its declaration. With `skipBroken`, a file that is broken is a row with a
 * problem instead, unless more than half of the files are.
 */
export async function* rowsOf(
  folder: string,
  files: readonly DeclaredFile[],
  [outermost, ...inner]: SourceReader['rows'],
  { lose, uses, skipBroken = false }: Pick<ReadOptions, 'lose' | 'uses'> & Readonly<{ skipBroken?: boolean }> = {}
): AsyncGenerator<FoundRows> {
  const loops = compileLoops(inner, lose)
  const found = (await Promise.all(files.map(file => foundOf(folder, file, uses)))).flat()
  const total = found.reduce((sum, { size }) => sum + size, 0)
  let before = 0
  const broken: unknown[] = []
  for (const { file, size, pointer } of found) {
    const share = size / total
    try {
      for await (const { rows, path, fraction } of rowsOfFile(file, outermost, loops))
        yield { rows, path, fraction: before + share * fraction }
    } catch (error) {
      const problem = readingProblem(error, pointer, file.declared.path)
      broken.push(problem)
      if (!skipBroken || !(problem instanceof DataError) || broken.length * 2 > found.length) throw broken[0]
      yield { rows: [{ scope: {}, problem: problem.message }], path: file.path, fraction: before + share }
    }
    before += share
  }
}

async function readTable(
  folder: string,
  name: string,
  { file, rows, key }: TableDeclaration,
  uses: Uses | undefined
): Promise<SideTable> {
  const keyOf = compileExpression(key, { tables: new Map(), uses })
  const table = new Map<string, ExpressionScope>()
  const files = [{ declared: file, pointer: ['reader', 'tables', name, 'file'] }]
  for await (const part of rowsOf(folder, files, rows, { uses })) {
    for (const { scope, problem } of part.rows) {
      if (problem !== undefined) continue
      // The first row with a key is kept; later rows with the same key are ignored.
      for (const name of [keyOf(scope)].flat())
        if (name !== null && !table.has(asText(name))) table.set(asText(name), scope)
    }
  }
  return table
}

type ReadOptions = Readonly<{
  /** Rules from the source's declaration that each row is checked against. */
  rules?: RowRules
  /** Called for each row that `only_with` excludes, with the path of its file. */
  passOver?: (path: string) => void
  /** Called with the name of an inner loop each time it has no members, so that the row is lost. */
  lose?: ((loop: string) => void) | undefined
  /**
   * Called at the end with the values that look like something never stored, if they are in so few rows that only these
   * rows are left out.
   */
  leaveOut?: (found: readonly LookAlike[]) => void
  /** Remembers which parts of the reader are of use. */
  uses?: Uses | undefined
}>

/**
 * Reads the rows of a source in file order, in batches of varying size, and maps each to the declared fields; other
 * fields are dropped. Throws a DataError for a file that does not match its declaration, and at the end when too many
 * values of a field may not be stored.
 */
export async function* readSource(
  reader: SourceReader,
  folder: string,
  { rules, passOver = () => undefined, lose, leaveOut = () => undefined, uses }: ReadOptions = {}
): AsyncGenerator<RowsRead> {
  const tables = new Map<string, SideTable>()
  for (const [name, declaration] of Object.entries(reader.tables ?? {}))
    tables.set(name, await readTable(folder, name, declaration, uses))
  const named = { tables, expressions: reader.expressions, uses }
  const exceptions = new Exceptions(reader.exceptions)
  const map = compileMap(reader.map, named, rules, exceptions)
  const found = new LookAlikes()
  const sentences = new Sentences()
  const needed = reader.only_with === undefined ? () => true : compileExpression(reader.only_with, named)
  for await (const { rows: read, path, fraction } of rowsOf(
    folder,
    placed(reader.files, 'reader', 'files'),
    reader.rows,
    { lose, uses, skipBroken: true }
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
    checkLookAlikes(found, place, [
      ...sentences.result().map(one => proseProblem(one, place(one.field))),
      ...exceptions.problems()
    ])
  )
}
