import { Type } from '../../canonical/type.ts'
import { closed, Field, type ManifestWith } from '../../manifest/manifest.ts'
import { FixedMembers } from '../fixed-members.ts'
import { NormaliseSteps } from '../normalise-field.ts'

export const fields = {
  method: Type.Enum(['POST'], { examples: ['POST'], description: 'POST, the only method of this kind.' }),
  body: Type.Object(
    {
      limit_bytes: Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'Largest body in bytes.' }),
      schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the body, an object.' })
    },
    {
      ...closed,
      examples: [
        {
          limit_bytes: 4096,
          schema: { type: 'object', required: ['note'], properties: { note: { type: 'string', maxLength: 500 } } }
        }
      ],
      description: 'What is read: strict JSON.'
    }
  ),
  normalise: Type.Optional(
    Type.Record(Type.String(), NormaliseSteps, {
      examples: [{ note: ['trim', 'collapse-whitespace'] }],
      description: 'Steps applied to text fields of the body, in order.'
    })
  ),
  hash: Type.Object(
    {
      contract: Type.String({
        pattern: '^[a-z][a-z0-9.-]*/[0-9]+$',
        maxLength: 120,
        description: 'Versioned identifier of the hash contract, such as `note.canonical-json/1`.'
      }),
      over: Type.Array(Field, {
        minItems: 1,
        uniqueItems: true,
        description: 'Members of the normalised body that the hash covers.'
      })
    },
    {
      ...closed,
      examples: [{ contract: 'library.note/1', over: ['note'] }],
      description: 'The content hash: SHA-256 over the canonical JSON of these members.'
    }
  ),
  advice: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ type: 'object', required: ['title'] }],
      description:
        'JSON Schema that the normalised body should match. Members that it omits are listed in `report`; no body is refused for them.'
    })
  ),
  receipt: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      examples: [{ persisted: false }],
      description: 'Constants of the receipt.'
    })
  ),
  with: FixedMembers('the echo')
}

export type WitnessManifest = ManifestWith<typeof fields>
