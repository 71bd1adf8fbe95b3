import type { JsonObject, JsonSchema, JsonValue } from '../../../canonical/json.ts'
import type { ComparedColumn } from '../../../manifest/surface.ts'
import type { Wanted } from '../../../plan/kind.ts'
import { typesOf } from '../../../schema/json-schema.ts'

/** The value of a query parameter. */
export type AskedValue = string | number | boolean

/**
 * How a filter compares a query value with a field of an entry; a list field meets it if one of its items does. A new
 * operator is exported by a file of this folder, and named in `list.ts`. `value` is the schema of one value of the
 * field.
 */
export type Operator = Readonly<{
  name: string
  /** What the operator means, for the description of `operation` that editors show. */
  meaning: string
  /** What a field must be for the operator, as a part of a hint. */
  needs: string
  fits: (value: JsonSchema) => boolean
  /** Returns the schema of the query parameter. */
  parameter: (field: string, value: JsonSchema) => JsonSchema
  /**
   * Returns a function that reads what the field is compared with from the parameter `name`, and throws INVALID_INPUT.
   * By default that is the value of the parameter.
   */
  read?: (name: string, value: JsonSchema) => (asked: AskedValue) => Wanted
  meets: (value: JsonValue | undefined, wanted: Wanted) => boolean
  /**
   * Returns the same comparison for the rows of a table: an SQL expression with `:field:` for the column and `:wanted`
   * for what it is compared with. `index`: what an index must cover to make it fast.
   */
  sql: (value: JsonSchema) => string
  index: ComparedColumn['index']
  /** Whether a list meets the operator if it has one of the wanted values: an index of a list can tell that. */
  isOfItems?: boolean
  /**
   * Returns the closed list of words of the field, if it has one, for `filter_vocabulary` in the answer. Operators that
   * compare with less than a whole text do not have it.
   */
  words?: (value: JsonSchema) => readonly string[] | undefined
  /** True if the operator compares dates: `scope.begins` in the answer is then the date of the oldest entry. */
  dated?: boolean
}>

/** Returns the JSON types that a schema allows, without `null`, because a filter never asks for it. */
export const askedTypes = (value: JsonSchema): string[] => typesOf(value).filter(type => type !== 'null')

export const boundsOf = (value: JsonSchema): JsonObject =>
  Object.fromEntries(
    ['minimum', 'maximum'].flatMap(bound => (typeof value[bound] === 'number' ? [[bound, value[bound]]] : []))
  )

export const shortText = { type: 'string', minLength: 1, maxLength: 160 }

export const isNumeric = (value: JsonSchema): boolean => {
  const types = askedTypes(value)
  return types.length > 0 && types.every(type => type === 'integer' || type === 'number')
}

/** Whether a value is a date or a time (RFC 3339 §5.6). */
export const isDated = (value: JsonSchema): boolean => value['format'] === 'date' || value['format'] === 'date-time'
