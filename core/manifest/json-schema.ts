import type { JsonObject } from '../canonical/json.ts'
import { kinds } from '../vocabulary/words.ts'
import { manifestSchemas } from './schema.ts'

/**
 * The schema that editors check manifests with: draft-07, because YAML language servers read it best. The kind decides
 * which closed schema holds; `pantry validate` uses the schema of the kind alone and so reports more exactly.
 */
export function editorSchema (): JsonObject {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Surface manifest',
    description: 'One file declares one surface: where its answer comes from, who may call it, and under which rights.',
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: kinds, description: 'Where the answer comes from. Choose it first: it decides which fields exist.' } },
    allOf: kinds.map(kind => ({ if: { properties: { kind: { const: kind } }, required: ['kind'] }, then: manifestSchemas[kind] }))
  }
  // The schemas carry markers that are not JSON; their text is what editors get.
  return JSON.parse(JSON.stringify(schema)) as JsonObject
}
