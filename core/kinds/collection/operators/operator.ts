import type { JsonObject, JsonSchema, JsonValue } from '../../../canonical/json.ts'
import { typesOf } from '../../../schema/json-schema.ts'

/** A value that a caller may send. */
type AskedValue = string | number | boolean

/**
 * How a filter compares a query value with a field of an entry. A new operator needs a file in this folder and its
 * name in `list.ts`. It compares one value at a time; for a field that is a list, each item.
 */
export type Operator = Readonly<{
  name: string
  /** What it means; editors show it on hover. */
  meaning: string
  /** What the field must be; part of a hint. */
  needs: string
  /** Whether the operator can compare values of this schema. */
  fits: (value: JsonSchema) => boolean
  /** Returns the schema of the query parameter. `field` is the name of the field. */
  parameter: (field: string, value: JsonSchema) => JsonSchema
  meets: (value: JsonValue | undefined, wanted: AskedValue) => boolean
  /** Returns the words for `filter_vocabulary` in the answer, if the field has a closed list. */
  words?: (value: JsonSchema) => readonly string[] | undefined
  /** True if it compares dates: `scope.begins` in the answer is then the date of the oldest entry. */
  dated?: boolean
}>

/** Returns the types of a value without `null`, because a filter never asks for `null`. */
export const askedTypes = (value: JsonSchema): string[] => typesOf(value).filter(type => type !== 'null')

/** Returns the `minimum` and `maximum` of a number schema. */
export const boundsOf = (value: JsonSchema): JsonObject =>
  Object.fromEntries(
    ['minimum', 'maximum'].flatMap(bound => (typeof value[bound] === 'number' ? [[bound, value[bound]]] : []))
  )

/** Schema of a text from a caller: at most 160 characters. */
export const shortText = { type: 'string', minLength: 1, maxLength: 160 }
