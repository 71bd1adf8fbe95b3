import type { JsonObject } from '../canonical/json.ts'
import type { Kind } from './kind.ts'

/**
 * Returns the schema with which editors check manifests. It is draft-07, because YAML language servers support that
 * best. The field `kind` selects the closed schema. `pantry validate` uses that schema alone, so its messages are more
 * exact.
 */
export function editorSchema(kinds: readonly Kind[]): JsonObject {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Surface manifest',
    description: 'One file declares one surface: where its answer comes from, who may call it, and under which rights.',
    type: 'object',
    required: ['kind'],
    properties: {
      kind: {
        enum: kinds.map(({ name }) => name),
        description: 'Where the answer comes from. Choose it first: it decides which fields exist.'
      }
    },
    allOf: kinds.map(({ name, schema }) => ({
      if: { properties: { kind: { const: name } }, required: ['kind'] },
      then: schema
    }))
  }
  return schema as JsonObject
}
