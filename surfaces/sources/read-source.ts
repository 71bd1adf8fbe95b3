import { stat } from 'node:fs/promises'
import { asText, compileExpression, type Scope, type Table } from './expression.ts'
import { findFiles, type FoundFile } from './find-files.ts'
import { compileMap, type Mapped, type Rejected } from './map-row.ts'
import { readMembers } from './read-members.ts'
import { compileLoops, within } from './rows.ts'
import type { Reader, RowStep, SourceFile, TableDeclaration } from './source.ts'

/** A row, the file it stands in, and how much of all files has been read when it comes out (0 to 1). */
export type ReadRow = Readonly<{ mapped: Mapped | Rejected, path: string, fraction: number }>

type FoundRow = Readonly<{ scope: Scope, problem: string | undefined, path: string, fraction: number }>

async function * rowsOfFile (found: FoundFile, outermost: RowStep, loops: ReturnType<typeof compileLoops>): AsyncGenerator<FoundRow> {
  const { path, file } = found
  for await (const { key, value, problem, fraction } of readMembers(found)) {
    const scope = within({ file }, outermost, key, value)
    // A broken line is one row, whatever the loops within it would have made of it.
    for (const row of problem === undefined ? loops(scope) : [scope]) yield { scope: row, problem, path, fraction }
  }
}

/** The rows of some files in file order, as scopes for expressions. */
export async function * rowsOf (folder: string, files: readonly SourceFile[], [outermost, ...inner]: Reader['rows']): AsyncGenerator<FoundRow> {
  const loops = compileLoops(inner)
  const found = (await Promise.all(files.map(file => findFiles(folder, file)))).flat()
  const sizes = await Promise.all(found.map(async ({ path }) => (await stat(path)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let before = 0
  for (const [index, file] of found.entries()) {
    const share = (sizes[index] ?? 0) / total
    for await (const { scope, problem, path, fraction } of rowsOfFile(file, outermost, loops)) yield { scope, problem, path, fraction: before + share * fraction }
    before += share
  }
}

async function readTable (folder: string, { file, rows, key }: TableDeclaration): Promise<Table> {
  const keyOf = compileExpression(key, new Map())
  const table = new Map<string, Scope>()
  for await (const { scope, problem } of rowsOf(folder, [file], rows)) {
    if (problem !== undefined) continue
    // The first row of a key stays: what comes later under the same key would change with the order of reading.
    for (const name of [keyOf(scope)].flat()) if (name !== null && !table.has(asText(name))) table.set(asText(name), scope)
  }
  return table
}

/**
 * Reads the rows of a source in file order, each mapped to the declared fields. Only declared fields come out. `passOver` is told of each row
 * that is none of ours, with its file.
 */
export async function * readSource (reader: Reader, folder: string, passOver: (path: string) => void = () => undefined): AsyncGenerator<ReadRow> {
  const tables = new Map<string, Table>()
  for (const [name, declaration] of Object.entries(reader.tables ?? {})) tables.set(name, await readTable(folder, declaration))
  const map = compileMap(reader.map, tables)
  const needed = reader.only_with === undefined ? () => true : compileExpression(reader.only_with, tables)
  for await (const { scope, problem, path, fraction } of rowsOf(folder, reader.files, reader.rows)) {
    if (problem !== undefined) yield { mapped: { nativeId: '', reason: problem }, path, fraction }
    else if (needed(scope) === null) passOver(path)
    else yield { mapped: map(scope), path, fraction }
  }
}
