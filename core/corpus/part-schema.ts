import type { JsonSchema } from '../canonical/json.ts'

/**
 * The schema of some members of an entry, each as the corpus declares it, with what their references name; nothing else
 * of an entry is asked for.
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
