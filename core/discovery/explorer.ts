import { accessMeaning, accessTable, admitsEveryone } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { methods } from '../vocabulary/words.ts'
import { Closed, Count, defineDocument, Nullable, Path, Text } from './define.ts'
import { isPaused } from './pointers.ts'
import { toolsOf } from './tool-catalogue.ts'

const Document = Closed({
  '@kind': Type.Literal('explorer'),
  count: Count,
  areas: Type.Array(
    Closed({
      area: Text,
      meaning: Type.String(),
      surfaces: Type.Array(
        Closed({
          name: Type.String({ description: 'The name that the explorer and the tool catalogue have for it.' }),
          path: Path,
          methods: Type.Array(Type.Enum(methods)),
          summary: Text,
          parameters: Type.Array(Text),
          only_for: Nullable(Text, 'Who may call it, where not everyone may.'),
          paused: Type.Boolean()
        })
      )
    })
  )
})

/** Lists every surface meant for programs, grouped by its first tag. */
export const explorer = defineDocument(Document)({
  build: registry => {
    const tools = toolsOf(registry)
    const table = accessTable(registry.service.access)
    const areas = [...new Set(tools.map(({ surface }) => surface.tags[0] ?? 'other'))].sort()
    return {
      '@kind': 'explorer',
      count: tools.length,
      areas: areas.map(area => ({
        area,
        meaning: registry.service.tags[area]?.meaning ?? '',
        surfaces: tools
          .filter(({ surface }) => (surface.tags[0] ?? 'other') === area)
          .map(({ name, surface, parameters }) => ({
            name,
            path: surface.route.path,
            methods: surface.route.methods,
            summary: surface.summary,
            parameters: parameters.map(one => one.name),
            only_for: admitsEveryone(surface.access) ? null : accessMeaning(surface.access, table),
            paused: isPaused(surface)
          }))
      }))
    }
  }
})
