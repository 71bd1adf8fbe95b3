import { closeSync, openSync, readSync } from 'node:fs'
import { extname } from 'node:path'
import { quotedList } from '../../core/diagnostics/diagnostic.ts'
import { UsageError } from '../config.ts'

/** The forms of files with rows. */
export const fileForms = ['csv', 'tsv', 'jsonl', 'json', 'parquet', 'sqlite'] as const
export type FileForm = (typeof fileForms)[number]

const byEnding: Readonly<Record<string, FileForm>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.ndjson': 'jsonl',
  '.jsonl': 'jsonl',
  '.json': 'json',
  '.parquet': 'parquet',
  '.sqlite': 'sqlite',
  '.sqlite3': 'sqlite',
  '.db': 'sqlite'
}

/** The ending of files of separated cells that does not say what separates them; GTFS calls its CSV so. */
const separated = '.txt'

/** Endings of files that need no other word for their form. */
export const fileEndings: readonly string[] = [...Object.keys(byEnding), separated]

/** Returns the form of a file of separated cells: what separates the names of the columns. */
function separatedForm(path: string): FileForm {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(1 << 14)
    const [line = ''] = start.toString('utf8', 0, readSync(file, start)).split('\n')
    return line.includes('\t') && !line.includes(',') ? 'tsv' : 'csv'
  } finally {
    closeSync(file)
  }
}

/** Returns the form of a file: the named one, or that of its ending. Throws a UsageError if neither says it. */
export function formOf(path: string, named: FileForm | undefined): FileForm {
  const ending = extname(path).toLowerCase()
  const form = named ?? (ending === separated ? separatedForm(path) : byEnding[ending])
  if (form === undefined)
    throw new UsageError(
      `The form of \`${path}\` is unknown: name it with --file-format, which is one of ${quotedList(fileForms)}, or let the name of the file end in ${fileEndings.join(', ')}.`
    )
  return form
}
