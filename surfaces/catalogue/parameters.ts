import { Type } from 'pantry/data'

/** A game token as a parameter. */
export const GameToken = Type.String({ minLength: 1, maxLength: 40, description: 'Game token, in any letter case.' })

/** A date as a parameter; `requestedDate` tells whether it is one. */
export const DateText = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Calendar date, YYYY-MM-DD. It selects nothing: the answer is that of today.'
})

/** A structural hash as a parameter; `requestedHash` tells whether it is one. */
export const HashText = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'SHA-256 in hexadecimal, in any letter case, bare or after `sha256:`.'
})
