import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../canonical/json.ts'
import type { View } from '../format/format.ts'
import { propertiesOf, typesOf } from '../schema/json-schema.ts'

type List = NonNullable<View['list']>

/** The member of the reply that has the rows, if they are not the reply itself, and the columns of a row. */
type Rows = Readonly<{ member?: string; columns: readonly string[] }>

/** The column of rows that are no objects. */
const valueColumn = 'value'

const itemsOf = (schema: JsonSchema): JsonSchema | undefined =>
  typesOf(schema).includes('array') ? ((schema['items'] as JsonSchema | undefined) ?? {}) : undefined

const columnsOf = (row: JsonSchema): readonly string[] => {
  const columns = Object.keys(propertiesOf(row))
  return columns.length === 0 ? [valueColumn] : columns
}

/** Finds the rows in the schema of a reply: the list that it is, or its only member that is one; else it is the row. */
function rowsIn(output: JsonSchema): Rows {
  const own = itemsOf(output)
  if (own !== undefined) return { columns: columnsOf(own) }
  const lists = Object.entries(propertiesOf(output)).flatMap(([member, schema]) => {
    const items = itemsOf(schema)
    return items === undefined ? [] : [{ member, columns: columnsOf(items) }]
  })
  const [only, ...others] = lists
  return only === undefined || others.length > 0 ? { columns: columnsOf(output) } : only
}

/**
 * Returns a function that gives formats of lists the rows of data that shows no corpus, such as what a handler replies:
 * without it CSV and Atom of such data would be empty.
 */
export function compileRowsOf(output: JsonSchema): (data: JsonValue, url: string) => List {
  const { member, columns } = rowsIn(output)
  return (data, url) => {
    const held = member !== undefined && isObject(data) ? data[member] : data
    const entries = [held ?? []].flat().map((row): JsonObject => (isObject(row) ? row : { [valueColumn]: row }))
    return { entries, key: columns[0] ?? valueColumn, roles: {}, columns, readAt: () => url }
  }
}
