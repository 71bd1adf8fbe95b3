/** Parameters of requests about cards, and how they are read. */
import { Type } from 'pantry/data'

/** The schema of a game token as a parameter. */
export const GameToken = Type.String({ minLength: 1, maxLength: 40, description: 'Game token, in any letter case.' })

/** The schema of a date as a parameter; `requestedDate` checks that it is a date. */
export const DateText = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Calendar date, YYYY-MM-DD. It selects nothing: the answer is that of today.'
})

/** The schema of a structural hash as a parameter; `requestedHash` checks that it is a hash. */
export const HashText = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'SHA-256 in hexadecimal, in any letter case, bare or after `sha256:`.'
})
