import Type from 'typebox'
import type { Registry } from '../registry/registry.ts'
import { Closed, defineDocument, Nullable, Path, Text } from './define.ts'
import { linkTarget, pathTo } from './pointers.ts'

const Group = Type.Record(Type.String(), Closed({ url: Path, purpose: Text }))

const Document = Type.Object({
  '@kind': Type.Literal('api-root'),
  api_version: Type.Literal('v1'),
  message: Text,
  start_here: Nullable(Path),
  directory: Nullable(Path),
  contract: Nullable(Path),
  contract_invariants: Type.Array(Text),
  where_to_look_when_something_is_off: Closed({
    now: Nullable(Path),
    contract_of_each_surface: Nullable(Path),
    parser_self_test: Nullable(Path),
    feedback: Nullable(Path),
    contact_human: Text
  })
}, { additionalProperties: Group, description: 'Further members are the groups of surfaces that the service puts first, by name.' })

function groupsOf ({ service, byId }: Registry): Record<string, Record<string, { url: string, purpose: string }>> {
  return Object.fromEntries(service.index.map(({ group, surfaces }) => [group, Object.fromEntries(surfaces.flatMap(id => {
    const surface = byId.get(id)
    return surface === undefined ? [] : [[id, { url: surface.route.path, purpose: surface.summary }]]
  }))]))
}

export const root = defineDocument(Document)({
  document: 'root',
  build: registry => ({
    '@kind': 'api-root',
    api_version: 'v1',
    message: registry.service.description,
    start_here: linkTarget(registry, 'start'),
    directory: pathTo(registry, 'manifest'),
    contract: pathTo(registry, 'openapi'),
    ...groupsOf(registry),
    contract_invariants: registry.service.invariants,
    where_to_look_when_something_is_off: {
      now: pathTo(registry, 'health'),
      contract_of_each_surface: pathTo(registry, 'status'),
      parser_self_test: pathTo(registry, 'diagnostic'),
      feedback: linkTarget(registry, 'feedback'),
      contact_human: registry.service.contact.email
    }
  })
})
