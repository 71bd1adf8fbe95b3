import type { JsonSchema } from '../canonical/json.ts'

const whole = /^-?\d{1,15}$/
const decimal = /^-?\d{1,15}(?:\.\d{1,15})?$/

/**
 * Converts the text of a path or query parameter to the type that its schema declares: a number (at most 15 digits
 * before and after the point, no exponent), `true` or `false`. Any other text is returned unchanged, so that the schema
 * refuses it if it has the wrong type.
 */
export function typedText(schema: JsonSchema, text: string): string | number | boolean {
  const types = [schema['type']].flat()
  if ((types.includes('number') && decimal.test(text)) || (types.includes('integer') && whole.test(text)))
    return Number(text)
  return types.includes('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
}
