import { accessShown, accessText } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { originOf } from '../canonical/url.ts'
import { unknownId } from '../handler/errors.ts'
import type { Registry } from '../registry/registry.ts'
import { methods } from '../vocabulary/words.ts'
import { commandLine, shownHeaders } from './calls.ts'
import {
  AccessName,
  Closed,
  Count,
  Counts,
  defineDocument,
  ListOf,
  MapOf,
  Methods,
  NameParameter,
  Nullable,
  Path,
  Text
} from './define.ts'
import { surfaceNamesOf } from '../registry/operations.ts'
import { countBy, relationTargetOf, documentPathOf, pick } from './pointers.ts'

const ExamplesDocument = Closed({
  '@kind': Type.Literal('examples_index'),
  welcome: Text,
  count: Count,
  examples: ListOf({
    endpoint_id: Text,
    surface: Text,
    path: Path,
    methods: Methods,
    auth: AccessName,
    title: Text,
    example_count: Count,
    url: Nullable(Path)
  }),
  by_method: Counts,
  by_auth: Counts,
  feedback_endpoint: Nullable(Path)
})

/** Returns the surfaces for programs that have examples, each with its name in the tool catalogue. */
const surfacesWithExamples = (registry: Registry) =>
  [...surfaceNamesOf(registry)].filter(([surface]) => surface.examples.length > 0)

export const examples = defineDocument(ExamplesDocument)({
  build: registry => {
    const shown = surfacesWithExamples(registry)
    return {
      '@kind': 'examples_index',
      welcome:
        'Every request here is run by the tests of this service, and its answer checked. What does not hold is not published.',
      count: shown.length,
      examples: shown.map(([surface, name]) => ({
        endpoint_id: name,
        surface: surface.id,
        path: surface.route.path,
        methods: surface.route.methods,
        auth: accessShown(surface.access),
        title: surface.summary,
        example_count: surface.examples.length,
        url: documentPathOf(registry, 'example', name)
      })),
      by_method: countBy(
        shown.flatMap(([surface]) => surface.examples),
        example => example.method
      ),
      by_auth: countBy(shown, ([{ access }]) => accessText(access)),
      feedback_endpoint: relationTargetOf(registry, 'feedback')
    }
  }
})

const ExampleDocument = Closed({
  '@kind': Type.Literal('endpoint_example'),
  endpoint_id: Text,
  surface: Text,
  path: Path,
  auth: AccessName,
  title: Text,
  description: Text,
  license: Text,
  examples: ListOf({
    title: Text,
    method: Type.Enum(methods),
    url: Path,
    curl: Text,
    headers: MapOf(Type.String()),
    body: Type.Unknown({ description: 'The JSON body that is sent, or null.' }),
    expect: Closed({
      status: Type.Integer(),
      shows: MapOf(Type.Unknown(), 'JSON pointers into the answer and the values that are there.')
    })
  }),
  see_also: Closed({ index: Nullable(Path), tools: Nullable(Path), openapi: Nullable(Path) })
})

export const example = defineDocument(ExampleDocument)({
  input: { params: Closed({ endpoint_id: NameParameter('Name of a surface in the tool catalogue.') }) },
  build: (registry, request) => {
    const asked = String(request.params.endpoint_id)
    const shown = surfacesWithExamples(registry)
    const surface = shown.find(([, name]) => name === asked)?.[0]
    if (surface === undefined)
      throw unknownId(
        'example',
        asked,
        shown.map(([, name]) => name)
      )
    return {
      '@kind': 'endpoint_example',
      endpoint_id: asked,
      surface: surface.id,
      path: surface.route.path,
      auth: accessShown(surface.access),
      title: surface.summary,
      ...pick(surface, 'description', 'license'),
      examples: surface.examples.map(sample => {
        const { title, method, url, body = null, expect } = sample
        return {
          title,
          method,
          url,
          curl: commandLine(originOf(registry.service.base_url), sample),
          headers: shownHeaders(sample),
          body,
          expect
        }
      }),
      see_also: {
        index: documentPathOf(registry, 'examples'),
        tools: documentPathOf(registry, 'tools'),
        openapi: documentPathOf(registry, 'openapi')
      }
    }
  }
})
