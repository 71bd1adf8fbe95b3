import {
  humanise,
  isObject,
  renderProse,
  SurfaceError,
  unavailable,
  type JsonObject,
  type JsonValue
} from 'pantry/data'

const blocks =
  /<\/?(?:address|article|blockquote|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)\b[^>]*>|<br\b[^>]*>/gi

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
  middot: '·'
}

/** Converts a page to text, one line per block. Handles only the markup that this service produces. */
export const readPage = (markup: string): string =>
  markup
    .replace(/<(style|script|head)\b[^>]*>[^]*?<\/\1>/gi, '')
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<(?:\/td|\/th)>/gi, ' ')
    .replace(/<\/(?:title|desc|text)>/gi, '\n')
    .replace(blocks, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^- *\n+/gm, '- ')
    .trim()

type ProseAnswer = Readonly<{
  surface: Readonly<{ id: string; summary: string }>
  status: number
  mediaType: string
  body: string
}>

/** Returns a title from the last word of the id: `play/glossary/term` gives `Term`. */
const titleOf = ({ surface }: ProseAnswer): string =>
  humanise(
    surface.id
      .replace(/\.[a-z]+$/, '')
      .split('/')
      .at(-1) ?? ''
  )

/** Members that describe the response; they are written last. */
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
 * Separates the content of a document from what describes it (`about`): housekeeping members, and either members that
 * begin with `@` (without time and self hash) or the rights in `_meta`.
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

/**
 * Writes an answer as prose: for JSON the summary of the surface, the content, and what describes it; else its text.
 */
export function proseOf(answer: ProseAnswer, path: string): string {
  const { surface, status, mediaType } = answer
  if (status >= 300 && status < 400)
    return `${path} is another spelling of an address (status ${status}). Please write it as links to it do.\n`
  const value = valueOf(answer)
  const failing = `The address answers with the status ${status}; what follows is what it says about that.`
  if (typeof value === 'string')
    return `${status < 400 ? '' : `${failing}\n\n`}${/html|xml/.test(mediaType) ? readPage(value) : value.trim()}\n`
  const { content, about } = splitDocument(value)
  const note = status < 400 ? '' : ` ${failing}`
  const end = renderProse('About this page', `Written out from ${path}; the same as data is at that address.`, about)
  return `${renderProse(titleOf(answer), `${surface.summary}${note}`, content)}\n${end}`
}

/** Returns the text that is shown before the start page. */
export const preface = (own: string, example: string): string =>
  `This is text mode: any page of this service as plain text. Name an address after the question mark, for example ${own}?path=${example}.\n\n`

/** Throws the error of a failed answer. A status document (paused, a teapot) is no failure, but content to read. */
export function refuseFailure({ status, mediaType, body }: ProseAnswer, path: string): void {
  // The last line of an error page is the reason.
  if (mediaType === 'text/html' && (status === 400 || status === 404)) {
    throw new SurfaceError(status === 404 ? 'NOT_FOUND' : 'INVALID_INPUT', readPage(body).split('\n').at(-1) ?? '', {
      details: { asked: path }
    })
  }
  if (status < 400 || mediaType !== 'application/json') return
  const { data = null, error } = JSON.parse(body) as {
    data?: JsonValue
    error?: { code: string; message: string; details?: JsonObject }
  }
  if (error === undefined || (data !== null && status !== 404 && status !== 400)) return
  const details = { ...error.details, asked: path }
  throw error.code === 'SOURCE_UNAVAILABLE'
    ? unavailable(error.message, 60, details)
    : new SurfaceError({ code: error.code }, error.message, { details })
}
