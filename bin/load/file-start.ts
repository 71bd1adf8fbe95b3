import { OperatorFault } from '../../core/database/fault.ts'
import { filePieces } from '../../core/source/read-folder.ts'
import { isRefusal, parseSeparated } from '../../core/source/separated.ts'
import { separators, signs, type BinaryForm, type FileForm, type Separator } from './file-forms.ts'

/** Forms of files whose text is read here. */
export type TextForm = Exclude<FileForm, BinaryForm>

const separated: readonly FileForm[] = ['csv', 'tsv']

/** Forms that a file can have in spite of its name, each with how one is known by its first bytes. */
const otherForms: readonly Readonly<{ begins: RegExp; what: string; fix: string; in?: readonly FileForm[] }>[] = [
  {
    begins: /^<(?:!doctype html|html)\b/i,
    what: 'an HTML page',
    fix: 'Perhaps the page of an error, or one that links to the file, was saved. Take the file itself.'
  },
  { begins: /^<\?xml\b/, what: 'XML', fix: 'XML is not read. Take the same rows as CSV or JSON.' },
  {
    begins: /^(?:\[\s*\{|\{\s*")/,
    what: 'JSON',
    fix: 'Say --file-format json for a list, or --file-format jsonl for an object on each line.',
    in: separated
  },
  {
    begins: /^PK\x03\x04/,
    what: 'a ZIP archive, as workbooks and bundles of files are',
    fix: 'Unpack it or, if it is a workbook of Excel, say --file-format xlsx.'
  },
  { begins: /^\x1f\x8b/, what: 'compressed with gzip', fix: 'Unpack it with `gunzip`.' },
  { begins: /^PAR1/, what: 'Parquet', fix: 'Say --file-format parquet.' },
  { begins: /^SQLite format 3\0/, what: 'an SQLite database', fix: 'Say --file-format sqlite.' },
  {
    begins: /^(?:\xff\xfe|\xfe\xff)/,
    what: 'text in UTF-16',
    fix: 'Save it as UTF-8, such as with `iconv -f utf-16 -t utf-8`.'
  }
]

export const unreadable = (message: string, fix: string): OperatorFault => new OperatorFault('O410', message, fix)

/** Returns the cells of the first rows of a text. Nothing where a sign cannot separate them. */
function firstRows(text: string, delimiter: string, count: number): readonly (readonly (string | null)[])[] {
  try {
    return parseSeparated(text, { delimiter, to: count }).map(({ record }) => record)
  } catch (error) {
    if (isRefusal(error)) return []
    throw error
  }
}

/** How many rows are looked at for what separates cells. */
const looked = 20

/**
 * Returns what separates the names of the columns. Where several signs do, it is the one by which most of the next rows
 * have as many cells, and of these the one that makes most columns, and no space after it.
 */
function separatorIn(text: string): Separator {
  const [line = ''] = text.split('\n', 1)
  const several = separators
    .map(name => {
      const [names = [], ...rows] = firstRows(text, signs[name], looked)
      return {
        name,
        columns: names.length,
        even: rows.filter(({ length }) => length === names.length).length,
        spaces: line.split(`${signs[name]} `).length
      }
    })
    .filter(({ columns }) => columns > 1)
    .sort((a, b) => b.even - a.even || b.columns - a.columns || a.spaces - b.spaces)
  return several[0]?.name ?? ','
}

/** Throws an OperatorFault where a stated separator leaves one column, and another sign makes several. */
function requireColumns(path: string, text: string, stated: Separator): void {
  const other = separatorIn(text)
  const [names = []] = firstRows(text, signs[stated], 1)
  const count = firstRows(text, signs[other], 1)[0]?.length ?? 0
  if (names.length === 1 && count > 2)
    throw unreadable(
      `${path}:1: \`${stated}\` leaves one column, \`${(names[0] ?? '').slice(0, 60)}\`, and \`${other}\` makes ${count}.`,
      `Say --separator '${other}'.`
    )
}

/**
 * Looks at the start of a file of text. Returns the sign that separates its cells: the stated one, a tab in TSV, else
 * what its first line shows. Throws an OperatorFault for a file of another form.
 */
export function delimiterOf(path: string, form: TextForm, stated: Separator | undefined): string {
  const [bytes = Buffer.alloc(0)] = filePieces(path)
  const start = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  for (const { begins, what, fix, in: forms = [form] } of otherForms)
    if (forms.includes(form) && begins.test(start.trimStart()))
      throw unreadable(`${path} is ${what}, and not ${form.toUpperCase()}.`, fix)
  if (!separated.includes(form)) return ''
  const text = start.replace(/^[\r\n]+/, '')
  const named = stated ?? (form === 'tsv' ? 'tab' : undefined)
  if (named !== undefined) requireColumns(path, text, named)
  return signs[named ?? separatorIn(text)]
}
