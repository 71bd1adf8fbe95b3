import type { Caller } from 'pantry/data'

/** Returns the id of the calling key. Throws on surfaces that do not require an agent's key. */
export function agentOf({ id, session }: Caller): string {
  if (id === undefined || session !== undefined) throw new Error('A surface without a key asks for its agent.')
  return id
}
