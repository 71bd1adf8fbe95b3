import type { JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { Corpus, Entry } from '../../corpus/corpus.ts'
import { partSchema } from '../../corpus/part-schema.ts'
import { entriesAfter } from '../../corpus/select.ts'
import { SurfaceError } from '../../handler/errors.ts'
import { changedQuery } from '../../plan/query.ts'
import type { PlanInput } from '../../plan/result.ts'
import { compileSchema } from '../../schema/compile.ts'

type Query = PlanInput['query']

/** How a reader asks for the next page: by where the last one ended, or by how many entries to skip. */
export type Page = 'cursor' | 'offset'

export const pageParameters: Readonly<Record<Page, JsonSchema>> = {
  cursor: {
    type: 'string',
    minLength: 1,
    maxLength: 4000,
    description: 'Where the page before ended, as its `next_link` says; without it the first page.'
  },
  offset: { type: 'integer', minimum: 0, default: 0, description: 'Number of entries to skip.' }
}

/** The values that an entry is sorted by, as text that readers pass on and do not read. */
const encode = (position: readonly JsonValue[]): string => Buffer.from(JSON.stringify(position)).toString('base64url')

const refuse = (): never => {
  throw new SurfaceError('INVALID_INPUT', '`cursor` is none that this surface gave.', {
    details: { in: 'query', field: 'cursor', allowed: 'the cursor of a `next_link`, or none for the first page' }
  })
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return refuse()
  }
}

/**
 * What reads a cursor: the fields that an entry is sorted by, as the corpus declares them; one that an entry may leave
 * out may be `null`.
 */
function compileDecode({ schema }: Pick<Corpus, 'schema'>, names: readonly string[]): (cursor: string) => Entry {
  const listed = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : []
  const required = names.filter(name => listed.includes(name))
  const check = compileSchema(partSchema(schema, required))
  return cursor => {
    const values = parsed(cursor)
    // Another text of the same bytes, or bytes that are no UTF-8, did not come from here.
    if (!Array.isArray(values) || values.length !== names.length || encode(values as JsonValue[]) !== cursor)
      return refuse()
    const position = names.map((name, index) => [name, (values as JsonValue[])[index] ?? null] as const)
    if (
      check(Object.fromEntries(position.filter(([name, value]) => value !== null || required.includes(name)))).length >
      0
    )
      return refuse()
    return Object.fromEntries(position)
  }
}

type Paged = Readonly<{ entries: readonly Entry[]; next: string | undefined }>

/**
 * One page of sorted entries, and the query of the next. A cursor is a place in the order, not an entry: what is added
 * or removed before it moves nothing, what is added after it is found, and nothing is shown twice.
 */
export function compilePage(
  page: Page,
  corpus: Pick<Corpus, 'key' | 'schema'>,
  order: readonly string[]
): (sorted: readonly Entry[], size: number, query: Query) => Paged {
  const names = [...new Set([...order.map(name => name.replace(/^-/, '')), corpus.key])]
  const decode = compileDecode(corpus, names)
  return (sorted, size, query) => {
    const skipped = page === 'offset' && typeof query['offset'] === 'number' ? query['offset'] : 0
    const cursor = query['cursor']
    const rest =
      page === 'cursor' && typeof cursor === 'string'
        ? entriesAfter(sorted, decode(cursor), order, corpus.key)
        : sorted.slice(skipped)
    const entries = rest.slice(0, size)
    const last = entries.at(-1)
    if (last === undefined || rest.length <= entries.length) return { entries, next: undefined }
    return {
      entries,
      next: changedQuery(query, {
        [page]: page === 'offset' ? skipped + entries.length : encode(names.map(name => last[name] ?? null))
      })
    }
  }
}
