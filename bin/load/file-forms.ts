import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { quotedList } from '../../core/diagnostics/diagnostic.ts'
import { UsageError } from '../config.ts'

/** The forms of files with rows. */
export const fileForms = ['csv', 'tsv', 'jsonl', 'json', 'parquet', 'sqlite', 'xlsx'] as const
/** Forms of files that are no text. Of some a file has several tables, or sheets. */
export type BinaryForm = 'parquet' | 'sqlite' | 'xlsx'
export type FileForm = (typeof fileForms)[number]

/** What can separate the cells of a file, by the words of `--separator`. */
export const signs = { ',': ',', ';': ';', tab: '\t', '|': '|' } as const
export type Separator = keyof typeof signs
export const separators = Object.keys(signs) as readonly Separator[]

/** GTFS calls its CSV `.txt`. */
const byEnding: Readonly<Record<string, FileForm>> = {
  '.csv': 'csv',
  '.txt': 'csv',
  '.tsv': 'tsv',
  '.ndjson': 'jsonl',
  '.jsonl': 'jsonl',
  '.json': 'json',
  '.parquet': 'parquet',
  '.sqlite': 'sqlite',
  '.sqlite3': 'sqlite',
  '.db': 'sqlite',
  '.xlsx': 'xlsx'
}

/** Endings of files that need no other word for their form. */
export const fileEndings: readonly string[] = Object.keys(byEnding)

/** Throws a UsageError for what is no file to read rows of. */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new UsageError(`There is no file \`${path}\`.`)
  if (found.isDirectory()) throw new UsageError(`\`${path}\` is a folder, and no file.`)
}

/** Returns the form of a file: the named one, or that of its ending. Throws a UsageError if neither says it. */
export function formOf(path: string, named: FileForm | undefined): FileForm {
  const form = named ?? byEnding[extname(path).toLowerCase()]
  if (form === undefined)
    throw new UsageError(
      `The form of \`${path}\` is unknown: name it with --file-format, which is one of ${quotedList(fileForms)}, or let the name of the file end in ${fileEndings.join(', ')}.`
    )
  return form
}
