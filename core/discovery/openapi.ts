import { session, sessionCookie } from '../access/access.ts'
import { accessTable } from '../access/index.ts'
import type { JsonObject, JsonSchema, JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { basePathOf } from '../canonical/url.ts'
import type { SlicedWork } from '../canonical/work.ts'
import { withoutBase } from '../manifest/paths.ts'
import { isStandard, type Registry } from '../registry/registry.ts'
import { Closed, defineDocument, ListOf, MapOf, Text, Texts, Url } from './define.ts'
import { tagMeaning } from './describe.ts'
import { errorSchema, metaSchema } from './meta-schema.ts'
import { operationObject } from './openapi/operation.ts'
import { headerComponents, ref, sharedResponses } from './openapi/responses.ts'
import { sharePaths } from './openapi/shared-schemas.ts'
import { surfaceNamesOf, operationsOf } from '../registry/operations.ts'
import { plainSchema } from './plain-schema.ts'
import { surfaceOf } from './pointers.ts'

/** Returns the tags of the surfaces of the service itself, and those that only surfaces of the framework have. */
function tagNamesOf(surfaces: Registry['surfaces']) {
  const namesOf = (some: Registry['surfaces']): string[] => [...new Set(some.flatMap(({ tags }) => tags))].sort()
  const own = namesOf(surfaces.filter(surface => !isStandard(surface)))
  return { own, standard: namesOf(surfaces).filter(name => !own.includes(name)) }
}

/** Returns the tags in groups, as renderers of OpenAPI show them: those of the service, and those of the framework. */
function tagGroupsOf({ service, surfaces }: Registry) {
  const { own, standard } = tagNamesOf(surfaces)
  return [
    { name: service.name, tags: own },
    { name: 'What every service of this kind has', tags: standard }
  ].filter(({ tags }) => tags.length > 0)
}

/** Returns all tags, each with what it is about. */
function tagsOf(registry: Registry) {
  const { own, standard } = tagNamesOf(registry.surfaces)
  return [...own, ...standard].map(name => ({ name, description: tagMeaning(registry, name) }))
}

const schema = (source: object): JsonObject => plainSchema(source as JsonSchema) as JsonObject

/** Returns the security schemes by the name of the credential, which several access kinds may share. */
const schemesOf = ({ service }: Registry): JsonObject =>
  Object.fromEntries(
    Object.values(accessTable(service.access)).flatMap(({ credential }) =>
      credential === undefined
        ? []
        : [
            [
              credential.name,
              credential === session && basePathOf(service.base_url) !== ''
                ? { ...credential.scheme, name: sessionCookie(service.base_url) }
                : credential.scheme
            ]
          ]
    )
  )

const closedObject = (description: string, properties: JsonObject): JsonObject => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

/** Returns the schemas of the framework by name. Schemas of surfaces get other names. */
function ownSchemas(registry: Registry): Record<string, JsonObject> {
  const [error, _meta] = [ref('schemas', 'Error'), ref('schemas', 'Meta')]
  const failure = 'A failure in the envelope. `data` is null, or the documented body of the failure.'
  return {
    Meta: schema(metaSchema(registry)),
    Error: schema(errorSchema(registry)),
    Envelope: closedObject('An answer in the envelope.', { data: {}, _meta }),
    ErrorEnvelope: closedObject(failure, { data: {}, error, _meta }),
    ErrorDocument: closedObject('A failure outside the envelope.', { error })
  }
}

const pointer = '#/components/'

/** Adds the components that a value refers to with `$ref` to `found`, as `kind/name`. */
function collectReferences(value: JsonValue | undefined, found: string[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries<JsonValue>(value))
    if (name === '$ref' && typeof member === 'string' && member.startsWith(pointer))
      found.push(member.slice(pointer.length))
    else collectReferences(member, found)
}

/** Returns the components that the paths use, directly or through another component; unused ones are left out. */
function* componentsFor(
  paths: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>,
  schemas: JsonObject,
  registry: Registry
): SlicedWork<JsonObject> {
  const components: Record<string, JsonObject> = {
    schemas,
    headers: headerComponents,
    responses: sharedResponses(),
    securitySchemes: schemesOf(registry)
  }
  const used = new Set<string>()
  const waiting: string[] = []
  for (const operations of Object.values(paths)) {
    collectReferences(operations, waiting)
    for (const { security } of Object.values(operations))
      for (const scheme of (security as JsonObject[]).flatMap(Object.keys)) waiting.push(`securitySchemes/${scheme}`)
    yield
  }
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue
    used.add(name)
    const [kind = '', key = ''] = name.split('/')
    collectReferences(components[kind]?.[key], waiting)
    yield
  }
  return Object.fromEntries(
    Object.entries(components).flatMap(([kind, members]) => {
      const kept = Object.entries(members).filter(([key]) => used.has(`${kind}/${key}`))
      return kept.length === 0 ? [] : [[kind, Object.fromEntries(kept)]]
    })
  )
}

const Anything = MapOf(Type.Unknown())

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
  servers: ListOf({ url: Url, description: Text }),
  security: Type.Array(Anything),
  tags: ListOf({ name: Text, description: Text }),
  'x-tagGroups': ListOf({ name: Text, tags: Texts }),
  paths: MapOf(Anything),
  components: Anything
})

/**
 * Returns a path as it is below the address of the server, without a trailing slash, as OpenAPI tools require it. The
 * service answers the path in both forms.
 */
function keyOf(served: string, base = ''): string {
  const path = withoutBase(base, served)
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function* pathsOf(registry: Registry): SlicedWork<Record<string, Record<string, JsonObject>>> {
  const paths: Record<string, Record<string, JsonObject>> = {}
  const names = surfaceNamesOf(registry)
  for (const operation of operationsOf(registry)) {
    const key = keyOf(operation.surface.route.path, registry.moved?.base)
    ;(paths[key] ??= {})[operation.method.toLowerCase()] = operationObject(operation, names, registry)
    yield
  }
  return paths
}

/** Builds the OpenAPI 3.1 document, with each method of each surface meant for programs. */
export const openapi = defineDocument(Document)({
  *slices(registry) {
    const { service } = registry
    const license = surfaceOf(registry, 'openapi')?.license ?? 'NOASSERTION'
    const own = ownSchemas(registry)
    const { paths, schemas } = yield* sharePaths(yield* pathsOf(registry), Object.keys(own))
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
      'x-tagGroups': tagGroupsOf(registry),
      paths,
      components: yield* componentsFor(paths, { ...schemas, ...own }, registry)
    }
  }
})
