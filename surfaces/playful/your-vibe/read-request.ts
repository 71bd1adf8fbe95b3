import { headerText, type Headers } from '../../hospitality/read-user-agent.ts'
import { wantedForm } from './forms.ts'
import { languagesOf } from './languages.ts'

/** Returns what the headers of a request say about the client's habits. */
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

export type ReadRequest = ReturnType<typeof readRequest>
