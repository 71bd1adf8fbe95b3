import type { JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { Corpus, Entry } from '../../corpus/corpus.ts'
import { entriesAfter } from '../../corpus/select.ts'
import { SurfaceError } from '../../handler/errors.ts'
import { changedQuery } from '../../plan/dispatch.ts'
import type { PlanInput } from '../../plan/kind.ts'
import { compileSchema } from '../../schema/compile.ts'
import { partSchema, requiredOf } from '../../schema/json-schema.ts'

type Query = PlanInput['query']

export type Paging = 'cursor' | 'offset'

export const pageParameters: Readonly<Record<Paging, JsonSchema>> = {
  cursor: {
    type: 'string',
    minLength: 1,
    maxLength: 4000,
    description:
      'Where the page before ended, as its `Link` with `rel="next"` and its `next_link` say; without it the first page.'
  },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'Number of entries to skip.' }
}

/** Writes a position in an order as a cursor. */
export const encodeCursor = (position: readonly JsonValue[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

export const refuseCursor = (): never => {
  throw new SurfaceError('INVALID_INPUT', '`cursor` is none that this surface gave.', {
    details: {
      in: 'query',
      field: 'cursor',
      allowed: 'the cursor of a `Link` with `rel="next"` or of a `next_link`, or none for the first page'
    }
  })
}

/** Returns the position of a cursor; throws INVALID_INPUT unless it has so many values. */
export function decodeCursor(cursor: string, length: number): readonly JsonValue[] {
  let values: unknown
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return refuseCursor()
  }
  // A cursor that does not encode to the same text was not made by this surface: other base64 spelling, or invalid
  // UTF-8.
  const isOwn = Array.isArray(values) && values.length === length && encodeCursor(values as JsonValue[]) === cursor
  return isOwn ? (values as JsonValue[]) : refuseCursor()
}

/** Returns a function that decodes a cursor and checks it against the corpus schema. It throws INVALID_INPUT. */
function compileDecode(schema: JsonSchema, names: readonly string[]): (cursor: string) => Entry {
  const required = names.filter(name => requiredOf(schema).includes(name))
  const check = compileSchema(partSchema(schema, required))
  return cursor => {
    const values = decodeCursor(cursor, names.length)
    const position = names.map((name, index) => [name, values[index] ?? null] as const)
    const given = position.filter(([name, value]) => value !== null || required.includes(name))
    return check(Object.fromEntries(given)).length > 0 ? refuseCursor() : Object.fromEntries(position)
  }
}

/**
 * Returns a function that cuts one page out of sorted entries. A cursor is a position in the order: with it, entries
 * that are added or removed meanwhile shift nothing, and no entry is shown twice.
 */
export function compilePager(
  page: Paging,
  { key, schema }: Pick<Corpus, 'key' | 'schema'>,
  order: readonly string[]
): (
  sorted: readonly Entry[],
  size: number,
  query: Query
) => Readonly<{ entries: readonly Entry[]; next: string | undefined }> {
  const names = [...new Set([...order.map(name => name.replace(/^-/, '')), key])]
  const decode = compileDecode(schema, names)
  return (sorted, size, query) => {
    const { offset, cursor } = query
    const skipped = page === 'offset' && typeof offset === 'number' ? offset : 0
    const rest =
      page === 'cursor' && typeof cursor === 'string'
        ? entriesAfter(sorted, decode(cursor), order, key)
        : sorted.slice(skipped)
    const entries = rest.slice(0, size)
    const last = entries.at(-1)
    if (last === undefined || rest.length <= entries.length) return { entries, next: undefined }
    const next = page === 'offset' ? skipped + entries.length : encodeCursor(names.map(name => last[name] ?? null))
    return { entries, next: changedQuery(query, { [page]: next }) }
  }
}
