import { commit, copyInto, type CopyValue } from '../copy.ts'
import type { Database } from '../database.ts'
import { toLoadError } from '../errors.ts'
import { recordMigrations } from '../migrations.ts'
import { quotedName, type DescribedTable } from './describe.ts'

/** A column to load. Its type is one that PostgreSQL knows, and its name has only letters, digits and underscores. */
type LoadedColumn = Readonly<{ name: string; type: string }>

/**
 * What `loadRows` is asked for. `key`: columns that identify a row together, none if nothing does. `search`: columns
 * whose words are searched, in a new table.
 */
export type LoadRequest = Readonly<{
  table: string
  columns: readonly LoadedColumn[]
  key: readonly string[]
  search: readonly string[]
  indexes: readonly string[]
  /** The table as it is; undefined if it is to be created. */
  existing: DescribedTable | undefined
  /** The name of a migration that creates the same table, which is recorded as one that has run. */
  migration?: string | undefined
  /** Whether the rows that the table has are deleted first. */
  replaces: boolean
  rows: () => AsyncIterable<readonly CopyValue[]>
}>

/** How many rows were inserted, how many took the place of one with their key, and how many keys came again. */
type LoadOutcome = Readonly<{ inserted: number; updated: number; repeated: number }>

/** Name of the column with the words to search. */
export const wordsColumn = 'words'

const list = (names: readonly string[]): string => names.map(quotedName).join(', ')

/** Name of the key that a new table gets if not one column is named: the database numbers the rows. */
export const numberColumn = 'id'

/** What a new table has. */
export type NewTable = Pick<LoadRequest, 'table' | 'columns' | 'key' | 'search' | 'indexes'>

/** Returns the one column that identifies a row of a new table; undefined if none was named alone and `id` is taken. */
export function keyOfNew({ key, columns }: Pick<NewTable, 'key' | 'columns'>): string | undefined {
  if (key.length === 1) return key[0]
  return columns.some(({ name }) => name === numberColumn) ? undefined : numberColumn
}

/** Returns the definition of the column with the words of others. They are searched without regard to a language. */
function wordsOf(search: readonly string[]): string {
  const words = search.map(name => `coalesce(cast(${quotedName(name)} as text), '')`).join(` || ' ' || `)
  return `${quotedName(wordsColumn)} tsvector generated always as (to_tsvector('simple', ${words})) stored`
}

const indexing = (table: string, search: readonly string[]): readonly string[] =>
  search.length === 0 ? [] : [`create index on ${quotedName(table)} using gin (${quotedName(wordsColumn)})`]

/** Returns the statements by which words of columns of a table can be searched. */
export const addingWords = (table: string, search: readonly string[]): readonly string[] => [
  `alter table ${quotedName(table)} add column ${wordsOf(search)}`,
  ...indexing(table, search)
]

/** Returns the statements that create a table with its indexes. */
export function creating({ table, columns, key, search, indexes }: NewTable): readonly [string, ...string[]] {
  const isNumbered = key.length !== 1 && keyOfNew({ key, columns }) !== undefined
  const constraintOf = (name: string): string =>
    key.includes(name) ? (key.length === 1 ? ' primary key' : ' not null') : ''
  const definitions = [
    ...(isNumbered ? [`${quotedName(numberColumn)} bigint generated always as identity primary key`] : []),
    ...columns.map(({ name, type }) => `${quotedName(name)} ${type}${constraintOf(name)}`),
    // A surface names a row by one column, so columns that are unique together leave the primary key to the number.
    ...(key.length > 1 ? [`${isNumbered ? 'unique' : 'primary key'} (${list(key)})`] : []),
    ...(search.length === 0 ? [] : [wordsOf(search)])
  ]
  return [
    `create table ${quotedName(table)} (${definitions.join(', ')})`,
    ...indexes.map(name => `create index on ${quotedName(table)} (${quotedName(name)})`),
    ...indexing(table, search)
  ]
}

/** The rows as they came, with their places in the file. No table that is loaded has such a name. */
const staging = quotedName('#load')

/** Returns the statement that moves the rows to the table, the last of each key, and counts them. */
function moving({ table, columns, key }: LoadRequest): string {
  const names = columns.map(({ name }) => name)
  if (key.length === 0)
    return `with moved as (insert into ${quotedName(table)} (${list(names)}) select ${list(names)} from ${staging} order by "#place" returning true)
      select count(*)::int as inserted, 0 as updated from moved`
  const others = names
    .filter(name => !key.includes(name))
    .map(name => `${quotedName(name)} = excluded.${quotedName(name)}`)
  // Of a row that was there before, `xmax` is the transaction that has locked it to change it.
  return `with moved as (insert into ${quotedName(table)} (${list(names)})
      select distinct on (${list(key)}) ${list(names)} from ${staging} order by ${list(key)}, "#place" desc
      on conflict (${list(key)}) do ${others.length === 0 ? 'nothing' : `update set ${others.join(', ')}`} returning xmax = 0 as is_new)
    select count(*) filter (where is_new)::int as inserted, count(*) filter (where not is_new)::int as updated from moved`
}

/**
 * Loads rows into a table in one transaction, and creates it if it is new. A row takes the place of the one with its
 * key; of several rows with one key the last is taken. Throws a OperatorFault if the table refuses a row.
 */
export async function loadRows({ bulk }: Pick<Database, 'bulk'>, request: LoadRequest): Promise<LoadOutcome> {
  const { table, columns, existing, migration, replaces, rows } = request
  const trx = await bulk.transaction()
  try {
    const [create, ...indexes] = existing === undefined ? creating(request) : []
    if (create !== undefined) await trx.raw(create)
    else if (replaces) await trx.raw(`delete from ${quotedName(table)}`)
    if (migration !== undefined) await recordMigrations(trx, [migration])
    const staged = columns.map(({ name, type }) => `${quotedName(name)} ${type}`).join(', ')
    await trx.raw(
      `create temporary table ${staging} ("#place" bigint generated always as identity, ${staged}) on commit drop`
    )
    await copyInto(
      trx,
      staging,
      columns.map(({ name }) => quotedName(name)),
      rows()
    )
    const {
      rows: [moved]
    } = await trx.raw<{ rows: Omit<LoadOutcome, 'repeated'>[] }>(moving(request))
    for (const statement of indexes) await trx.raw(statement)
    const {
      rows: [all]
    } = await trx.raw<{ rows: { count: number }[] }>(`select count(*)::int as count from ${staging}`)
    await commit(trx)
    const { inserted = 0, updated = 0 } = moved ?? {}
    await bulk.raw(`analyze ${quotedName(table)}`)
    return { inserted, updated, repeated: (all?.count ?? 0) - inserted - updated }
  } catch (error) {
    await trx.rollback().catch(() => undefined)
    throw toLoadError(table, error)
  }
}
