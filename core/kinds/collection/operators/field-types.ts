import type { JsonObject, JsonSchema } from '../../../canonical/json.ts'
import { typesOf } from '../../../schema/json-schema.ts'

/** Returns the types of a value without `null`, because a filter never asks for `null`. */
export const askedTypes = (value: JsonSchema): string[] => typesOf(value).filter(type => type !== 'null')

/** Returns the `minimum` and `maximum` of a number schema. */
export const boundsOf = (value: JsonSchema): JsonObject =>
  Object.fromEntries(
    ['minimum', 'maximum'].flatMap(bound => (typeof value[bound] === 'number' ? [[bound, value[bound]]] : []))
  )

/** Schema of a text from a caller: at most 160 characters. */
export const shortText = { type: 'string', minLength: 1, maxLength: 160 }
