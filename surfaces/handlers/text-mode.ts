import Type from 'typebox'
import { humanise, invalid, isObject, notFound, renderProse, reply, SurfaceError, unavailable, type Asked, type JsonObject, type JsonValue } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { readPage } from '../text-mode/read-page.ts'

/** `play/glossary/term` -> `Term`: what the last word of an id says of a surface. */
const titleOf = ({ surface }: Asked): string => humanise(surface.id.replace(/\.[a-z]+$/, '').split('/').at(-1) ?? '')

/** Members that tell of the answer and not of its subject; they are read last. */
const housekeeping = new Set(['@kind', '_links', 'walking_past_is_honored', 'single_url_pattern', 'formats', 'scope', 'returned', 'filters_applied', 'filter_vocabulary'])

/** What is sent beside the content: the preamble of a structural document, or the part of `_meta` that does not change with each request. */
function splitDocument (document: JsonValue): { content: JsonValue, about: JsonObject } {
  if (!isObject(document)) return { content: document, about: {} }
  const part = (members: readonly (readonly [string, JsonValue])[], of: (name: string) => boolean): JsonObject => Object.fromEntries(members.filter(([name]) => of(name)))
  if ('_meta' in document && 'data' in document) {
    const meta = isObject(document['_meta']) ? document['_meta'] : {}
    const data = document['data'] ?? null
    const rights = Object.fromEntries(['license', 'sources', 'does_not_include'].flatMap(name => meta[name] === undefined || meta[name] === null ? [] : [[name, meta[name]]]))
    if (!isObject(data)) return { content: data, about: rights }
    const members = Object.entries(data)
    return { content: part(members, name => !housekeeping.has(name)), about: { ...part(members, name => housekeeping.has(name)), ...rights } }
  }
  const members = Object.entries(document)
  const isAbout = (name: string): boolean => name.startsWith('@') || housekeeping.has(name)
  return { content: part(members, name => !isAbout(name)), about: part(members, name => isAbout(name) && name !== '@retrieved_at' && name !== '@self_hash') }
}

/** A failure is passed on as the failure it is; a status document (paused, a teapot) is something to read. */
function refuseFailure ({ status, mediaType, body }: Asked, path: string): void {
  // A page fails as a page, and its last line is the reason.
  if (mediaType === 'text/html' && (status === 400 || status === 404)) {
    throw new SurfaceError(status === 404 ? 'NOT_FOUND' : 'INVALID_INPUT', readPage(body).split('\n').at(-1) ?? '', { details: { asked: path } })
  }
  if (status < 400 || mediaType !== 'application/json') return
  const { data = null, error } = JSON.parse(body) as { data?: JsonValue, error?: { code: string, message: string, details?: JsonObject } }
  if (error === undefined || (data !== null && status !== 404 && status !== 400)) return
  const details = { ...error.details, asked: path }
  throw error.code === 'SOURCE_UNAVAILABLE' ? unavailable(error.message, 60, details) : new SurfaceError({ code: error.code, status }, error.message, { details })
}

const valueOf = ({ mediaType, body }: Asked): JsonValue => {
  if (mediaType === 'application/x-ndjson') return body.trimEnd().split('\n').map(line => JSON.parse(line) as JsonValue)
  return mediaType.endsWith('json') ? JSON.parse(body) as JsonValue : body
}

function proseOf (asked: Asked, path: string): string {
  const value = valueOf(asked)
  if (typeof value === 'string') return `${/html|xml/.test(asked.mediaType) ? readPage(value) : value.trim()}\n`
  const { content, about } = splitDocument(value)
  const { surface, status } = asked
  const note = status < 400 ? '' : ` The address answers with the status ${status}; what follows is what it says about that.`
  const end = renderProse('About this page', `Written out from ${path}; the same as data is at that address.`, about)
  return `${renderProse(titleOf(asked), `${surface.summary}${note}`, content)}\n${end}`
}

const prefaceOf = (own: string, example: string): string =>
  `This is text mode: any page of this service as plain text. Name an address after the question mark, for example ${own}?path=${example}.\n\n`

/** Any public surface as prose. Code answers because it asks the other surface in process; no declaration reaches across. */
export default defineHandler({
  query: Type.Object({
    path: Type.Optional(Type.String({
      pattern: '^/[!"$-~]*$',
      maxLength: 2000,
      description: 'Path of the surface to be read, with its query if it has one (percent-encoded, as any value). Without it the front door is read.'
    }))
  }),
  reply: Type.String({ description: 'The text.' }),
  async handle ({ query: { path }, path: own, ask, pathTo }) {
    const target = path ?? pathTo('hospitality/welcome')
    const [name = ''] = target.split('?')
    if (name === own) throw invalid('path', 'Text mode does not read itself: name another path.')
    const asked = await ask(target)
    if (asked === undefined || asked.surface.access !== 'public') throw notFound('public surface that answers GET at the path', name.slice(0, 200), { field: 'path' })
    refuseFailure(asked, target)
    return reply(`${path === undefined ? prefaceOf(own, pathTo('playful/today')) : ''}${proseOf(asked, target)}`, { headers: { 'Cache-Control': asked.cacheControl } })
  }
})
