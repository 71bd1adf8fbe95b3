import type { JsonObject, JsonSchema } from '../canonical/json.ts'

/** One fixed document of `corpora/documents/`, with the schema given beside it or read off its value. */
export type FixedDocument = Readonly<{ name: string; value: JsonObject; schema: JsonSchema }>
