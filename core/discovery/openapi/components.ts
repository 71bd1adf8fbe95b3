import { accessTable } from '../../access/index.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../../canonical/json.ts'
import type { Sliced } from '../../canonical/slices.ts'
import type { Registry } from '../../registry/registry.ts'
import { errorSchema, metaSchema } from '../meta-schema.ts'
import { plainSchema } from '../plain-schema.ts'
import { headerComponents, notModifiedHeaders } from './headers.ts'
import { failureResponses, ref } from './responses.ts'

const schema = (source: object): JsonObject => plainSchema(source as JsonSchema) as JsonObject

/** Returns the security schemes by name; several access kinds may have the same credential. */
const schemesOf = ({ service }: Registry): JsonObject =>
  Object.fromEntries(
    Object.values(accessTable(service.access)).flatMap(({ credential }) =>
      credential === undefined ? [] : [[credential.name, credential.scheme]]
    )
  )

const envelope = (description: string, error: JsonObject): JsonObject => ({
  type: 'object',
  description,
  properties: { data: {}, ...error, _meta: ref('schemas', 'Meta') },
  required: ['data', ...Object.keys(error), '_meta'],
  additionalProperties: false
})

/** Names of the framework's own schemas; schemas of surfaces must not have these names. */
export const ownSchemas = ['Meta', 'Error', 'Envelope', 'ErrorEnvelope', 'ErrorDocument'] as const

const all = (registry: Registry, shared: JsonObject): Record<string, Record<string, JsonValue>> => ({
  schemas: {
    ...shared,
    Meta: schema(metaSchema(registry)),
    Error: schema(errorSchema(registry)),
    Envelope: envelope('An answer in the envelope.', {}),
    ErrorEnvelope: envelope('A failure in the envelope. `data` is null, or the documented body of the failure.', {
      error: ref('schemas', 'Error')
    }),
    ErrorDocument: {
      type: 'object',
      description: 'A failure outside the envelope.',
      properties: { error: ref('schemas', 'Error') },
      required: ['error'],
      additionalProperties: false
    }
  } satisfies Record<(typeof ownSchemas)[number], JsonObject>,
  headers: headerComponents,
  responses: {
    NotModified: {
      description: 'What the caller holds is still current (`If-None-Match`).',
      headers: notModifiedHeaders
    },
    ...(failureResponses() as Record<string, JsonValue>)
  }
})

const pointer = '#/components/'

/** Collects the components that a value refers to, as `kind/name`. */
function noteReferences(value: JsonValue, found: string[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries<JsonValue>(value))
    if (typeof member === 'object') noteReferences(member, found)
    else if (name === '$ref' && typeof member === 'string' && member.startsWith(pointer))
      found.push(member.slice(pointer.length))
}

type Operations = Readonly<Record<string, JsonObject>>

/** Returns the names of the security schemes that operations require or accept. */
const demanded = (operations: Operations): readonly string[] =>
  Object.values(operations).flatMap(({ security }) =>
    Array.isArray(security) ? (security as JsonObject[]).flatMap(Object.keys) : []
  )

/** Returns the components that the paths use, directly or through another component; unused ones are left out. */
export function* componentsFor(
  paths: Readonly<Record<string, Operations>>,
  shared: JsonObject,
  registry: Registry
): Sliced<JsonObject> {
  const components = all(registry, shared)
  const used = new Set<string>()
  const names = new Set<string>()
  const waiting: string[] = []
  for (const operations of Object.values(paths)) {
    noteReferences(operations, waiting)
    for (const name of demanded(operations)) names.add(name)
    yield
  }
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue
    used.add(name)
    const [kind = '', key = ''] = name.split('/')
    noteReferences(components[kind]?.[key] ?? null, waiting)
    yield
  }
  const kept = Object.entries(components).map(
    ([kind, members]) =>
      [kind, Object.fromEntries(Object.entries(members).filter(([key]) => used.has(`${kind}/${key}`)))] as const
  )
  kept.push([
    'securitySchemes',
    Object.fromEntries(Object.entries(schemesOf(registry)).filter(([name]) => names.has(name)))
  ])
  return Object.fromEntries(kept.filter(([, members]) => Object.keys(members).length > 0))
}
