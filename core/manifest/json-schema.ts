import type { JsonObject } from '../canonical/json.ts'
import type { Kind } from './kind.ts'
import { rightsMembers } from './rights.ts'

/** A schema of manifests that say their rights, or name a profile. */
const orProfile = (schema: Kind['schema']): JsonObject => {
  const required = (schema['required'] ?? []) as readonly string[]
  return {
    ...schema,
    required: required.filter(name => !rightsMembers.includes(name)),
    oneOf: [
      { required: ['rights'], not: { anyOf: rightsMembers.map(name => ({ required: [name] })) } },
      { required: rightsMembers, not: { required: ['rights'] } }
    ]
  } as JsonObject
}

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
      then: orProfile(schema)
    }))
  }
  return schema
}
