import { admitsEveryone, isOpen } from '../../access/index.ts'
import type { JsonObject, JsonValue } from '../../canonical/json.ts'
import { originOf } from '../../canonical/url.ts'
import { formatModules, formatTable, type Format } from '../../format/index.ts'
import type { Service } from '../../manifest/service.ts'
import { limitsWrites } from '../../manifest/service-defaults.ts'
import { withoutBase } from '../../manifest/paths.ts'
import { echoed, pagesOf, type FixedAnswer, type Surface } from '../../manifest/surface.ts'
import { answerKey, withOrigin } from '../../registry/recorded-answers.ts'
import type { Registry } from '../../registry/registry.ts'
import { errorCodes, type ErrorMeaning } from '../../vocabulary/error-codes.ts'
import { responseHeaders } from '../../vocabulary/response-headers.ts'
import { apiPrefix, type Method } from '../../vocabulary/words.ts'
import { sampleMeta } from '../meta-schema.ts'
import { shownExample, takesBody, workingExamples } from '../parameters.ts'
import { recursiveSchema } from '../plain-schema.ts'
import { mapValues, documentPathOf, usesStores } from '../pointers.ts'
import { linksOf } from './links.ts'

const text = { type: 'string' }

const keyOf = (name: string): string => name.replaceAll('-', '')

export const ref = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })

const headersOf = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, ref('headers', keyOf(name))]))

export const headerComponents: JsonObject = Object.fromEntries(
  Object.entries(responseHeaders).map(([name, [description, schema = text]]) => [keyOf(name), { description, schema }])
)

const always = [
  'X-Request-Id',
  'X-Spec-Version',
  'X-Ignored-Parameters',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy'
]

const failureHeaders = (status: number, form: string): JsonObject =>
  headersOf([
    ...always,
    ...(form === 'Envelope' ? ['Link'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : [])
  ])

/** Whether clients and shared caches may store the declared answer and revalidate it. */
const isCached = (surface: Surface, method: Method): boolean =>
  method === 'GET' && isOpen(surface.access) && surface.cache !== 'no-store' && surface.status < 300

const answerHeaders = (surface: Surface, method: Method, hasPage: boolean): JsonObject =>
  headersOf([
    ...always,
    'X-Content-License',
    ...(isCached(surface, method) ? ['ETag'] : []),
    ...(surface.contract === 'envelope' || surface.deprecation !== undefined || hasPage ? ['Link'] : []),
    ...(surface.status === 503 ? ['Retry-After'] : []),
    ...(surface.languages === undefined ? [] : ['Content-Language']),
    ...(surface.idempotency === undefined || method === 'GET' ? [] : ['Idempotent-Replayed']),
    ...(surface.status >= 300 && surface.status < 400 ? ['Location'] : []),
    ...(surface.deprecation === undefined ? [] : ['Deprecation']),
    ...(surface.deprecation?.sunset === undefined ? [] : ['Sunset'])
  ])

/** The content of an error by its form: an envelope, an object with the member `error` alone, or an HTML page. */
const failureContents = {
  Envelope: { 'application/json': { schema: ref('schemas', 'ErrorEnvelope') } },
  Document: { 'application/json': { schema: ref('schemas', 'ErrorDocument') } },
  Page: { 'text/html': { schema: text } }
}
type FailureForm = keyof typeof failureContents

function failureForm(surface: Surface, { moved }: Registry): FailureForm {
  if (surface.formats[0] === 'html') return 'Page'
  return surface.contract === 'envelope' || withoutBase(moved?.base ?? '', surface.route.path).startsWith(apiPrefix)
    ? 'Envelope'
    : 'Document'
}

/** The shared error responses by status: a name that a form follows (`NotFoundPage`), and a description. */
const failures = {
  400: ['BadRequest', 'The request is malformed, or a value is outside what is declared; `details` names it.'],
  401: ['Unauthorized', 'The surface needs a signed-in caller or a key.'],
  403: ['Forbidden', 'The caller is known and may not use this surface.'],
  404: ['NotFound', 'The named thing is not held.'],
  413: ['BodyTooLarge', 'The body is larger than the surface reads.'],
  415: ['UnsupportedMediaType', 'The content type, charset or coding of the body is not accepted.'],
  429: [
    'TooManyRequests',
    'The caller has used up what it has in this window; `Retry-After` says when the next one begins.'
  ],
  503: [
    'Unavailable',
    'A store cannot be read now, or too many requests wait for one; `Retry-After` says when to come back.'
  ]
} as const
type FailureStatus = keyof typeof failures
const isFailure = (status: number): status is FailureStatus => status in failures

const failureRef = (status: FailureStatus, form: FailureForm): JsonObject =>
  ref('responses', failures[status][0] + form)

/** Returns the media type of a format. It is JSON for formats that a service declares or a document renders itself. */
const mediaType = (format: Format): string =>
  (formatTable({}).get(format) ?? formatModules.json).mediaType.replace(/;.*$/, '')

/** Returns the shared responses: 304, and one for each error and form, such as `NotFoundEnvelope`. */
export const sharedResponses = (): JsonObject => ({
  NotModified: {
    description: 'What the caller holds is still current (`If-None-Match`).',
    headers: headersOf([...always, 'ETag'])
  },
  ...Object.fromEntries(
    Object.entries(failures).flatMap(([status, [name, description]]) =>
      Object.entries(failureContents).map(([form, content]) => [
        name + form,
        { description, headers: failureHeaders(Number(status), form), content }
      ])
    )
  )
})

/** Whether the declared answer has the envelope. A structural document has it only for an error. */
const isEnveloped = (surface: Surface, error: boolean): boolean =>
  surface.contract === 'envelope' || (surface.contract === 'math-mirror' && error)

const enveloped = (data: JsonValue, error: boolean): JsonObject => ({
  allOf: [
    ref('schemas', error ? 'ErrorEnvelope' : 'Envelope'),
    { type: 'object', properties: { data }, required: ['data'] }
  ]
})

function fixedBody(surface: Surface, answer: FixedAnswer, registry: Registry): JsonValue {
  if (surface.formats[0] === 'ndjson' && Array.isArray(answer.data))
    return answer.data.map(line => `${JSON.stringify(line)}\n`).join('')
  const docs = documentPathOf(registry, 'diagnostic') ?? '/'
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

/** Returns the declared answer by media type. The schemas of formats with the same media type become `anyOf`. */
function contentOf(surface: Surface, method: Method, error: boolean, registry: Registry): JsonObject {
  const output = recursiveSchema(surface.output) as JsonObject
  const main = isEnveloped(surface, error) ? enveloped(output, error) : error ? ref('schemas', 'ErrorDocument') : output
  const content: Record<string, JsonObject[]> = {}
  const typeOf = (format: Format): string =>
    format === 'json' ? (surface.mediaType ?? mediaType(format)) : mediaType(format)
  for (const format of surface.formats) {
    const type = typeOf(format)
    const schema = /[/+]json$/.test(type) ? { type: 'object', description: `The form \`format=${format}\`.` } : text
    ;(content[type] ??= []).push(format === 'json' ? main : schema)
  }
  const [first = 'json'] = surface.formats
  const shown =
    surface.fixed === undefined
      ? recordedExamples(surface, method, registry)
      : { example: fixedBody(surface, surface.fixed, registry) }
  return mapValues(content, ([schema = {}, ...more], type) => ({
    schema: more.length === 0 ? schema : { anyOf: [schema, ...more] },
    ...(type === typeOf(first) ? shown : {})
  }))
}

function recordedExamples(surface: Surface, method: Method, registry: Registry): JsonObject {
  const example = shownExample(surface, method)
  const recorded = example === undefined ? undefined : registry.answers[answerKey(example)]
  if (example === undefined || recorded === undefined) return {}
  const data = withOrigin(recorded, originOf(registry.service.base_url))
  const value =
    surface.formats[0] === 'json' && isEnveloped(surface, false) ? { data, _meta: sampleMeta(registry, surface) } : data
  return { examples: { recorded: { summary: example.title, value } } }
}

function expectedFailures(surface: Surface, method: Method, service: Service): FailureStatus[] {
  const isLimited = method !== 'GET' && limitsWrites(service)
  return [
    400,
    ...(isOpen(surface.access)
      ? isLimited
        ? ([429] as const)
        : []
      : admitsEveryone(surface.access)
        ? ([429] as const)
        : ([401, 403, 429] as const)),
    ...(surface.route.placeholders.length > 0 && surface.fixed === undefined ? ([404] as const) : []),
    ...((surface.input.body ?? surface.input.bytes) !== undefined && takesBody(method) ? ([413, 415] as const) : []),
    ...(surface.refuses ?? []).filter(isFailure),
    ...(usesStores(surface) ? ([503] as const) : [])
  ]
}

/** The refusals that follow from an idempotency key and from a precondition. */
const writeRefusals = ({ idempotency, precondition }: Surface, method: Method): readonly ErrorMeaning[] =>
  method === 'GET'
    ? []
    : [
        ...(idempotency === undefined ? [] : [errorCodes.IDEMPOTENCY_KEY_IN_USE, errorCodes.IDEMPOTENCY_KEY_REUSED]),
        ...(precondition === undefined ? [] : [errorCodes.PRECONDITION_FAILED]),
        ...(precondition === 'required' ? [errorCodes.PRECONDITION_REQUIRED] : [])
      ]

/**
 * Returns the responses of one operation: declared answer, expected errors, statuses of its examples, and 304. `names`:
 * the operations of surfaces, to which the declared answer links.
 */
export function responsesOf(
  surface: Surface,
  method: Method,
  names: ReadonlyMap<Surface, string>,
  registry: Registry
): JsonObject {
  const { status } = surface
  const form = failureForm(surface, registry)
  const answer = {
    headers: answerHeaders(surface, method, pagesOf(surface, registry.surfaces).length > 0),
    content: contentOf(surface, method, status >= 400, registry)
  }
  const responses: Record<string, JsonObject> = {}
  for (const failure of expectedFailures(surface, method, registry.service))
    responses[failure] = failureRef(failure, form)
  const shown = surface.examples.filter(example => example.method === method).map(({ expect }) => expect.status)
  for (const other of shown.filter(other => other !== status)) {
    const declared = Object.values(registry.service.errors).find(error => error.status === other)
    if (isFailure(other)) responses[other] = failureRef(other, form)
    else if (declared !== undefined) {
      const headers = failureHeaders(other, form)
      responses[other] = { description: declared.meaning, headers, content: failureContents[form] }
    } else if (other === 300) {
      const description = 'Several things have this name; the answer lists them, each with its address.'
      responses[other] = { description, ...answer }
    } else responses[other] = { description: surface.summary, ...answer }
  }
  for (const { status: other, meaning } of writeRefusals(surface, method))
    responses[other] = { description: meaning, headers: failureHeaders(other, form), content: failureContents[form] }
  const links = linksOf(surface, names, registry)
  responses[status] = { description: surface.summary, ...answer, ...(Object.keys(links).length === 0 ? {} : { links }) }
  if (isCached(surface, method)) responses[304] = ref('responses', 'NotModified')
  return responses
}
