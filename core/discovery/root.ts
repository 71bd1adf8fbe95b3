import { Type } from '../canonical/type.ts'
import type { Registry } from '../registry/registry.ts'
import { Closed, defineDocument, Nullable, Path, Text } from './define.ts'
import { linkTarget, pathTo } from './pointers.ts'

const Group = Type.Record(Type.String(), Closed({ url: Path, purpose: Text }))

const Document = Type.Object(
  {
    '@kind': Type.Literal('api-root'),
    api_version: Type.Literal('v1'),
    message: Text,
    start_here: Nullable(Path),
    directory: Nullable(Path),
    contract: Nullable(Path),
    contract_invariants: Type.Array(Text),
    where_to_look_when_something_is_off: Closed({
      contract_drift: Nullable(Path),
      operational_status: Nullable(Path),
      health: Nullable(Path),
      parser_self_test: Nullable(Path),
      contact_human: Text
    })
  },
  {
    additionalProperties: Group,
    description: 'Further members are the groups of surfaces that the service puts first, by name.'
  }
)

/**
 * Returns a name for a path such as `books` or `opening_hours`: without prefix, version, placeholders and file
 * extension.
 */
const nameOf = (path: string): string =>
  path
    .replace(/^\/(\.well-known\/|(api\/)?(v\d+\/)?)/, '')
    .replace(/\.\w+$/, '')
    .split('/')
    .filter(part => part !== '' && !part.startsWith('{'))
    .join('_')
    .replaceAll(/[^\w]/g, '_')

/** Returns the surfaces of each group by name. If a name is empty or taken, the id is used. */
function groupsOf({ service, byId }: Registry): Record<string, Record<string, { url: string; purpose: string }>> {
  return Object.fromEntries(
    service.index.map(({ group, surfaces }) => {
      const members = new Map<string, { url: string; purpose: string }>()
      for (const { id, route, summary } of surfaces.flatMap(id => byId.get(id) ?? [])) {
        const name = nameOf(route.path)
        members.set(name === '' || members.has(name) ? id : name, { url: route.path, purpose: summary })
      }
      return [group, Object.fromEntries(members)]
    })
  )
}

export const root = defineDocument(Document)({
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
      contract_drift: linkTarget(registry, 'feedback'),
      operational_status: pathTo(registry, 'status'),
      health: pathTo(registry, 'health'),
      parser_self_test: pathTo(registry, 'diagnostic'),
      contact_human: registry.service.contact.email
    }
  })
})
