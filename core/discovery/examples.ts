import { accessShown, accessText } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { methods } from '../vocabulary/words.ts'
import { commandLine } from './calls.ts'
import { AccessName, Closed, Count, Counts, defineDocument, Nullable, Path, Text } from './define.ts'
import { namesOf } from './operations.ts'
import { countBy, linkTarget, pathTo } from './pointers.ts'

const ExamplesDocument = Closed({
  '@kind': Type.Literal('examples_index'),
  welcome: Text,
  count: Count,
  examples: Type.Array(
    Closed({
      endpoint_id: Text,
      surface: Text,
      path: Path,
      methods: Type.Array(Type.Enum(methods)),
      auth: AccessName,
      title: Text,
      example_count: Count,
      url: Nullable(Path)
    })
  ),
  by_method: Counts,
  by_auth: Counts,
  feedback_endpoint: Nullable(Path)
})

export const examples = defineDocument(ExamplesDocument)({
  build: registry => {
    const single = pathTo(registry, 'example')
    const shown = [...namesOf(registry)].filter(([surface]) => surface.examples.length > 0)
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
        url: single?.replace('{endpoint_id}', name) ?? null
      })),
      by_method: countBy(
        shown.flatMap(([surface]) => surface.examples),
        example => example.method
      ),
      by_auth: countBy(shown, ([{ access }]) => accessText(access)),
      feedback_endpoint: linkTarget(registry, 'feedback')
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
  examples: Type.Array(
    Closed({
      title: Text,
      method: Type.Enum(methods),
      url: Path,
      curl: Text,
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.Unknown({ description: 'The JSON body that is sent, or null.' }),
      expect: Closed({
        status: Type.Integer(),
        shows: Type.Record(Type.String(), Type.Unknown(), {
          description: 'JSON pointers into the answer and the values that are there.'
        })
      })
    })
  ),
  see_also: Closed({ index: Nullable(Path), tools: Nullable(Path), openapi: Nullable(Path) })
})

export const example = defineDocument(ExampleDocument)({
  input: {
    params: Closed({
      endpoint_id: Type.String({
        minLength: 1,
        maxLength: 160,
        description: 'Name of a surface in the tool catalogue.'
      })
    })
  },
  build: (registry, request) => {
    const asked = String(request.params.endpoint_id ?? '')
    const shown = [...namesOf(registry)].filter(([surface]) => surface.examples.length > 0)
    const surface = shown.find(([, name]) => name === asked)?.[0]
    if (surface === undefined) throw notFound('example', asked, { known_ids: shown.map(([, name]) => name) })
    return {
      '@kind': 'endpoint_example',
      endpoint_id: asked,
      surface: surface.id,
      path: surface.route.path,
      auth: accessShown(surface.access),
      title: surface.summary,
      description: surface.description,
      license: surface.license,
      examples: surface.examples.map(sample => ({
        title: sample.title,
        method: sample.method,
        url: sample.url,
        curl: commandLine(registry.service.base_url, sample),
        headers: sample.headers,
        body: sample.body ?? null,
        expect: sample.expect
      })),
      see_also: {
        index: pathTo(registry, 'examples'),
        tools: pathTo(registry, 'tools'),
        openapi: pathTo(registry, 'openapi')
      }
    }
  }
})
