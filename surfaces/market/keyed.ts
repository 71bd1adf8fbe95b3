import type { TProperties } from 'typebox'
import { Type } from 'pantry/data'

/** Schema of a body that may carry its idempotency key, because a form sends no header. */
export const keyed = <P extends TProperties>(members: P) =>
  Type.Object(
    {
      ...members,
      idempotency_key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'The same as the header `Idempotency-Key`, for forms: the same key does something once in 24 hours.'
        })
      )
    },
    { additionalProperties: false }
  )

/** Of an act that says nothing but that it is done. */
export const Plain = keyed({})
