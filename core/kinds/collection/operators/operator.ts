import type { JsonObject, JsonSchema, JsonValue } from '../../../canonical/json.ts'
import { typesOf } from '../../../schema/json-schema.ts'

type AskedValue = string | number | boolean

/**
 * How a filter compares a query value with a field of an entry; a list field meets it if one of its items does. A new
 * operator is exported by a file of this folder, and named in `list.ts`.
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
  meets: (value: JsonValue | undefined, wanted: AskedValue) => boolean
  /** Returns the words for `filter_vocabulary` in the answer, if the field has a closed list. */
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
