import type { JsonSchema } from '../canonical/json.ts'

export const text = (description: string): JsonSchema => ({ type: 'string', description })
export const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })

/** Returns the schema of an object with exactly these members, all required. */
export const exactly = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})
