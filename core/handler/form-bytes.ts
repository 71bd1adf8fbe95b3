import type { JsonSchema } from '../canonical/json.ts'
import { propertiesOf, typesOf } from '../schema/json-schema.ts'

/** A character has up to four bytes in UTF-8, and a form may write each as three (WHATWG URL §5.2). */
const characterBytes = 12

/** What is counted where a text has no `maxLength`, and a list no `maxItems`. */
const [unsaidLength, unsaidItems] = [500, 10]

/** For a text that is a little too long: its field says so. */
const spareBytes = 512

const pairBytes = (name: string, text: string): number => new URLSearchParams([[name, text]]).toString().length + 1

/** Returns the bytes of the longest value of a field, with its name and the signs beside it. */
function fieldBytes(name: string, schema: JsonSchema): number {
  const { const: one, enum: words, anyOf, items, maxItems = unsaidItems, maxLength = unsaidLength } = schema
  const choices = one === undefined ? words : [one]
  if (Array.isArray(choices)) return Math.max(...choices.map(choice => pairBytes(name, String(choice))))
  if (Array.isArray(anyOf)) return Math.max(...anyOf.map(part => fieldBytes(name, part as JsonSchema)))
  if (items !== undefined) return Number(maxItems) * fieldBytes(name, items as JsonSchema)
  const isText = typesOf(schema).every(type => type === 'string')
  return isText ? pairBytes(name, '') + Number(maxLength) * characterBytes : pairBytes(name, String(-Number.MAX_VALUE))
}

/** Returns the most bytes that fields need in a form. */
export const bytesOfFields = (fields: Readonly<Record<string, JsonSchema>>): number =>
  Object.entries(fields).reduce((sum, [name, field]) => sum + fieldBytes(name, field), 0)

/** Returns the most bytes that a form of these fields may have. */
export const formBytes = (fields: JsonSchema): number => bytesOfFields(propertiesOf(fields)) + spareBytes
