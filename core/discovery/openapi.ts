import { accessTable } from '../access/index.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import type { Sliced } from '../canonical/work.ts'
import type { Registry } from '../registry/registry.ts'
import { Closed, defineDocument, Text, Url } from './define.ts'
import { errorSchema, metaSchema } from './meta-schema.ts'
import { operationObject } from './openapi/operation.ts'
import { failureResponses, headerComponents, notModifiedHeaders, ref } from './openapi/responses.ts'
import { sharePaths } from './openapi/shared-schemas.ts'
import { namesOf, operationsOf } from './operations.ts'
import { plainSchema } from './plain-schema.ts'
import { surfaceOf } from './pointers.ts'

const shown = 6

/** Returns all tags, each with its meaning in `service.yaml` or else the titles of its surfaces. */
function tagsOf({ service, surfaces }: Registry): { name: string; description: string }[] {
  const declared = new Map(Object.entries(service.tags))
  const titles = new Map<string, Set<string>>()
  for (const { tags, title } of surfaces)
    for (const tag of tags) titles.set(tag, (titles.get(tag) ?? new Set()).add(title))
  return [...titles]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => {
      const first = [...all].slice(0, shown).join('; ')
      const titled = all.size > shown ? `${first}; and ${all.size - shown} more.` : `${first}.`
      return { name, description: declared.get(name)?.meaning ?? titled }
    })
}

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
const ownSchemas = ['Meta', 'Error', 'Envelope', 'ErrorEnvelope', 'ErrorDocument'] as const

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
function* componentsFor(
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

const Anything = Type.Record(Type.String(), Type.Unknown())

const Document = Closed({
  openapi: Type.Literal('3.1.0'),
  info: Closed({
    title: Text,
    version: Type.Literal('1.0.0'),
    summary: Text,
    description: Text,
    contact: Closed({ name: Text, email: Text }),
    license: Closed({ name: Text, identifier: Text })
  }),
  servers: Type.Array(Closed({ url: Url, description: Text })),
  security: Type.Array(Anything),
  tags: Type.Array(Closed({ name: Text, description: Text })),
  paths: Type.Record(Type.String(), Anything),
  components: Anything
})

/** Returns a path without a trailing slash, as OpenAPI tools require it. The service answers both forms alike. */
const keyOf = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)

function* pathsOf(registry: Registry): Sliced<Record<string, Record<string, JsonObject>>> {
  const paths: Record<string, Record<string, JsonObject>> = {}
  const names = namesOf(registry)
  for (const operation of operationsOf(registry)) {
    ;(paths[keyOf(operation.surface.route.path)] ??= {})[operation.method.toLowerCase()] = operationObject(
      operation,
      names,
      registry
    )
    yield
  }
  return paths
}

/**
 * Builds the OpenAPI 3.1 document: every surface meant for programs, with every method. Probes and routes that an
 * operator adds are not declared.
 */
export const openapi = defineDocument(Document)({
  *slices(registry) {
    const { service } = registry
    const license = surfaceOf(registry, 'openapi')?.license ?? 'NOASSERTION'
    const { paths, schemas } = yield* sharePaths(yield* pathsOf(registry), ownSchemas)
    return {
      openapi: '3.1.0',
      info: {
        title: service.name,
        version: '1.0.0',
        summary: service.summary,
        description:
          `${service.description.trim()}\n\nA reviewed subset of what the server answers, without a claim of exhaustive coverage: it is generated from the declared surfaces, and probes, ` +
          'other pages and what an operator adds are not in it. ' +
          'The license below is that of this document; each operation says the license of its answers, also of the excerpts that are shown as examples.',
        contact: { name: service.name, email: service.contact.email },
        license: { name: license, identifier: license }
      },
      servers: [{ url: service.base_url, description: 'Public address.' }],
      security: [],
      tags: tagsOf(registry),
      paths,
      components: yield* componentsFor(paths, schemas, registry)
    }
  }
})
