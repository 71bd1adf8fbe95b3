import { Type, nullable, reply, Text } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { noTracking, readingOf, ReadingSchema, readUserAgent, UserAgentKind } from '../../playful/read-user-agent.ts'
import { formWords, kindWords, readRequest, wantedForms } from '../../playful/your-vibe.ts'

export default defineHandler({
  corpora: { 'user-agents': UserAgentKind },
  reply: Type.Object({
    '@kind': Type.Literal('your-vibe'),
    reading: ReadingSchema,
    anticipated_kind: nullable(Text, 'The place in the welcomes that was laid for callers like you.'),
    your_request: Type.Object({
      method: Text,
      asked_for: Type.Object({ form: Type.Enum(wantedForms), in_words: Text }),
      languages: Type.Array(Type.Object({ language: Text, weight: Type.Number({ minimum: 0, maximum: 1 }) }), {
        description: 'As Accept-Language lists them, the most wanted first; at most ten.'
      }),
      takes_compressed: Type.Boolean(),
      remembers_answers: Type.Boolean({
        description: 'Whether it came with the tag of an earlier answer (If-None-Match).'
      }),
      says_whom_to_write_to: Type.Boolean({ description: 'Whether the User-Agent names a mailbox or a page.' }),
      asks_for_privacy: Type.Boolean({ description: 'Whether it carries `Sec-GPC: 1` or `DNT: 1`.' })
    }),
    kind_words: Type.Array(Text, {
      description: 'What is good about the request, and what would make the next one better.'
    }),
    siblings: Type.Object({ the_vibe: Text, anticipated: Text, echo: Text, identify: Text, welcomes: Text }),
    walking_past_is_honored: Type.Boolean(),
    no_tracking: Text
  }),
  handle({ method, headers, corpora, pathTo }) {
    const kind = readUserAgent(headers, corpora['user-agents'].entries)
    const request = readRequest(headers)
    return reply(
      {
        '@kind': 'your-vibe',
        reading: readingOf(kind),
        anticipated_kind: kind?.slot ?? null,
        your_request: {
          method,
          asked_for: { form: request.form, in_words: formWords(request.form, pathTo) },
          languages: request.languages,
          takes_compressed: request.compressed,
          remembers_answers: request.remembers,
          says_whom_to_write_to: request.contact,
          asks_for_privacy: request.privacy
        },
        kind_words: kindWords(request),
        siblings: {
          the_vibe: pathTo('playful/the-vibe'),
          anticipated: pathTo('hospitality/anticipated'),
          echo: pathTo('meta/echo'),
          identify: pathTo('hospitality/identify'),
          welcomes: pathTo('hospitality/welcomes')
        },
        walking_past_is_honored: true,
        no_tracking: noTracking
      },
      { headers: { 'Cache-Control': 'no-store', Vary: 'User-Agent, Accept-Language, If-None-Match, DNT, Sec-GPC' } }
    )
  }
})
