import type { JsonObject, JsonSchema } from '../canonical/json.ts'

/**
 * One fixed document of `corpora/documents/`, with the schema of its schema file or the one inferred from its value.
 */
export type FixedDocument = Readonly<{ name: string; value: JsonObject; schema: JsonSchema }>
