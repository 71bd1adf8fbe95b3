import type { JsonObject, JsonSchema } from '../../../canonical/json.ts'
import { typesOf } from '../../../manifest/entry-fields.ts'

/** The types of a value; a filter never asks for `null`. */
export const askedTypes = (value: JsonSchema): string[] => typesOf(value).filter(type => type !== 'null')

/** The bounds of a number as its schema gives them. */
export const boundsOf = (value: JsonSchema): JsonObject =>
  Object.fromEntries(
    ['minimum', 'maximum'].flatMap(bound => (typeof value[bound] === 'number' ? [[bound, value[bound]]] : []))
  )

/** A text that a caller sends: at most 160 characters. */
export const shortText = { type: 'string', minLength: 1, maxLength: 160 }
