import { stat } from 'node:fs/promises'
import { asText, compileExpression, type Scope, type Table } from './expression.ts'
import { compileMap, type Mapped, type Rejected } from './map-row.ts'
import { locateFile, readDocument } from './read-file.ts'
import { membersOf, rowsOf } from './rows.ts'
import type { Reader, TableDeclaration } from './source.ts'

/** A row, and how much of all files has been read when it comes out (0 to 1). */
export type ReadRow = Readonly<{ mapped: Mapped | Rejected, fraction: number }>

async function readTable (folder: string, { file, rows, key }: TableDeclaration): Promise<Table> {
  const keyOf = compileExpression(key, new Map())
  const table = new Map<string, Scope>()
  for (const row of rowsOf(await readDocument(folder, file), rows)) {
    // The first row of a key stays: what comes later under the same key would change with the order of reading.
    for (const name of [keyOf(row)].flat()) if (name !== null && !table.has(asText(name))) table.set(asText(name), row)
  }
  return table
}

/** Reads the rows of a source in file order, each mapped to the declared fields. Only declared fields come out. */
export async function * readSource (reader: Reader, folder: string): AsyncGenerator<ReadRow> {
  const tables = new Map<string, Table>()
  for (const [name, declaration] of Object.entries(reader.tables ?? {})) tables.set(name, await readTable(folder, declaration))
  const map = compileMap(reader.map, tables)
  const [outermost, ...inner] = reader.rows
  const sizes = await Promise.all(reader.files.map(async file => (await stat(locateFile(folder, file))).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  let before = 0
  for (const [index, file] of reader.files.entries()) {
    const document = await readDocument(folder, file)
    const constants = { file: file.set ?? {} }
    const share = (sizes[index] ?? 0) / total
    const members = membersOf(document, outermost, constants)
    for (const [position, member] of members.entries()) {
      const fraction = before + share * (position + 1) / members.length
      for (const scope of rowsOf(document, inner, { ...constants, [outermost.as]: member })) yield { mapped: map(scope), fraction }
    }
    before += share
  }
}
