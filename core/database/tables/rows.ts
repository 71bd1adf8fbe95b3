import type { Knex } from 'knex'
import type { JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { Corpus, Entry, Table } from '../../corpus/corpus.ts'
import { SurfaceError, unavailable } from '../../handler/errors.ts'
import type { RowPosition, RowQuery, Rows } from '../../plan/kind.ts'
import { propertiesOf, typesOf } from '../../schema/json-schema.ts'
import { codeOf, isUnrepresentable } from '../errors.ts'

/**
 * SQLSTATEs of a table that is not as its corpus declares: no such table, column or operator, no right to read it, or a
 * column whose type cannot be shown as the declared one.
 */
const otherTable = /^(?:42P01|42703|42883|42501|42804|42809|42846)$/

/** Tells whether an error of `Rows` says that the table is not as its corpus declares. */
export const isOtherTable = (error: unknown): boolean =>
  error instanceof SurfaceError && otherTable.test(codeOf(error.cause))

/** A column as it is selected: JSON values follow from the declared type. */
function selected(knex: Knex, name: string, schema: JsonSchema): Knex.Raw {
  const types = typesOf(schema).filter(type => type !== 'null')
  const [type] = types
  const isPlain = types.length === 1 && (type === 'integer' || type === 'boolean' || schema['format'] === 'date-time')
  const bindings = { name, as: name }
  if (isPlain) return knex.raw(':name: as :as:', bindings)
  if (types.length === 1 && type === 'number') return knex.raw('cast(:name: as double precision) as :as:', bindings)
  if (types.length === 1 && type === 'string') return knex.raw('cast(:name: as text) as :as:', bindings)
  return knex.raw('to_json(:name:) as :as:', bindings)
}

/** The name under which the text of a column that is sorted by is selected; no column of a corpus has such a name. */
const positionName = (name: string): string => `#${name}`

/** PostgreSQL has numbers that JSON lacks, such as NaN: they become null. */
const jsonOf = (value: unknown): JsonValue =>
  typeof value === 'number' && !Number.isFinite(value) ? null : (value as JsonValue)

type Row = Readonly<Record<string, unknown>>

type Sorted = Readonly<{ name: string; isDown: boolean; isNullable: boolean }>

const words = (knex: Knex, { search }: Table, asked: string): Knex.Raw =>
  knex.raw(':column: @@ websearch_to_tsquery(cast(:language as regconfig), :asked)', {
    column: search?.column ?? '',
    language: search?.language ?? '',
    asked
  })

/**
 * Returns the condition for the rows after a position. Null comes last in both directions. The first column is also
 * compared alone, so that an index of it is used.
 */
function after(knex: Knex, order: readonly Sorted[], position: RowPosition): Knex.Raw {
  const from = (at: number): Knex.Raw => {
    const [column, value] = [order[at], position[at]]
    if (column === undefined || value === undefined) return knex.raw('false')
    const { name, isDown, isNullable } = column
    const rest = from(at + 1)
    if (value === null) return knex.raw('(:name: is null and :rest)', { name, rest })
    const sign = isDown ? '<' : '>'
    const beyond = isNullable ? ' or :name: is null' : ''
    return knex.raw(`(:name: ${sign} :value or (:name: = :value and :rest)${beyond})`, { name, value, rest })
  }
  const [first, value] = [order[0], position[0]]
  if (first === undefined || value === undefined || value === null || first.isNullable || order.length === 1)
    return from(0)
  const sign = first.isDown ? '<=' : '>='
  return knex.raw(`(:name: ${sign} :value and :rest)`, { name: first.name, value, rest: from(0) })
}

/** Some of the rows of a list, in an order and after a position in it. */
type Part = Readonly<{ order: readonly Sorted[]; from: RowPosition | undefined; where?: Knex.Raw }>

/**
 * Returns the parts of a list that are read one after the other. Where the first column may be null, the rows with a
 * value and those without are found by different conditions, so that an index of the column, or of the next, helps.
 */
function partsOf(knex: Knex, order: readonly Sorted[], from: RowPosition | undefined): readonly Part[] {
  const [first, ...others] = order
  if (first?.isNullable !== true) return [{ order, from }]
  const { name } = first
  const valued = { order: [{ ...first, isNullable: false }, ...others], from }
  const isPast = from?.[0] === null
  return [
    ...(isPast ? [] : [{ ...valued, where: knex.raw(':name: is not null', { name }) }]),
    { order: others, from: isPast ? from.slice(1) : undefined, where: knex.raw(':name: is null', { name }) }
  ]
}

/**
 * Returns the reader of the rows of a corpus with a table. `reading`: the pool for what is the same for everybody.
 * `onOther` is called when the table turns out to be not as it is declared.
 */
export function openRows(
  { name: corpus, schema, key, table }: Corpus,
  reading: () => Promise<Knex>,
  onOther: () => void = () => undefined
): Rows {
  if (table === undefined) throw new Error(`The corpus ${corpus} has no table.`)
  const properties = propertiesOf(schema)
  const sorted = (order: readonly string[]): readonly Sorted[] =>
    order.map(field => {
      const name = field.replace(/^-/, '')
      return { name, isDown: field !== name, isNullable: typesOf(properties[name] ?? {}).includes('null') }
    })
  const choose = (knex: Knex, { conditions, words: asked }: Pick<RowQuery, 'conditions' | 'words'>) => {
    const query = knex(table.name)
    for (const { field, sql, wanted } of conditions) query.whereRaw(sql, { field, wanted } as Knex.ValueDict)
    if (asked !== undefined) query.whereRaw(words(knex, table, asked))
    return query
  }
  const read = async <T>(run: (knex: Knex) => PromiseLike<T>): Promise<T> => {
    try {
      return await run(await reading())
    } catch (error) {
      if (!otherTable.test(codeOf(error))) throw error
      onOther()
      const message = `The table of \`${corpus}\` is not as it is declared. The operator has to repair it.`
      throw Object.assign(unavailable(message, 300, { subsystem: 'database' }), { cause: error })
    }
  }
  const entryOf = (row: Readonly<Record<string, unknown>>, columns: readonly string[]): Entry =>
    Object.fromEntries(columns.map(name => [name, jsonOf(row[name])]))
  const columnsOf = (knex: Knex, columns: readonly string[]): Knex.Raw[] =>
    columns.map(name => selected(knex, name, properties[name] ?? {}))

  return {
    list: ({ columns, order, after: position, limit, ...chosen }) =>
      read(async knex => {
        const places = sorted(order)
        const select = async ({ order, from, where }: Part, most: number): Promise<readonly Row[]> => {
          const query = choose(knex, chosen)
            .select(columnsOf(knex, columns))
            .select(
              places.map(({ name }) => knex.raw('cast(:name: as text) as :as:', { name, as: positionName(name) }))
            )
            .limit(most)
          if (where !== undefined) query.whereRaw(where)
          if (from !== undefined) query.whereRaw(after(knex, order, from))
          // Without the table, the name would be that of the selected text, which has another order and no index.
          for (const { name, isDown, isNullable } of order)
            query.orderByRaw(`:column: ${isDown ? 'desc' : 'asc'}${isNullable ? ' nulls last' : ''}`, {
              column: `${table.name}.${name}`
            })
          return (await query) as readonly Row[]
        }
        const found: Row[] = []
        for (const part of partsOf(knex, places, position))
          if (found.length <= limit) found.push(...(await select(part, limit + 1 - found.length)))
        const last = found.length > limit ? found[limit - 1] : undefined
        return {
          rows: found.slice(0, limit).map(row => entryOf(row, columns)),
          position: last === undefined ? undefined : places.map(({ name }) => last[positionName(name)] as string | null)
        }
      }),
    count: (chosen, most) =>
      read(async knex => {
        const all = choose(knex, chosen)
        const counted = most === undefined ? all : knex(all.select(knex.raw('1')).limit(most).as('some'))
        const [row] = await counted.count({ count: '*' })
        return Number((row as Readonly<{ count: unknown }> | undefined)?.count)
      }),
    one: async (wanted, columns) => {
      try {
        return await read(async knex => {
          const found = (await knex(table.name)
            .whereRaw(':key: = :wanted', { key, wanted })
            .select(columnsOf(knex, columns))
            .limit(1)) as readonly Row[]
          return found[0] === undefined ? undefined : entryOf(found[0], columns)
        })
      } catch (error) {
        // Such as a number beyond those of the column: no row has it.
        if (error instanceof SurfaceError && isUnrepresentable(error.cause)) return undefined
        throw error
      }
    },
    end: (size, from) =>
      read(async knex => {
        const query = knex(table.name)
          .select(knex.raw('cast(:key: as text) as value', { key }))
          .orderByRaw(':column:', { column: `${table.name}.${key}` })
          .offset(size - 1)
          .limit(2)
        if (from !== undefined) query.whereRaw(after(knex, sorted([key]), from))
        const [end, next] = (await query) as readonly Readonly<{ value: string }>[]
        return end === undefined || next === undefined ? undefined : [end.value]
      })
  }
}
