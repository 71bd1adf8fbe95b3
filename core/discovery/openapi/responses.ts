import { admitsEveryone, isOpen } from '../../access/index.ts'
import type { JsonObject, JsonValue } from '../../canonical/json.ts'
import { formatModules, formatTable, type Format } from '../../format/index.ts'
import { echoed, pagesOf, type FixedAnswer, type Surface } from '../../manifest/surface.ts'
import { answerKey, withOrigin } from '../../registry/recorded-answers.ts'
import type { Registry } from '../../registry/registry.ts'
import { apiPrefix, type Method } from '../../vocabulary/words.ts'
import { sampleMeta } from '../meta-schema.ts'
import { shownExample, takesBody, workingExamples } from '../parameters.ts'
import { plainSchema } from '../plain-schema.ts'
import { pathTo, usesStores } from '../pointers.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** All documented response headers by name, without those that any HTTP response has. */
const described: Readonly<Record<string, Readonly<{ description: string; schema: JsonObject }>>> = {
  'X-Request-Id': { description: 'Identifier of this answer; name it when you report a problem.', schema: text },
  'X-Spec-Version': { description: 'Version of the contract that made the answer.', schema: text },
  'X-Content-License': { description: 'License tier of the answer.', schema: text },
  'Cache-Control': { description: 'How long the answer may be kept (RFC 9111 §5.2).', schema: text },
  ETag: { description: 'Entity tag of the content; send it back in `If-None-Match` (RFC 9110 §8.8.3).', schema: text },
  Link: { description: 'Where to go from here, by relation (RFC 8288).', schema: text },
  'RateLimit-Limit': { description: 'Requests of one window.', schema: count },
  'RateLimit-Remaining': { description: 'Requests that are left in this window.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the next window.', schema: count },
  'RateLimit-Policy': { description: 'Requests and seconds of a window: `60;w=60`.', schema: text },
  'Retry-After': { description: 'Seconds until it is worth asking again (RFC 9110 §10.2.3).', schema: count },
  'Content-Language': { description: 'Languages of the content in this answer.', schema: text },
  Location: { description: 'Where the answer is.', schema: { type: 'string', format: 'uri-reference' } },
  Deprecation: {
    description: 'Since when the surface should no longer be used: `@` and seconds since 1970 (RFC 9745).',
    schema: text
  },
  Sunset: { description: 'When the surface ends: a date of HTTP (RFC 8594).', schema: text }
}

const keyOf = (name: string): string => name.replaceAll('-', '')
const listed = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${keyOf(name)}` }]))

/** The header components, by name without hyphens. */
export const headerComponents: JsonObject = Object.fromEntries(
  Object.entries(described).map(([name, header]) => [keyOf(name), header])
)

const always = [
  'X-Request-Id',
  'X-Spec-Version',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy'
]

/** Headers of a 304 response. */
export const notModifiedHeaders: JsonObject = listed([...always, 'ETag'])

/** Returns the headers of an error, in the envelope or not; 429 and 503 also have `Retry-After`. */
const failureHeaders = (status: number, isEnveloped: boolean): JsonObject =>
  listed([...always, ...(isEnveloped ? ['Link'] : []), ...(status === 503 || status === 429 ? ['Retry-After'] : [])])

/** Whether clients and caches may store the answer and revalidate it. */
const isCached = (surface: Surface, method: Method): boolean =>
  method === 'GET' && isOpen(surface.access) && surface.cache !== 'no-store' && surface.status < 300

/**
 * Returns the headers of the declared answer. `hasPage`: whether a page shows the surface, which `Link` then points to.
 */
const answerHeaders = (surface: Surface, method: Method, hasPage: boolean): JsonObject =>
  listed([
    ...always,
    'X-Content-License',
    ...(isCached(surface, method) ? ['ETag'] : []),
    ...(surface.contract === 'envelope' || surface.deprecation !== undefined || hasPage ? ['Link'] : []),
    ...(surface.status === 503 ? ['Retry-After'] : []),
    ...(surface.languages === undefined ? [] : ['Content-Language']),
    ...(surface.status >= 300 && surface.status < 400 ? ['Location'] : []),
    ...(surface.deprecation === undefined ? [] : ['Deprecation']),
    ...(surface.deprecation?.sunset === undefined ? [] : ['Sunset'])
  ])

type Content = Record<string, JsonObject>

/**
 * The form of errors at the surface's path: with the envelope (below the API prefix), as an HTML page, or as a bare
 * error object.
 */
type FailureForm = 'Envelope' | 'Document' | 'Page'

function failureForm(surface: Surface): FailureForm {
  if (surface.formats[0] === 'html') return 'Page'
  return surface.contract === 'envelope' || surface.route.path.startsWith(apiPrefix) ? 'Envelope' : 'Document'
}

/** Errors by status: name of the shared response, and its description. */
export const failures = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed, or a value is outside what is declared; `details` names it.'
  },
  401: { name: 'Unauthorized', description: 'The surface needs a signed-in caller or a key.' },
  403: { name: 'Forbidden', description: 'The caller is known and may not use this surface.' },
  404: { name: 'NotFound', description: 'The named thing is not held.' },
  413: { name: 'BodyTooLarge', description: 'The body is larger than the surface reads.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The content type, charset or coding of the body is not accepted.'
  },
  429: {
    name: 'TooManyRequests',
    description: 'The caller has used up what it has in this window; `Retry-After` says when the next one begins.'
  },
  503: {
    name: 'Unavailable',
    description: 'A store cannot be read now, or too many requests wait for one; `Retry-After` says when to come back.'
  }
} as const
type FailureStatus = keyof typeof failures
const isFailure = (status: number): status is FailureStatus => status in failures

export const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

/** Descriptions of statuses that are neither errors nor the declared one. */
const others: Readonly<Record<number, string>> = {
  300: 'Several things have this name; the answer lists them, each with its address.'
}

/** Returns the media type of a format. Formats that a service declares or a document renders itself are JSON. */
const mediaType = (format: Format): string =>
  (formatTable({}).get(format) ?? formatModules.json).mediaType.replace(/;.*$/, '')

const failureSchemas: Readonly<Record<FailureForm, Content>> = {
  Envelope: { 'application/json': { schema: ref('schemas', 'ErrorEnvelope') } },
  Document: { 'application/json': { schema: ref('schemas', 'ErrorDocument') } },
  Page: { 'text/html': { schema: { type: 'string' } } }
}

/** Returns the shared error responses, one for each status and form, such as `NotFoundEnvelope`. */
export const failureResponses = (): JsonObject =>
  Object.fromEntries(
    Object.entries(failures).flatMap(([status, { name, description }]) =>
      Object.entries(failureSchemas).map(([form, content]) => [
        name + form,
        { description, headers: failureHeaders(Number(status), form === 'Envelope'), content }
      ])
    )
  )

/** Whether the declared answer has the envelope. An error of a structural document has it too. */
const isEnveloped = (surface: Surface, error: boolean): boolean =>
  surface.contract === 'envelope' || (surface.contract === 'math-mirror' && error)

/** Returns the schema of an envelope with the given `data`. */
const enveloped = (data: JsonValue, error: boolean): JsonObject => ({
  allOf: [
    ref('schemas', error ? 'ErrorEnvelope' : 'Envelope'),
    { type: 'object', properties: { data }, required: ['data'] }
  ]
})

/** Returns the whole body of a fixed answer, which is known in advance. */
function fixedBody(surface: Surface, answer: FixedAnswer, registry: Registry): JsonValue {
  if (surface.formats[0] === 'ndjson' && Array.isArray(answer.data))
    return answer.data.map(line => `${JSON.stringify(line)}\n`).join('')
  const docs = pathTo(registry, 'diagnostic') ?? '/'
  const error =
    answer.error === undefined
      ? {}
      : { error: { ...answer.error, status: surface.status, docs: `${docs}#${answer.error.code}` } }
  const [shown] = workingExamples(surface)
  const document =
    answer.echo === undefined
      ? answer.data
      : { ...(answer.data as JsonObject), ...echoed(answer.echo, { ...shown?.query, ...shown?.params }) }
  if (isEnveloped(surface, answer.error !== undefined))
    return { data: document, ...error, _meta: sampleMeta(registry, surface) }
  return answer.error === undefined ? document : error
}

/** Returns all representations of a surface by media type; several formats with one media type become alternatives. */
function contentOf(surface: Surface, method: Method, error: boolean, registry: Registry): Content {
  const output = plainSchema(surface.output) as JsonObject
  const main = isEnveloped(surface, error) ? enveloped(output, error) : error ? ref('schemas', 'ErrorDocument') : output
  const content: Record<string, JsonValue[]> = {}
  for (const format of surface.formats) {
    const type = mediaType(format)
    const isJson = type === 'application/json' || type.endsWith('+json')
    ;(content[type] ??= []).push(
      format === 'json'
        ? main
        : isJson
          ? { type: 'object', description: `The form \`format=${format}\`.` }
          : { type: 'string' }
    )
  }
  const [first = 'json'] = surface.formats
  const shown =
    surface.fixed === undefined
      ? recordedExamples(surface, method, registry)
      : { example: fixedBody(surface, surface.fixed, registry) }
  return Object.fromEntries(
    Object.entries(content).map(([type, schemas]) => [
      type,
      {
        schema: schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas },
        ...(type === mediaType(first) ? shown : {})
      }
    ])
  )
}

/** Returns the recorded answer to an example, if there is one. */
function recordedExamples(surface: Surface, method: Method, registry: Registry): JsonObject {
  const example = shownExample(surface, method)
  const recorded = example === undefined ? undefined : registry.answers[answerKey(example)]
  if (example === undefined || recorded === undefined) return {}
  const data = withOrigin(recorded, registry.service.base_url)
  const value =
    surface.formats[0] === 'json' && isEnveloped(surface, false) ? { data, _meta: sampleMeta(registry, surface) } : data
  return { examples: { recorded: { summary: example.title, value } } }
}

function expectedFailures(surface: Surface, method: Method): FailureStatus[] {
  return [
    400,
    ...(isOpen(surface.access) ? [] : admitsEveryone(surface.access) ? ([429] as const) : ([401, 403, 429] as const)),
    ...(surface.route.placeholders.length > 0 && surface.fixed === undefined ? ([404] as const) : []),
    ...((surface.input.body ?? surface.input.bytes) !== undefined && takesBody(method) ? ([413, 415] as const) : []),
    ...(surface.refuses ?? []).filter(isFailure),
    ...(usesStores(surface) ? ([503] as const) : [])
  ]
}

/**
 * Returns the responses of one operation: the declared answer, the errors that can occur, and every status that an
 * example expects.
 */
export function responsesOf(surface: Surface, method: Method, registry: Registry): JsonObject {
  const { status } = surface
  const form = failureForm(surface)
  const answer = {
    headers: answerHeaders(surface, method, pagesOf(surface, registry.surfaces).length > 0),
    content: contentOf(surface, method, status >= 400, registry)
  }
  const responses: Record<string, JsonObject> = {}
  for (const failure of expectedFailures(surface, method))
    responses[failure] = ref('responses', failures[failure].name + form)
  const own = Object.values(registry.service.errors)
  for (const {
    expect: { status: shown }
  } of surface.examples.filter(example => example.method === method)) {
    const refused = own.find(error => error.status === shown && shown !== status)
    responses[shown] = isFailure(shown)
      ? ref('responses', failures[shown].name + form)
      : refused === undefined
        ? { description: others[shown] ?? surface.summary, ...answer }
        : {
            description: refused.meaning,
            headers: failureHeaders(shown, form === 'Envelope'),
            content: failureSchemas[form]
          }
  }
  responses[status] = { description: surface.summary, ...answer }
  if (isCached(surface, method)) responses[304] = ref('responses', 'NotModified')
  return responses
}
