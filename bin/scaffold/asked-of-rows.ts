import { firstOf, type DescribedTable } from '../../core/database/tables/describe.ts'
import type { NewTable } from '../../core/database/tables/load.ts'

/** Types of columns to sort by. */
const ordered: readonly string[] = [
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'real',
  'double precision',
  'date',
  'timestamp with time zone',
  'timestamp without time zone'
]

/** Types of columns whose values are compared as a whole. */
const compared: readonly string[] = ['text', 'character varying', 'character', 'uuid']

type Column = DescribedTable['columns'][number]
type NewColumn = Readonly<{ name: string; type: string; isCategory: boolean }>

/** Returns the columns of a new table that get an index: those with few words, numbers and dates, but not the key. */
export const indexesOfNew = (columns: readonly NewColumn[], [key]: NewTable['key']): readonly string[] =>
  columns
    .filter(({ name, type, isCategory }) => name !== key && (isCategory || ordered.includes(type)))
    .map(({ name }) => name)

/**
 * What callers can ask of rows, by names of columns. `slow`: columns that nobody can ask for, because they have no
 * index. `texts`: columns with words to search.
 */
type Asked = Readonly<Record<'filters' | 'sort' | 'slow' | 'texts', readonly string[]>>

/**
 * Returns what callers can ask of the rows of a table: filters are texts and keys of other rows (`references`), orders
 * the other columns that have an index.
 */
export function askedOf({ columns, indexes }: DescribedTable, key: string, references: readonly string[] = []): Asked {
  const fast = new Set(indexes.filter(({ method }) => method === 'btree').map(firstOf))
  const others = columns.filter(({ name }) => name !== key)
  const isFilter = ({ name, type }: Column): boolean => compared.includes(type) || references.includes(name)
  const isOrder = (column: Column): boolean => ordered.includes(column.type) && !isFilter(column)
  const namesOf = (isFast: boolean, ...asked: readonly ((column: Column) => boolean)[]): readonly string[] =>
    others.filter(one => fast.has(one.name) === isFast && asked.some(is => is(one))).map(({ name }) => name)
  return {
    filters: namesOf(true, isFilter),
    sort: namesOf(true, isOrder),
    slow: namesOf(false, isFilter, isOrder),
    texts: others.filter(({ type }) => compared.includes(type) && type !== 'uuid').map(({ name }) => name)
  }
}
