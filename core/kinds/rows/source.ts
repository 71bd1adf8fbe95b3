import type { Corpus } from '../../corpus/corpus.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { Surface } from '../../manifest/surface.ts'
import { changedQuery } from '../../plan/dispatch.ts'
import type { ContentSource, KindDependencies, PlanInput, RowPosition } from '../../plan/kind.ts'
import { invalidIn } from '../../plan/read.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import { decodeCursor, encodeCursor, refuseCursor } from '../collection/page.ts'
import { compileFilterMembers, compileSetFilters, compileFormatUrls } from '../collection/selection.ts'
import { corpusOf } from '../fields.ts'
import { compileFieldset } from '../shown-entries.ts'
import { isList, type RowsAnswer } from './manifest.ts'
import { compileAllOf, compileRowStream, refuseTogether } from './stream.ts'

type Query = PlanInput['query']
type Given = KindDependencies<'corpora' | 'tables'>
type Live = Extract<ContentSource, { when: 'live' }>

/** Returns SQL that holds if one item of a list column meets a condition. */
const ofItems = (sql: string): string =>
  `exists (select from unnest(:field:) as item where ${sql.replaceAll(':field:', 'item')})`

/** Whether an error says that no column can have a value, and not which one. */
const isOfValue = (error: unknown): boolean =>
  error instanceof SurfaceError && error.code === 'INVALID_INPUT' && error.details?.['field'] === 'value'

/** Returns an order that ends with the key, so that no two rows have the same place. */
const withKey = (order: readonly string[], key: string): readonly string[] =>
  order.some(name => name.replace(/^-/, '') === key) ? order : [...order, key]

function positionIn(cursor: string, length: number): RowPosition {
  const values = decodeCursor(cursor, length)
  return values.every(value => value === null || typeof value === 'string') ? values : refuseCursor()
}

/** Signs `-` that exclude the same word. A database has room for few of them, and calls more a fault of its own. */
const tooManyMinus = /(?:-[^\p{L}\p{N}-]*){20}/u

/** Returns the words to search. Throws INVALID_INPUT for those that no database reads. */
function wordsIn({ q }: Query): string | undefined {
  if (typeof q !== 'string') return undefined
  if (tooManyMinus.test(q))
    throw invalidIn('query', '`q` has 20 signs `-` with no word between them.', {
      field: 'q',
      allowed: 'one `-` before each word that is excluded'
    })
  return q
}

/** Compiles the source of the rows of a table. */
export function compileRows(surface: Surface<RowsAnswer>, given: Given): Live {
  const { answer, formats, route } = surface
  const { filters, order: declared, limit, list, fixed, fields } = answer
  const corpus: Corpus = corpusOf(given, answer.corpus)
  const table = given.tables(corpus)
  const properties = propertiesOf(corpus.schema)
  const setFilters = compileSetFilters(corpus, filters)
  const membersOf = compileFilterMembers(corpus, filters)
  const choose = compileFieldset(corpus, fields)
  const formatsOf = compileFormatUrls(route.path, formats)
  const textFields = Object.values(corpus.roles)

  const conditionsOf = (query: Query) =>
    setFilters(query).map(({ name, field, operator, value, wanted }) => {
      if (!isList(properties[field])) return { name, field, sql: operator.sql(value), wanted }
      return operator.isOfItems === true
        ? { name, field, sql: ':field: && :wanted', wanted: [wanted].flat() }
        : { name, field, sql: ofItems(operator.sql(value)), wanted }
    })

  /**
   * Reads rows. Where the columns can have no such value, names the parameter: the filter that is refused alone, else
   * the cursor.
   */
  async function readFor<T>(query: Query, conditions: ReturnType<typeof conditionsOf>, read: () => Promise<T>) {
    try {
      return await read()
    } catch (error) {
      if (!isOfValue(error)) throw error
      for (const { name, ...condition } of conditions) {
        const refused = await table.count({ conditions: [condition] }, 1).catch((reason: unknown) => reason)
        if (isOfValue(refused))
          throw invalidIn('query', `\`${name}\` is beyond what its field can have.`, { field: name })
      }
      if (query['cursor'] !== undefined) return refuseCursor()
      throw error
    }
  }

  const chosenBy = (query: Query) => {
    const { sort, fields: asked } = query
    const { columns, show, whole } = choose(asked)
    return {
      selected: { conditions: conditionsOf(query), words: wordsIn(query) },
      order: withKey(typeof sort === 'string' ? [sort] : declared, corpus.key),
      read: [...new Set([...columns, ...textFields, corpus.key])],
      columns,
      show,
      whole
    }
  }

  const stream = compileRowStream(answer, table)
  const allOf = compileAllOf(surface)

  return {
    when: 'live',
    answer: async ({ query }) => {
      const { selected, order, read, columns, show, whole } = chosenBy(query)
      if (query['all'] === true) {
        refuseTogether(query)
        const all = stream({ ...selected, columns: read, order }, columns, whole)
        return {
          status: 200,
          data: null,
          stream: { ...all, check: () => readFor(query, selected.conditions, all.check) }
        }
      }
      const { cursor, limit: asked, count } = query
      const after = typeof cursor === 'string' ? positionIn(cursor, order.length) : undefined
      const most = typeof asked === 'number' ? asked : limit.default
      const { rows, position } = await readFor(query, selected.conditions, () =>
        table.list({ ...selected, columns: read, order, after, limit: most })
      )
      const isCounted = count === true
      return {
        status: 200,
        data: {
          ...fixed,
          scope: {
            total_entries_in_corpus: isCounted ? await table.count({ conditions: [] }) : null,
            total_entries_after_filters: isCounted ? await table.count(selected) : null
          },
          ...membersOf(query),
          ...formatsOf(query),
          returned: rows.length,
          [list]: rows.map(show)
        },
        list: { entries: rows.map(whole), corpus, columns },
        next: position === undefined ? undefined : changedQuery(query, { cursor: encodeCursor(position) }),
        all: allOf(query)
      }
    }
  }
}
