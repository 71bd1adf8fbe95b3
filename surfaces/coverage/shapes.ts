import Type, { type TProperties, type TSchema } from 'typebox'

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const closed = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })
export const Text = Type.String()
export const Texts = Type.Array(Text)
export const Count = Type.Integer({ minimum: 0 })
export const Day = Type.String({ format: 'date' })
export const Moment = Type.String({ format: 'date-time' })
export const Path = Type.String({ pattern: '^/' })

/** An identifier that a caller may filter by. One that is not known matches nothing. */
const identifier = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', maxLength: 64 }

export const SourceFilter = Type.String({ ...identifier, description: 'Only what this source observed: an id of /api/v1/sources.' })
export const GameFilter = Type.String({ ...identifier, description: 'Only one game, by token, slug or alias in any letter case: `op`, `one-piece`.' })
