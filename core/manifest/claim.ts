import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'
import { closed } from './manifest.ts'

/** A JSON pointer (RFC 6901) to a part of a value. */
const pointer = '^(/[^/]*)+$'
const JsonPointer = Type.String({ pattern: pointer })

export const ClaimSchema = Type.Object(
  {
    says: Type.Optional(Type.String({ minLength: 4, maxLength: 300, description: 'Words of the text, as they are.' })),
    runs: Type.Optional(
      Type.String({
        pattern: pointer,
        description: 'JSON pointer to a command in the text, which is run in place of a request.'
      })
    ),
    as: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9-]*(/[a-z]+)?$',
        description: 'Who asks: an access kind, and after a slash which one of several. Default: nobody who is known.'
      })
    ),
    method: Type.Optional(Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], { description: 'Default GET.' })),
    path: Type.Optional(
      Type.String({
        pattern: '^/',
        description: 'Path and query. `$NAME` is a value that an earlier answer of the file gave.'
      })
    ),
    body: Type.Optional(
      Type.Object({}, { description: 'The JSON that is sent. `$IN_2_DAYS` and `$IN_5_MINUTES` are times from now.' })
    ),
    status: Type.Optional(
      Type.Integer({ minimum: 200, maximum: 599, description: 'Status of the answer. Default 200.' })
    ),
    shows: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Values in the answer, by their JSON pointers.' })
    ),
    counts: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
        description: 'How many members lists and objects of the answer have, by their JSON pointers.'
      })
    ),
    lacks: Type.Optional(Type.Array(JsonPointer, { description: 'What the answer does not have.' })),
    keeps: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Z][A-Z_]*$' }), JsonPointer, {
        description: 'Names for texts of the answer that later requests use.'
      })
    )
  },
  closed
)

/** A sentence of a text, and a request whose answer makes it true. */
export type Claim = Readonly<Static<typeof ClaimSchema>>
