import { Type } from '../canonical/type.ts'
import type { JsonObject } from '../canonical/json.ts'
import type { Sliced } from '../canonical/slices.ts'
import type { Registry } from '../registry/registry.ts'
import { Closed, defineDocument, Text, Url } from './define.ts'
import { componentsFor, ownSchemas } from './openapi/components.ts'
import { operationObject } from './openapi/operation.ts'
import { sharePaths } from './openapi/shared-paths.ts'
import { tagsOf } from './openapi/tags.ts'
import { namesOf, operationsOf } from './operations.ts'
import { surfaceOf } from './pointers.ts'

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
