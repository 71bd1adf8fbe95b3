import { Type } from 'pantry/data'
import type { DataOf } from 'pantry/data'
import type { UserAgentKind } from './read-user-agent.ts'

const Text = Type.String()

/** A kind of client that is anticipated, with what was prepared for it. */
export const AnticipatedKind = Type.Object({
  match_name: Text,
  name: Text,
  tokens: Type.Array(Text, { description: 'One of these is in the User-Agent, in upper or lower case.' }),
  slot_in_welcomes_corpus: Text,
  greeting: Text,
  anticipated_since: Type.String({ format: 'date' }),
  what_was_prepared: Type.Array(Text),
  start_here: Type.Object({ url: Text, what: Text })
})

/** The members of an entry of the corpus `welcomes` that are used here. */
export const Welcome = Type.Object({ greeting: Text, anticipated_at: Text, prepared: Type.Array(Text) })
export type Welcome = DataOf<typeof Welcome>

/** The entries of the corpus `welcomes` by key. */
type Welcomes = ReadonlyMap<string, Welcome>

/** Returns the greeting for a kind of client; an unknown kind gets the greeting `unknown-guest`. */
export const greetingFor = (kind: UserAgentKind | undefined, welcomes: Welcomes): string =>
  welcomes.get(kind?.slot ?? 'unknown-guest')?.greeting ?? ''

export function anticipatedKind(kind: UserAgentKind, welcomes: Welcomes): DataOf<typeof AnticipatedKind> {
  const slot = welcomes.get(kind.slot)
  return {
    match_name: kind.id,
    name: kind.name,
    tokens: kind.tokens,
    slot_in_welcomes_corpus: kind.slot,
    greeting: slot?.greeting ?? '',
    anticipated_since: slot?.anticipated_at ?? '',
    what_was_prepared: slot?.prepared ?? [],
    start_here: { url: kind.first_url, what: kind.first_what }
  }
}
