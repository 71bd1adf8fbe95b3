/** What an act locks, in one order everywhere, which prevents deadlocks: idempotency keys, people, the auction. */
import type { TProperties } from 'typebox'
import { Type } from 'pantry/data'

/** Returns the schema of a body that may contain an idempotency key, because HTML forms cannot send the header. */
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

/** The schema of a body without other members. */
export const Plain = keyed({})
