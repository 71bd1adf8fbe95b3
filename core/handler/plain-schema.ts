import type { TSchema } from 'typebox'
import type { JsonSchema } from '../canonical/json.ts'

/** Converts a TypeBox schema, whose interface type does not name its keywords, to the type of plain JSON Schema. */
export const plain = (schema: TSchema): JsonSchema => ({ ...schema })
