import { accessShown, accessText } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { methods } from '../vocabulary/words.ts'
import { AccessName, Closed, Count, Counts, defineDocument, Nullable, Path, Text } from './define.ts'
import { namesOf } from './operations.ts'
import { countBy, linkTarget, pathTo } from './pointers.ts'

const Document = Closed({
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

export const examples = defineDocument(Document)({
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
