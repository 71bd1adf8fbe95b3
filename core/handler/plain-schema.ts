import type { TSchema } from 'typebox'
import type { JsonSchema } from '../canonical/json.ts'

/** The plain JSON Schema of a TypeBox schema, whose interface type does not name its keywords. */
export const plain = (schema: TSchema): JsonSchema => ({ ...schema })
