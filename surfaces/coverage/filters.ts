/** What was observed, as answers show it: now, and on each day of the past. */
import { Type } from 'pantry/data'

/** The pattern of an identifier to filter by. An unknown identifier matches no entry. */
const identifier = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', maxLength: 64 }

export const SourceFilter = Type.String({
  ...identifier,
  description: 'Only what this source observed: an id of /api/v1/sources.'
})
export const GameFilter = Type.String({
  ...identifier,
  description: 'Only one game, by token, slug or alias in any letter case: `op`, `one-piece`.'
})
