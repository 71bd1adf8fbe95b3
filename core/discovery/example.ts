import { accessShown } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { notFound } from '../handler/errors.ts'
import { methods } from '../vocabulary/words.ts'
import { commandLine } from './command-line.ts'
import { AccessName, Closed, defineDocument, Nullable, Path, Text } from './define.ts'
import { namesOf } from './operations.ts'
import { pathTo } from './pointers.ts'

const Document = Closed({
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

export const example = defineDocument(Document)({
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
