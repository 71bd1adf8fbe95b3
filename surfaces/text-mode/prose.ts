import { humanise, isObject, renderProse, type JsonObject, type JsonValue } from 'pantry/data'
import { readPage } from './read-page.ts'

/** What another surface of the service answered. */
export type Answered = Readonly<{
  surface: Readonly<{ id: string; summary: string }>
  status: number
  mediaType: string
  body: string
}>

/** `play/glossary/term` -> `Term`: what the last word of an id says of a surface. */
const titleOf = ({ surface }: Answered): string =>
  humanise(
    surface.id
      .replace(/\.[a-z]+$/, '')
      .split('/')
      .at(-1) ?? ''
  )

/** Members that describe the answer and not its subject; they are read last. */
const housekeeping = new Set([
  '@kind',
  '_links',
  'walking_past_is_honored',
  'single_url_pattern',
  'formats',
  'scope',
  'returned',
  'filters_applied',
  'filter_vocabulary'
])

/**
 * What is sent beside the content: the preamble of a structural document, or the part of `_meta` that does not change
 * with each request.
 */
function splitDocument(document: JsonValue): { content: JsonValue; about: JsonObject } {
  if (!isObject(document)) return { content: document, about: {} }
  const part = (members: readonly (readonly [string, JsonValue])[], of: (name: string) => boolean): JsonObject =>
    Object.fromEntries(members.filter(([name]) => of(name)))
  if ('_meta' in document && 'data' in document) {
    const meta = isObject(document['_meta']) ? document['_meta'] : {}
    const data = document['data'] ?? null
    const rights = Object.fromEntries(
      ['license', 'sources', 'does_not_include'].flatMap(name =>
        meta[name] === undefined || meta[name] === null ? [] : [[name, meta[name]]]
      )
    )
    if (!isObject(data)) return { content: data, about: rights }
    const members = Object.entries(data)
    return {
      content: part(members, name => !housekeeping.has(name)),
      about: { ...part(members, name => housekeeping.has(name)), ...rights }
    }
  }
  const members = Object.entries(document)
  const isAbout = (name: string): boolean => name.startsWith('@') || housekeeping.has(name)
  return {
    content: part(members, name => !isAbout(name)),
    about: part(members, name => isAbout(name) && name !== '@retrieved_at' && name !== '@self_hash')
  }
}

const valueOf = ({ mediaType, body }: Answered): JsonValue => {
  if (mediaType === 'application/x-ndjson')
    return body
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as JsonValue)
  return mediaType.endsWith('json') ? (JSON.parse(body) as JsonValue) : body
}

/** An answer as prose: what the surface says of itself, what it answered, and what is said about that. */
export function proseOf(asked: Answered, path: string): string {
  const value = valueOf(asked)
  if (typeof value === 'string') return `${/html|xml/.test(asked.mediaType) ? readPage(value) : value.trim()}\n`
  const { content, about } = splitDocument(value)
  const { surface, status } = asked
  const note =
    status < 400 ? '' : ` The address answers with the status ${status}; what follows is what it says about that.`
  const end = renderProse('About this page', `Written out from ${path}; the same as data is at that address.`, about)
  return `${renderProse(titleOf(asked), `${surface.summary}${note}`, content)}\n${end}`
}

/** What text mode says of itself before the front door. */
export const preface = (own: string, example: string): string =>
  `This is text mode: any page of this service as plain text. Name an address after the question mark, for example ${own}?path=${example}.\n\n`
