import { accessTable, isOpen } from '../../access/index.ts'
import type { JsonObject } from '../../canonical/json.ts'
import { originOf } from '../../canonical/url.ts'
import { isOfOrigin } from '../../manifest/paths.ts'
import type { Example, Surface } from '../../manifest/surface.ts'
import { isStandard, type Registry } from '../../registry/registry.ts'
import { notesOn } from '../describe.ts'
import type { Operation } from '../../registry/operations.ts'
import { exampleValue, parametersOf, takesBody, workingExamples, type Parameter } from '../parameters.ts'
import { jsonType, multipartType } from '../../vocabulary/words.ts'
import { recursiveSchema, omit } from '../plain-schema.ts'
import { absoluteUrl, mapValues, documentPathOf, pick } from '../pointers.ts'
import { responsesOf } from './responses.ts'

function parameterObject(declared: Parameter, examples: readonly Example[]): JsonObject {
  const { parameter, in: place, description, required, schema } = declared
  const example = examples.map(sample => exampleValue(declared, sample)).find(value => value !== undefined)
  return {
    name: parameter,
    in: place,
    required,
    description,
    schema: omit(schema, 'description') as JsonObject,
    ...(example === undefined ? {} : { example })
  }
}

function requestBody(surface: Surface, examples: readonly Example[]): JsonObject | undefined {
  const { body, bytes, files } = surface.input
  if (bytes !== undefined)
    return { required: false, description: `Any content, at most ${bytes.limitBytes} bytes.`, content: { '*/*': {} } }
  if (body === undefined) return undefined
  const shown = examples.flatMap((example, index): [string, JsonObject][] =>
    example.body === undefined ? [] : [[`example-${index + 1}`, { summary: example.title, value: example.body }]]
  )
  const schema = recursiveSchema(body.schema) as JsonObject
  const form = files === undefined ? '' : '; or a form, with files beside these fields'
  return {
    required: true,
    description: `Strict JSON in UTF-8, at most ${body.limitBytes} bytes${form}.`,
    content: {
      [jsonType]: { schema, ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }) },
      ...(files === undefined ? {} : { [multipartType]: withFiles(schema, files) })
    }
  }
}

/** Returns the media type object of a form with files (OpenAPI 3.1 §4.8.14 and §4.8.15). */
const withFiles = (schema: JsonObject, files: NonNullable<Surface['input']['files']>): JsonObject => ({
  schema: {
    ...schema,
    properties: {
      ...(schema['properties'] as JsonObject),
      ...mapValues(files, ({ limitBytes, description = 'A file.' }) => ({
        type: 'string',
        contentMediaType: 'application/octet-stream',
        description,
        maxLength: limitBytes
      }))
    }
  },
  encoding: mapValues(files, ({ types }) => ({ contentType: types.join(', ') }))
})

const conditions = [
  [
    'If-Match',
    'The `ETag` of what is changed, as it was read: 412 if it has changed since (RFC 9110 §13.1.1).',
    '"v1"'
  ],
  ['If-None-Match', '`*` to make what is not there yet: 412 if it is (RFC 9110 §13.1.2).', '*']
] as const

/** Returns one operation object. `names`: the names of surfaces, by which their examples and operations are found. */
export function operationObject(
  { surface, method, name }: Operation,
  names: ReadonlyMap<Surface, string>,
  registry: Registry
): JsonObject {
  const examplesPath = surface.examples.length === 0 ? null : documentPathOf(registry, 'example', names.get(surface))
  const examples = workingExamples(surface).filter(example => example.method === method)
  const parameters = parametersOf(surface)
    .filter(parameter => parameter.in === 'path' || parameter.in === 'query')
    .map(parameter => parameterObject(parameter, examples))
  if (surface.languages !== undefined)
    parameters.push({
      name: 'Accept-Language',
      in: 'header',
      required: false,
      description: 'Languages that the caller reads (RFC 9110 §12.5.4); `lang` goes before it.',
      schema: { type: 'string' },
      example: `${surface.languages.at(-1) ?? ''}, ${surface.languages[0] ?? ''};q=0.5`
    })
  if (surface.idempotency !== undefined && method !== 'GET')
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: surface.idempotency.key === 'required',
      description:
        'A new random text for each request, in quotation marks, and the same one when it is sent again: it is then answered as before, and nothing is done twice.',
      schema: { type: 'string' },
      example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"'
    })
  if (surface.precondition !== undefined && method !== 'GET')
    for (const [name, description, example] of conditions)
      parameters.push({ name, in: 'header', required: false, description, schema: { type: 'string' }, example })
  // Without scopes, which only OAuth 2 and OpenID Connect have here: the description names the scope of a key.
  const kinds = accessTable(registry.service.access)
  const credentials = [...new Set(surface.access.map(access => kinds[access]?.credential?.name))]
  const body = takesBody(method) ? requestBody(surface, examples) : undefined
  return {
    operationId: name,
    summary: surface.summary,
    description: notesOn(surface, registry).join('\n\n'),
    tags: surface.tags,
    // The path of what belongs to the origin is not below the address of the service (OpenAPI 3.1 §4.8.10).
    ...(registry.moved !== undefined && isOfOrigin(surface.route.path)
      ? { servers: [{ url: originOf(registry.service.base_url) }] }
      : {}),
    // An empty object in the list makes the credential optional (OpenAPI 3.1 §4.8.10); an empty list means that the
    // operation needs no credential at all.
    security: isOpen(surface.access) ? [] : credentials.map(scheme => (scheme === undefined ? {} : { [scheme]: [] })),
    ...(surface.stability === 'deprecated' ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(surface, method, names, registry),
    ...(examplesPath === null
      ? {}
      : {
          externalDocs: {
            description: 'Requests that the tests of the service make.',
            url: absoluteUrl(registry, examplesPath)
          }
        }),
    'x-surface': {
      ...pick(surface, 'id', 'kind', 'contract', 'license'),
      freshness_seconds: surface.freshness.seconds,
      ...pick(surface, 'provenance', 'since'),
      part_of: isStandard(surface) ? 'framework' : 'service'
    }
  }
}
