import Type from 'typebox'
import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { headerText, noTracking, readingOf, ReadingSchema, readUserAgent, UserAgentKind } from '../../hospitality/read-user-agent.ts'
import { languagesOf } from '../../playful/your-vibe/languages.ts'

const Text = Type.String()

const kindOfAccept = (accept: string): 'nothing' | 'anything' | 'json' | 'page' | 'text' | 'other' => {
  const wanted = accept.toLowerCase()
  if (wanted === '') return 'nothing'
  if (wanted.includes('text/html')) return 'page'
  if (wanted.includes('json')) return 'json'
  if (wanted.includes('text/')) return 'text'
  return wanted.includes('*/*') ? 'anything' : 'other'
}

const onAccept = {
  nothing: 'You did not say in which form you would like the answer, so you get the first one: JSON.',
  anything: 'Any form will do for you, which is generous. You get the first one: JSON.',
  json: 'You asked for JSON, and JSON it is.',
  page: 'You asked for a page. There is none of this; the same as plain prose is at {text-mode}?path={today}, to begin with.',
  text: 'You asked for text, and this surface has it.',
  other: 'You asked for a form that this surface does not have, so you get the first one: JSON.'
} as const

/** What the request says of itself, and what would make the next one better. It describes a request, which no declaration can. */
export default defineHandler({
  corpora: { 'user-agents': UserAgentKind },
  reply: Type.Object({
    '@kind': Type.Literal('your-vibe'),
    reading: ReadingSchema,
    anticipated_kind: Type.Union([Text, Type.Null()], { description: 'The place in the welcomes that was laid for callers like you.' }),
    your_request: Type.Object({
      method: Text,
      asked_for: Type.Object({ form: Type.Enum(['nothing', 'anything', 'json', 'page', 'text', 'other']), in_words: Text }),
      languages: Type.Array(Type.Object({ language: Text, weight: Type.Number({ minimum: 0, maximum: 1 }) }), { description: 'As Accept-Language lists them, the most wanted first; at most ten.' }),
      takes_compressed: Type.Boolean(),
      remembers_answers: Type.Boolean({ description: 'Whether it came with the tag of an earlier answer (If-None-Match).' }),
      says_whom_to_write_to: Type.Boolean({ description: 'Whether the User-Agent names a mailbox or a page.' }),
      asks_for_privacy: Type.Boolean({ description: 'Whether it carries `Sec-GPC: 1` or `DNT: 1`.' })
    }),
    kind_words: Type.Array(Text, { description: 'What is good about the request, and what would make the next one better.' }),
    siblings: Type.Object({ the_vibe: Text, anticipated: Text, echo: Text, identify: Text, welcomes: Text }),
    walking_past_is_honored: Type.Boolean(),
    no_tracking: Text
  }),
  handle ({ method, headers, corpora, pathTo }) {
    const says = (name: string): string => headerText(headers[name])
    const kind = readUserAgent(headers, corpora['user-agents'].entries)
    const form = kindOfAccept(says('accept'))
    const languages = languagesOf(says('accept-language'))
    const compressed = /\b(?:gzip|br|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(says('accept-encoding'))
    const remembers = says('if-none-match') !== ''
    const contact = /@|https?:\/\//.test(says('user-agent'))
    const privacy = says('sec-gpc') === '1' || says('dnt') === '1'
    const foreign = languages[0] !== undefined && !/^(?:en\b|\*)/i.test(languages[0].language)
    return reply({
      '@kind': 'your-vibe',
      reading: readingOf(kind),
      anticipated_kind: kind?.slot ?? null,
      your_request: {
        method,
        asked_for: { form, in_words: onAccept[form].replace('{text-mode}', pathTo('text-mode')).replace('{today}', pathTo('playful/today')) },
        languages,
        takes_compressed: compressed,
        remembers_answers: remembers,
        says_whom_to_write_to: contact,
        asks_for_privacy: privacy
      },
      kind_words: [
        contact ? 'You say whom to write to. Thank you; that is rarer than it should be.' : 'If you call often, put a mailbox or a page into your User-Agent: `<project>/<version> (<contact>)`. Then we can write before we wonder.',
        compressed ? 'You take compressed answers, which is kind to the wire.' : 'Say `Accept-Encoding: gzip`, and answers arrive at a fraction of their size.',
        remembers ? 'You came with the tag of an earlier answer. Elsewhere that gets you a 304 and no body at all.' : 'Answers carry an ETag. Send it back as If-None-Match, and what has not changed costs you nothing.',
        ...(foreign ? ['Our own texts are in English alone, which is a gap and is listed as one. Names of cards may be held in your language.'] : []),
        ...(privacy ? ['You ask not to be followed. Nobody is, here.'] : [])
      ],
      siblings: { the_vibe: pathTo('playful/the-vibe'), anticipated: pathTo('hospitality/anticipated'), echo: pathTo('meta/echo'), identify: pathTo('hospitality/identify'), welcomes: pathTo('hospitality/welcomes') },
      walking_past_is_honored: true,
      no_tracking: noTracking
    }, { headers: { 'Cache-Control': 'no-store', Vary: 'User-Agent, Accept-Language, If-None-Match, DNT, Sec-GPC' } })
  }
})
