import Type, { type TProperties } from 'typebox'

const closed = { additionalProperties: false }

/** SHA-256 as structural documents write it. */
export const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, 64 lowercase hexadecimal digits.' })

/** A moment as structural documents write it. */
export const MirrorTime = Type.Object({
  iso8601: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
  unix_epoch_seconds: Type.Integer({ description: 'Whole seconds since 1970-01-01T00:00:00Z.' })
}, closed)

/** Schema of a structural document of one kind: the preamble and the members given. */
export const mirrorSchema = <P extends TProperties>(kind: string, members: P) => Type.Object({
  '@content_hash': Hash,
  '@encoding': Type.String(),
  '@kind': Type.Literal(kind),
  '@retrieved_at': MirrorTime,
  '@self_hash': Hash,
  '@source_license': Type.Array(Type.String()),
  '@sources': Type.Array(Type.String()),
  ...members
}, closed)
