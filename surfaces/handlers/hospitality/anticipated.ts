import { Type, nullable, reply, Text } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import {
  AnticipatedKind,
  anticipatedKind,
  greetingFor,
  noTracking,
  readingOf,
  ReadingSchema,
  readUserAgent,
  UserAgentKind,
  Welcome
} from '../../playful/read-user-agent.ts'

export default defineHandler({
  corpora: { 'user-agents': UserAgentKind, welcomes: Welcome },
  query: Type.Object({
    all: Type.Optional(
      Type.Boolean({ description: '`true` lists every kind that is anticipated, with the words it is told by.' })
    )
  }),
  reply: Type.Object({
    '@kind': Type.Literal('anticipated'),
    greeting: Text,
    ua_reading: ReadingSchema,
    anticipated_for_you: nullable(
      AnticipatedKind,
      'What was prepared for callers like you; null when the header says nothing that is listed.'
    ),
    all_anticipated_kinds: Type.Optional(
      Type.Array(AnticipatedKind, {
        description: 'Only with `all=true`: every kind, in the order in which they are tried.'
      })
    ),
    see_all: Text,
    siblings: Type.Object({ welcomes: Text, your_vibe: Text, welcome: Text, identify: Text }),
    walking_past_is_honored: Type.Boolean(),
    no_tracking: Text
  }),
  handle({ query: { all = false }, headers, corpora, path, pathTo }) {
    const kinds = corpora['user-agents'].entries
    const kind = readUserAgent(headers, kinds)
    return reply(
      {
        '@kind': 'anticipated',
        greeting: greetingFor(kind, corpora.welcomes.byKey),
        ua_reading: readingOf(kind),
        anticipated_for_you: kind === undefined ? null : anticipatedKind(kind, corpora.welcomes.byKey),
        ...(all ? { all_anticipated_kinds: kinds.map(each => anticipatedKind(each, corpora.welcomes.byKey)) } : {}),
        see_all: `${path}?all=true`,
        siblings: {
          welcomes: pathTo('hospitality/welcomes'),
          your_vibe: pathTo('playful/your-vibe'),
          welcome: pathTo('hospitality/welcome'),
          identify: pathTo('hospitality/identify')
        },
        walking_past_is_honored: true,
        no_tracking: noTracking
      },
      { headers: { 'Cache-Control': 'no-store', Vary: 'User-Agent' } }
    )
  }
})
