import { FileProblem } from '../data-error.ts'
import type { FoundFile } from './files.ts'
import type { Member } from './shapes.ts'

/** Returns the names of the tables of a database, or of the sheets of a workbook. */
export async function tablesOfFile({
  path,
  declared: { shape }
}: Pick<FoundFile, 'path' | 'declared'>): Promise<readonly string[]> {
  const { tablesOf } = await import('pantry/command')
  return await tablesOf(path, shape === 'sqlite' ? 'sqlite' : 'xlsx')
}

/** The number of rows that are passed on together. */
const batchSize = 500

/**
 * Yields the rows of a database or workbook as objects, without cells that are null; the key of a row is its number.
 * The framework reads the file in a process of its own. Throws a FileProblem where it cannot be read.
 */
export async function* rowsOfFile({ path, declared: { shape, table } }: FoundFile): AsyncGenerator<readonly Member[]> {
  const { openFile, UsageError } = await import('pantry/command')
  try {
    const file = await openFile({
      file: path,
      fileFormat: shape === 'sqlite' ? 'sqlite' : 'xlsx',
      fromTable: table,
      by: '`table`'
    })
    let members: Member[] = []
    for await (const row of file.read()) {
      members.push(
        'values' in row
          ? { key: row.line, value: Object.fromEntries([...row.values].filter(([, value]) => value !== null)) }
          : { key: row.line, value: null, problem: `Row ${row.line}: ${row.reason}` }
      )
      if (members.length < batchSize) continue
      yield members
      members = []
    }
    yield members
  } catch (error) {
    throw error instanceof UsageError ? new FileProblem(error.message) : error
  }
}
