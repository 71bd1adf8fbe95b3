import type { EntryProblem } from 'pantry/data'
import type { FieldMap } from './source.ts'

type Pointer = EntryProblem['pointer']

/** The files of a source do not match its declaration. The `pointer` of each problem leads into the source's entry. */
export class DataError extends Error {
  readonly problems: readonly EntryProblem[]

  constructor(problems: readonly EntryProblem[]) {
    super(problems.map(({ message }) => message).join(' '))
    this.problems = problems
  }
}

/**
 * Returns the JSON pointer to where a field such as `attributes.cost` or `name_translations.en` is declared in the
 * entry of a source.
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

/** Returns the JSON pointer to the field named at the start of a reason why a row was left out. */
export const placeOfReason = (map: FieldMap, reason: string): Pointer => {
  const field = /^`([a-z_.]+)`/.exec(reason)?.[1]
  return field === undefined ? ['reader', 'map'] : placeOfField(map, field)
}

const missing: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR']

/**
 * Converts an error of reading a declared file to a DataError when the declaration or the file is at fault; returns
 * other errors unchanged.
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

/** The content of a file does not match its declaration. */
export class FileProblem extends Error {}
