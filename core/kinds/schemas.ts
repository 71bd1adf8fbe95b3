import type { JsonSchema } from '../canonical/json.ts'

export const text = (description: string): JsonSchema => ({ type: 'string', description })
export const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

/** An object that has exactly these members, all of them always. */
export const exactly = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})
