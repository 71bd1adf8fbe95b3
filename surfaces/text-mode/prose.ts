import { humanise, isObject, renderProse, type JsonObject, type JsonValue } from 'pantry/data'
import { readPage } from './read-page.ts'

/** The response of another surface of the service. */
export type ProseAnswer = Readonly<{
  surface: Readonly<{ id: string; summary: string }>
  status: number
  mediaType: string
  body: string
}>

/** Returns a title from the last part of a surface's id: `play/glossary/term` gives `Term`. */
const titleOf = ({ surface }: ProseAnswer): string =>
  humanise(
    surface.id
      .replace(/\.[a-z]+$/, '')
      .split('/')
      .at(-1) ?? ''
  )

/** Members that describe the response rather than its subject; they are written last. */
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
 * Separates the content from what describes it: the preamble of a structural document, or the parts of `_meta` that are
 * the same for every request.
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

const valueOf = ({ mediaType, body }: ProseAnswer): JsonValue => {
  if (mediaType === 'application/x-ndjson')
    return body
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as JsonValue)
  return mediaType.endsWith('json') ? (JSON.parse(body) as JsonValue) : body
}

/** Writes a response as prose: the summary of the surface, the content, and what is known about that content. */
export function proseOf(asked: ProseAnswer, path: string): string {
  const value = valueOf(asked)
  if (typeof value === 'string') return `${/html|xml/.test(asked.mediaType) ? readPage(value) : value.trim()}\n`
  const { content, about } = splitDocument(value)
  const { surface, status } = asked
  const note =
    status < 400 ? '' : ` The address answers with the status ${status}; what follows is what it says about that.`
  const end = renderProse('About this page', `Written out from ${path}; the same as data is at that address.`, about)
  return `${renderProse(titleOf(asked), `${surface.summary}${note}`, content)}\n${end}`
}

/** The introduction of text mode, shown before the start page. */
export const preface = (own: string, example: string): string =>
  `This is text mode: any page of this service as plain text. Name an address after the question mark, for example ${own}?path=${example}.\n\n`
