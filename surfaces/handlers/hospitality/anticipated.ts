import Type from 'typebox'
import { reply, type Entry, type JsonObject } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { noTracking, readingOf, ReadingSchema, readUserAgent } from '../../hospitality/read-user-agent.ts'

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

function kindOf (kind: Entry, slot: Entry | undefined): JsonObject {
  return {
    match_name: kind['id'] ?? '',
    name: kind['name'] ?? '',
    tokens: kind['tokens'] ?? [],
    slot_in_welcomes_corpus: kind['slot'] ?? '',
    greeting: slot?.['greeting'] ?? '',
    anticipated_since: slot?.['anticipated_at'] ?? '',
    what_was_prepared: slot?.['prepared'] ?? [],
    start_here: { url: kind['first_url'] ?? '', what: kind['first_what'] ?? '' }
  }
}

/** Who was expected and looks like the caller. A declaration cannot choose by a header. */
export default defineHandler({
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
  handle ({ query: { all = false }, headers }, { corpora }) {
    const kinds = corpora.get('user-agents')
    const slots = corpora.get('welcomes')?.byKey
    const slotOf = (kind: Entry | undefined): Entry | undefined => slots?.get(typeof kind?.['slot'] === 'string' ? kind['slot'] : unknownGuest)
    const kind = readUserAgent(headers, kinds)
    const data = {
      '@kind': 'anticipated',
      greeting: slotOf(kind)?.['greeting'] ?? '',
      ua_reading: readingOf(kind),
      anticipated_for_you: kind === undefined ? null : kindOf(kind, slotOf(kind)),
      ...(all ? { all_anticipated_kinds: (kinds?.entries ?? []).map(each => kindOf(each, slotOf(each))) } : {}),
      see_all: '/api/v1/anticipated?all=true',
      siblings: { welcomes: '/api/v1/welcomes', your_vibe: '/api/v1/your-vibe', welcome: '/api/v1/welcome', identify: '/api/v1/identify' },
      walking_past_is_honored: true,
      no_tracking: noTracking
    }
    return reply(data, { headers: { 'Cache-Control': 'no-store', Vary: 'User-Agent' } })
  }
})
