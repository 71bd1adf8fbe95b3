import type { Caller } from 'pantry/data'

/** The id of the key that asks; only on surfaces for agents. */
export function agentOf({ id, session }: Caller): string {
  if (id === undefined || session !== undefined) throw new Error('A surface without a key asks for its agent.')
  return id
}
