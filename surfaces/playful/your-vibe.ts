import type { PathTo } from 'pantry/data'
import { headerText, type Headers } from './read-user-agent.ts'

export const wantedForms = ['nothing', 'anything', 'json', 'page', 'text', 'other'] as const
type WantedForm = (typeof wantedForms)[number]

function wantedForm(accept: string): WantedForm {
  const types = accept.toLowerCase()
  if (types === '') return 'nothing'
  if (types.includes('text/html')) return 'page'
  if (types.includes('json')) return 'json'
  if (types.includes('text/')) return 'text'
  return types.includes('*/*') ? 'anything' : 'other'
}

const onAccept = {
  nothing: 'You did not say in which form you would like the answer, so you get the first one: JSON.',
  anything: 'Any form will do for you, which is generous. You get the first one: JSON.',
  json: 'You asked for JSON, and JSON it is.',
  page: 'You asked for a page. There is none of this; the same as plain prose is at {text-mode}?path={today}, to begin with.',
  text: 'You asked for text, and this surface has it.',
  other: 'You asked for a form that this surface does not have, so you get the first one: JSON.'
} as const satisfies Readonly<Record<WantedForm, string>>

export const formWords = (form: WantedForm, pathTo: PathTo): string =>
  onAccept[form].replace('{text-mode}', pathTo('text-mode')).replace('{today}', pathTo('playful/today'))

type Wish = Readonly<{ language: string; weight: number }>

const maxLanguages = 10
const member = /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4}|\*)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * Reads Accept-Language: up to ten languages, the most preferred first; malformed parts are skipped (RFC 9110 §12.5.4).
 */
export const languagesOf = (field: string): readonly Wish[] =>
  field
    .slice(0, 1000)
    .split(',')
    .flatMap((part): Wish[] => {
      const found = member.exec(part.trim())
      return found === null ? [] : [{ language: found[1] ?? '', weight: found[2] === undefined ? 1 : Number(found[2]) }]
    })
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxLanguages)

/** What the headers say about the client's habits. */
export function readRequest(headers: Headers) {
  const form = wantedForm(headerText(headers['accept']))
  const languages = languagesOf(headerText(headers['accept-language']))
  const compressed = /\b(?:gzip|br|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headerText(headers['accept-encoding']))
  const remembers = headerText(headers['if-none-match']) !== ''
  const contact = /@|https?:\/\//.test(headerText(headers['user-agent']))
  const privacy = headerText(headers['sec-gpc']) === '1' || headerText(headers['dnt']) === '1'
  const foreign = languages[0] !== undefined && !/^(?:en\b|\*)/i.test(languages[0].language)
  return { form, languages, compressed, remembers, contact, privacy, foreign }
}

type ReadRequest = ReturnType<typeof readRequest>

/** What is good about a request, and what would improve the next one. */
export const kindWords = ({ contact, compressed, remembers, foreign, privacy }: ReadRequest): readonly string[] => [
  contact
    ? 'You say whom to write to. Thank you; that is rarer than it should be.'
    : 'If you call often, put a mailbox or a page into your User-Agent: `<project>/<version> (<contact>)`. Then we can write before we wonder.',
  compressed
    ? 'You take compressed answers, which is kind to the wire.'
    : 'Say `Accept-Encoding: gzip`, and answers arrive at a fraction of their size.',
  remembers
    ? 'You came with the tag of an earlier answer. Elsewhere that gets you a 304 and no body at all.'
    : 'Answers carry an ETag. Send it back as If-None-Match, and what has not changed costs you nothing.',
  ...(foreign
    ? [
        'Our own texts are in English alone, which is a gap and is listed as one. Names of cards may be held in your language.'
      ]
    : []),
  ...(privacy ? ['You ask not to be followed. Nobody is, here.'] : [])
]
