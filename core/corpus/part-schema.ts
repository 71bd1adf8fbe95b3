import type { JsonSchema } from '../canonical/json.ts'

/**
 * Returns a schema for some members of an entry: each member as the corpus declares it, but only those in `required`
 * are required. It keeps the definitions that references need.
 */
export const partSchema = (
  { $defs, definitions, properties, patternProperties }: JsonSchema,
  required: readonly string[]
): JsonSchema => ({
  type: 'object',
  ...($defs === undefined ? {} : { $defs }),
  ...(definitions === undefined ? {} : { definitions }),
  ...(patternProperties === undefined ? {} : { patternProperties }),
  properties: properties ?? {},
  required
})
