import Type from 'typebox'
import { reply, type DataOf } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { noTracking, readingOf, ReadingSchema, readUserAgent, UserAgentKind } from '../../hospitality/read-user-agent.ts'

const Text = Type.String()

const Kind = Type.Object({
  match_name: Text,
  name: Text,
  tokens: Type.Array(Text, { description: 'One of these stands in the User-Agent, in upper or lower case.' }),
  slot_in_welcomes_corpus: Text,
  greeting: Text,
  anticipated_since: Type.String({ format: 'date' }),
  what_was_prepared: Type.Array(Text),
  start_here: Type.Object({ url: Text, what: Text })
})

const unknownGuest = 'unknown-guest'

/** What is read of an entry of the corpus `welcomes`. */
const Welcome = Type.Object({ greeting: Text, anticipated_at: Text, prepared: Type.Array(Text) })
type Welcome = DataOf<typeof Welcome>

const kindOf = (kind: UserAgentKind, slot: Welcome | undefined): DataOf<typeof Kind> => ({
  match_name: kind.id,
  name: kind.name,
  tokens: kind.tokens,
  slot_in_welcomes_corpus: kind.slot,
  greeting: slot?.greeting ?? '',
  anticipated_since: slot?.anticipated_at ?? '',
  what_was_prepared: slot?.prepared ?? [],
  start_here: { url: kind.first_url, what: kind.first_what }
})

/** Who was expected and looks like the caller. A declaration cannot choose by a header. */
export default defineHandler({
  corpora: { 'user-agents': UserAgentKind, welcomes: Welcome },
  query: Type.Object({ all: Type.Optional(Type.Boolean({ description: '`true` lists every kind that is anticipated, with the words it is told by.' })) }),
  reply: Type.Object({
    '@kind': Type.Literal('anticipated'),
    greeting: Text,
    ua_reading: ReadingSchema,
    anticipated_for_you: Type.Union([Kind, Type.Null()], { description: 'What was prepared for callers like you; null when the header says nothing that is listed.' }),
    all_anticipated_kinds: Type.Optional(Type.Array(Kind, { description: 'Only with `all=true`: every kind, in the order in which they are tried.' })),
    see_all: Text,
    siblings: Type.Object({ welcomes: Text, your_vibe: Text, welcome: Text, identify: Text }),
    walking_past_is_honored: Type.Boolean(),
    no_tracking: Text
  }),
  handle ({ query: { all = false }, headers, corpora, path, pathTo }) {
    const kinds = corpora['user-agents'].entries
    const slotOf = (kind: UserAgentKind | undefined): Welcome | undefined => corpora.welcomes.byKey.get(kind?.slot ?? unknownGuest)
    const kind = readUserAgent(headers, kinds)
    return reply({
      '@kind': 'anticipated',
      greeting: slotOf(kind)?.greeting ?? '',
      ua_reading: readingOf(kind),
      anticipated_for_you: kind === undefined ? null : kindOf(kind, slotOf(kind)),
      ...(all ? { all_anticipated_kinds: kinds.map(each => kindOf(each, slotOf(each))) } : {}),
      see_all: `${path}?all=true`,
      siblings: { welcomes: pathTo('hospitality/welcomes'), your_vibe: pathTo('playful/your-vibe'), welcome: pathTo('hospitality/welcome'), identify: pathTo('hospitality/identify') },
      walking_past_is_honored: true,
      no_tracking: noTracking
    }, { headers: { 'Cache-Control': 'no-store', Vary: 'User-Agent' } })
  }
})
