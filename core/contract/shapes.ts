import type { TProperties, TSchema } from 'typebox'
import { Type } from '../canonical/type.ts'

/** Returns the schema of an object with exactly these members. A `title` is its name in OpenAPI. */
export const closed = <P extends TProperties>(
  properties: P,
  words?: string | Readonly<{ title: string; description?: string }>
) =>
  Type.Object(properties, {
    additionalProperties: false,
    ...(typeof words === 'string' ? { description: words } : words)
  })

/** A value that may be null. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** Any text. */
export const Text = Type.String()
/** A list of texts. */
export const Texts = Type.Array(Text)
/** A text, or null. */
export const NullableText = nullable(Text)
/** How many. */
export const Count = Type.Integer({ minimum: 0 })
/** A date (ISO 8601). */
export const Day = Type.String({ format: 'date' })
/** A date and time (RFC 3339). */
export const Moment = Type.String({ format: 'date-time' })
/** A path of the service, optionally with a query or `{placeholders}`. */
export const Path = Type.String({ pattern: '^/' })
/** A SHA-256 hash, as structural documents write it. */
export const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, 64 lowercase hexadecimal digits.' })

/** Schema of a point in time in structural documents. */
export const MirrorTime = closed(
  {
    iso8601: Type.String({ format: 'date-time', description: 'UTC, with milliseconds.' }),
    unix_epoch_seconds: Type.Integer({ description: 'Whole seconds since 1970-01-01T00:00:00Z.' })
  },
  { title: 'Moment' }
)

/** Returns the schema of a structural document of one kind: the preamble and the given members. */
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
