import type { EntryProblem } from 'pantry/data'
import type { FieldMap } from './source.ts'

type Pointer = EntryProblem['pointer']

/**
 * What the files of a source hold that its declaration does not say of them; each problem with its place in the entry.
 */
export class DataError extends Error {
  readonly problems: readonly EntryProblem[]

  constructor(problems: readonly EntryProblem[]) {
    super(problems.map(({ message }) => message).join(' '))
    this.problems = problems
  }
}

/**
 * Where in the entry of a source a field of the map is declared, such as `attributes.cost` or `name_translations.en`.
 */
export function placeOfField(map: FieldMap, field: string): Pointer {
  const [name = '', ...rest] = field.split('.')
  const own = name === 'sku_number' && map.sku_number === undefined ? 'number' : name
  const declared = (map as Readonly<Record<string, unknown>>)[own]
  const at = ['reader', 'map', own]
  if (typeof declared !== 'object' || declared === null || rest.length === 0) return at
  return name === 'attributes'
    ? [...at, ...rest.slice(0, 1)]
    : 'languages' in declared
      ? [...at, 'languages', rest.join('.')]
      : at
}

/** The same of the field that a reason to leave a row out begins with. */
export const placeOfReason = (map: FieldMap, reason: string): Pointer => {
  const field = /^`([a-z_.]+)`/.exec(reason)?.[1]
  return field === undefined ? ['reader', 'map'] : placeOfField(map, field)
}

const missing: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR']

/**
 * What reading a declared file met: a DataError where the declaration or the file is at fault, else the error itself.
 */
export function readingProblem(error: unknown, pointer: Pointer, path: string): unknown {
  if (!(error instanceof Error) || error instanceof DataError) return error
  if ('code' in error && missing.includes(error.code))
    return new DataError([
      {
        pointer,
        message: `There is no file \`${path}\` in the folder of the source.`,
        hint: 'A path is relative to the folder; `*` stands for any part of one name.'
      }
    ])
  const isOfFile =
    error instanceof SyntaxError ||
    error instanceof FileProblem ||
    (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
  return isOfFile ? new DataError([{ pointer, message: error.message }]) : error
}

/** A file that is not what its declaration says. */
export class FileProblem extends Error {}
