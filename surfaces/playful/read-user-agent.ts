import { Type, type DataOf } from 'pantry/data'

export const UserAgentKind = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tokens: Type.Array(Type.String()),
  slot: Type.String(),
  vibe: Type.String(),
  first_url: Type.String(),
  first_what: Type.String()
})
export type UserAgentKind = DataOf<typeof UserAgentKind>

/** Header fields by lowercase name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export const headerText = (value: Headers[string]): string =>
  typeof value === 'string' ? value : (value ?? []).join(', ')

/**
 * Returns the first kind with a token in the User-Agent header. Tokens are plain text, so no header makes matching
 * slow.
 */
export function readUserAgent(headers: Headers, kinds: readonly UserAgentKind[]): UserAgentKind | undefined {
  const claimed = headerText(headers['user-agent']).toLowerCase()
  return kinds.find(({ tokens }) => tokens.some(token => claimed.includes(token)))
}

export const ReadingSchema = Type.Object({
  matched_pattern: Type.String({ description: 'Kind of caller; `unrecognised` when no token of any kind was found.' }),
  name: Type.String({ description: 'What that kind is.' }),
  vibe: Type.String({ description: 'A friendly guess.' }),
  what_we_looked_at: Type.String(),
  substrate_honest_disclaimer: Type.String()
})

/** Returns what is said to the caller about the User-Agent header, without the header itself. */
export const readingOf = (kind: UserAgentKind | undefined): DataOf<typeof ReadingSchema> => ({
  matched_pattern: kind?.id ?? 'unrecognised',
  name: kind?.name ?? 'Somebody that we have no word for',
  vibe: kind?.vibe ?? 'Your own. We have no word for it, and did not look for one behind your back.',
  what_we_looked_at: 'The User-Agent header of this one request, for words that are listed in the open.',
  substrate_honest_disclaimer:
    'A header is a claim. This is a greeting and no identification; nothing you may do depends on it.'
})

export const noTracking = 'Nothing of this request is stored, counted or compared with another one.'

const Text = Type.String()

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

export const Welcome = Type.Object({ greeting: Text, anticipated_at: Text, prepared: Type.Array(Text) })
export type Welcome = DataOf<typeof Welcome>

/** Welcomes by their keys. */
type Welcomes = ReadonlyMap<string, Welcome>

/** Returns the greeting of a kind; an unknown kind gets that of `unknown-guest`. */
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
