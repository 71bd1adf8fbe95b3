import type { TProperties, TSchema } from 'typebox'
import { Type } from '../canonical/type.ts'

/**
 * Returns the schema of an object that may have no other members than these. `words` is its description; or its
 * `title`, which names its component in OpenAPI, and its description.
 */
export const closed = <P extends TProperties>(
  properties: P,
  words?: string | Readonly<{ title: string; description?: string }>
) =>
  Type.Object(properties, {
    additionalProperties: false,
    ...(typeof words === 'string' ? { description: words } : words)
  })

/** Returns the schema of a value that may also be null. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** Schema of any text, also an empty one. */
export const Text = Type.String()
/** Schema of a list of texts. */
export const Texts = Type.Array(Text)
/** Schema of a text or null. */
export const NullableText = nullable(Text)
/** Schema of a number of things: an integer that is not negative. */
export const Count = Type.Integer({ minimum: 0 })
/** Schema of a date without a time, `YYYY-MM-DD` (RFC 3339). */
export const Day = Type.String({ format: 'date' })
/** Schema of a date with a time (RFC 3339). */
export const Moment = Type.String({ format: 'date-time' })
/** Schema of a path of the service, which may have a query or `{placeholders}`. */
export const Path = Type.String({ pattern: '^/' })
/** Schema of a SHA-256 hash, as structural documents write it. */
export const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, 64 lowercase hexadecimal digits.' })

/** Schema of a point in time in structural documents. */
export const MirrorTime = closed(
  {
    iso8601: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
    unix_epoch_seconds: Type.Integer({ description: 'Whole seconds since 1970-01-01T00:00:00Z.' })
  },
  { title: 'Moment' }
)

/** Returns the schema of a structural document whose `@kind` is `kind`: the preamble and the given members. */
export const mirrorSchema = <P extends TProperties>(kind: string, members: P) =>
  closed({
    '@content_hash': Hash,
    '@encoding': Text,
    '@kind': Type.Literal(kind),
    '@retrieved_at': MirrorTime,
    '@self_hash': Hash,
    '@source_license': Texts,
    '@sources': Texts,
    ...members
  })
