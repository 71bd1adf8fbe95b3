import { stat } from 'node:fs/promises'
import type { Attribute } from './check-attributes.ts'
import { asText, compileExpression, type Scope, type Table } from './expression.ts'
import { findFiles, type FoundFile } from './find-files.ts'
import { compileMap, type Mapped, type Rejected } from './map-row.ts'
import { readMembers } from './read-members.ts'
import { compileLoops, within } from './rows.ts'
import type { Reader, RowStep, SourceFile, TableDeclaration } from './source.ts'

/** Some rows, their file, and how much of all files has been read when they come out (0 to 1). */
export type ReadRows = Readonly<{ rows: readonly (Mapped | Rejected)[], path: string, fraction: number }>

type FoundRow = Readonly<{ scope: Scope, problem: string | undefined }>
type FoundRows = Readonly<{ rows: readonly FoundRow[], path: string, fraction: number }>

/** One member of a document may hold thousands of rows: they come out in parts of at most so many. */
const mostRows = 500

async function * rowsOfFile (found: FoundFile, outermost: RowStep, loops: ReturnType<typeof compileLoops>): AsyncGenerator<FoundRows> {
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

/** The rows of some files in file order, as scopes for expressions, in parts of no certain size. */
export async function * rowsOf (folder: string, files: readonly SourceFile[], [outermost, ...inner]: Reader['rows']): AsyncGenerator<FoundRows> {
  const loops = compileLoops(inner)
  const found = (await Promise.all(files.map(file => findFiles(folder, file)))).flat()
  const sizes = await Promise.all(found.map(async ({ path }) => (await stat(path)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let before = 0
  for (const [index, file] of found.entries()) {
    const share = (sizes[index] ?? 0) / total
    for await (const { rows, path, fraction } of rowsOfFile(file, outermost, loops)) yield { rows, path, fraction: before + share * fraction }
    before += share
  }
}

async function readTable (folder: string, { file, rows, key }: TableDeclaration): Promise<Table> {
  const keyOf = compileExpression(key, new Map())
  const table = new Map<string, Scope>()
  for await (const part of rowsOf(folder, [file], rows)) {
    for (const { scope, problem } of part.rows) {
      if (problem !== undefined) continue
      // The first row of a key stays: what comes later under the same key would change with the order of reading.
      for (const name of [keyOf(scope)].flat()) if (name !== null && !table.has(asText(name))) table.set(asText(name), scope)
    }
  }
  return table
}

type ReadOptions = Readonly<{
  /** The declared attributes; without them values are not checked. */
  attributes?: readonly Attribute[] | undefined
  /** Called for each row that `only_with` excludes, with its file. */
  passOver?: (path: string) => void
}>

/**
 * Reads the rows of a source in file order, in parts of no certain size, each mapped to the declared fields. Only declared fields come out.
 */
export async function * readSource (reader: Reader, folder: string, { attributes, passOver = () => undefined }: ReadOptions = {}): AsyncGenerator<ReadRows> {
  const tables = new Map<string, Table>()
  for (const [name, declaration] of Object.entries(reader.tables ?? {})) tables.set(name, await readTable(folder, declaration))
  const map = compileMap(reader.map, tables, attributes)
  const needed = reader.only_with === undefined ? () => true : compileExpression(reader.only_with, tables)
  for await (const { rows: found, path, fraction } of rowsOf(folder, reader.files, reader.rows)) {
    const rows: (Mapped | Rejected)[] = []
    for (const { scope, problem } of found) {
      if (problem !== undefined) rows.push({ nativeId: '', reason: problem })
      else if (needed(scope) === null) passOver(path)
      else rows.push(map(scope))
    }
    yield { rows, path, fraction }
  }
}
