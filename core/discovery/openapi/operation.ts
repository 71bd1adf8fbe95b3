import type { JsonObject, JsonValue } from '../../canonical/json.ts'
import type { Example, Surface } from '../../manifest/surface.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Access } from '../../vocabulary/words.ts'
import type { Operation } from '../operations.ts'
import { parametersOf, takesBody, type Parameter } from '../parameters.ts'
import { plainSchema, without } from '../plain-schema.ts'
import { responsesOf } from './responses.ts'

const security: Readonly<Record<Access, JsonValue>> = {
  public: [],
  user: [{ session: [] }],
  agent: [{ bearer: [] }],
  admin: [{ session: [] }],
  'wholesale-key': [{ wholesaleKey: [] }]
}

/** An example value as its schema has it: manifests write parameters as text. */
function typed (text: string, type: unknown): JsonValue {
  if (type === 'integer' || type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}

function parameterObject ({ parameter, in: place, description, required, schema }: Parameter, examples: readonly Example[]): JsonObject {
  const given = examples.map(example => (place === 'path' ? example.params : example.query)[parameter]).find(value => value !== undefined)
  return {
    name: parameter, in: place, required, description, schema: without(schema, 'description') as JsonObject,
    ...(given === undefined ? {} : { example: typed(given, schema.type) })
  }
}

function requestBody (surface: Surface, examples: readonly Example[]): JsonObject | undefined {
  const { body } = surface.input
  if (body === undefined) return undefined
  const shown = examples.flatMap((example, index): [string, JsonObject][] =>
    example.body === undefined ? [] : [[`example-${index + 1}`, { summary: example.title, value: example.body }]])
  return {
    required: true,
    description: `Strict JSON in UTF-8, at most ${body.limitBytes} bytes.`,
    content: { 'application/json': { schema: plainSchema(body.schema) as JsonObject, ...(shown.length === 0 ? {} : { examples: Object.fromEntries(shown) }) } }
  }
}

/** One operation object. Examples that are meant to fail are published elsewhere and left out here. */
export function operationObject ({ surface, method, name }: Operation, registry: Registry): JsonObject {
  const declared = surface.answer.kind === 'status-only' ? surface.answer.status : 200
  const examples = surface.examples.filter(({ method: used, expect: { status } }) => used === method && (status < 400 || status === declared))
  const parameters = parametersOf(surface).filter(parameter => parameter.in === 'path' || parameter.in === 'query').map(parameter => parameterObject(parameter, examples))
  const body = takesBody(method) ? requestBody(surface, examples) : undefined
  return {
    operationId: name,
    summary: surface.summary,
    description: surface.description === '' ? surface.summary : surface.description,
    tags: surface.tags,
    security: security[surface.access],
    ...(surface.stability === 'deprecated' ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(surface, method, registry),
    'x-surface': {
      id: surface.id,
      kind: surface.kind,
      contract: surface.contract,
      license: surface.license,
      freshness_seconds: surface.freshness.seconds,
      provenance: surface.provenance,
      since: surface.since
    }
  }
}
