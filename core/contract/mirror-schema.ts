import type { TProperties } from 'typebox'
import { Type } from '../canonical/type.ts'
import { closed, Hash } from './shapes.ts'

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
    '@encoding': Type.String(),
    '@kind': Type.Literal(kind),
    '@retrieved_at': MirrorTime,
    '@self_hash': Hash,
    '@source_license': Type.Array(Type.String()),
    '@sources': Type.Array(Type.String()),
    ...members
  })
