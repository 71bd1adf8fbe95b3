import { isObject } from '../../canonical/json.ts'
import { OperatorFault } from '../fault.ts'

/*
 * A backup is a gzip file (RFC 1952) with a script that psql can run too: two comments, then each table with its rows
 * in the text format of COPY (PostgreSQL manual, COPY, "File Formats"), then the state of each sequence, and a comment
 * at the end. A restore executes no other lines.
 */

/** The header of a backup: when it was made, with which schema, and files that it contains beside the tables. */
export type BackupHeader = Readonly<{
  /** Time of the backup (ISO 8601). */
  made_at: string
  /** Names of the migrations that had run, in order. */
  migrations: readonly string[]
  /** Contents of files of the data folder by name, as base64. */
  secrets: Readonly<Record<string, string>>
}>

/** Number of tables and rows in a backup. */
export type BackupSize = Readonly<{ tables: number; rows: number }>

/** A part of the script. The rows of a table follow its part, up to the line `\.`. */
export type Part =
  | Readonly<{ table: string; columns: readonly string[] }>
  | Readonly<{ sequence: string; value: string; isCalled: boolean }>
  | Readonly<{ end: BackupSize }>

/** Returns the fault of a file that is not a whole backup. */
export const brokenBackup = (message: string, cause?: unknown): OperatorFault =>
  new OperatorFault(
    'O401',
    `${message.replace(/\.?$/, '.')} Nothing was changed.`,
    'Take another file of `pantry backup`.',
    cause
  )

const firstLine = '-- pantry backup 1'
export const endOfRows = '\\.'
const quoted = '"((?:[^"]|"")+)"'
const table = new RegExp(`^copy ${quoted} \\((.+)\\) from stdin;$`, 's')
const column = new RegExp(quoted, 'g')
const sequence = new RegExp(`^select setval\\('${quoted}', (\\d+), (true|false)\\);$`)
const end = /^-- end (\{.*\})$/

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const unquote = (text = ''): string => text.replaceAll('""', '"')

export const headerText = (header: BackupHeader): string => `${firstLine}\n-- ${JSON.stringify(header)}\n`

export function partText(part: Part): string {
  if ('table' in part) return `copy ${quote(part.table)} (${part.columns.map(quote).join(', ')}) from stdin;\n`
  return 'sequence' in part
    ? `select setval('${quote(part.sequence).replaceAll("'", "''")}', ${part.value}, ${part.isCalled});\n`
    : `-- end ${JSON.stringify(part.end)}\n`
}

const texts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')

/** Parses the first two lines of a backup; throws an OperatorFault if they are invalid. */
export function readHeader(first: string, second: string): BackupHeader {
  if (first !== firstLine) throw brokenBackup('The file is no backup of this format.')
  const header = parsed(second.replace(/^-- /, ''))
  const { made_at, migrations, secrets } = isObject(header) ? header : {}
  if (typeof made_at !== 'string' || !texts(migrations) || !isObject(secrets) || !texts(Object.values(secrets)))
    throw brokenBackup('The head of the backup is damaged.')
  return { made_at, migrations, secrets: secrets as Readonly<Record<string, string>> }
}

/** Parses the line of a part; throws an OperatorFault for any other line. */
export function readPart(line: string): Part {
  const [, name, columns] = table.exec(line) ?? []
  if (name !== undefined && columns !== undefined)
    return { table: unquote(name), columns: [...columns.matchAll(column)].map(([, one]) => unquote(one)) }
  const [, named, value = '', isCalled] = sequence.exec(line) ?? []
  if (named !== undefined)
    return { sequence: unquote(named).replaceAll("''", "'"), value, isCalled: isCalled === 'true' }
  const size = parsed(end.exec(line)?.[1] ?? '')
  if (isObject(size) && typeof size['tables'] === 'number' && typeof size['rows'] === 'number')
    return { end: { tables: size['tables'], rows: size['rows'] } }
  throw brokenBackup(`The backup holds a line that belongs to no table: ${line.slice(0, 80)}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
