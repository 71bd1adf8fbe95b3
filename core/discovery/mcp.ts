import { isOpen } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { Closed, defineDocument, Nullable, Path, Text, Url } from './define.ts'
import { absoluteOrNull, isPaused, linkTarget, pathTo } from './pointers.ts'

const Document = Closed({
  server: Closed({
    name: Text,
    title: Text,
    version: Text,
    description: Text,
    endpoint: Nullable(Url),
    transport: Nullable(Type.Literal('streamable-http')),
    status: Type.Enum(['available', 'planned']),
    note: Text
  }),
  rate_limits: Closed({ summary: Text, policy_url: Nullable(Url) }),
  without_a_key: Closed({
    note: Text,
    tool_catalog_url: Nullable(Url),
    openapi_url: Nullable(Url),
    endpoints: Type.Array(Path, {
      description: 'Public paths that work well as tools: the groups that the service puts first.'
    })
  }),
  feedback: Closed({ endpoint: Nullable(Url), contact_email: Text })
})

export const mcp = defineDocument(Document)({
  build: registry => {
    const { service, byId } = registry
    const { endpoint, status, note } = service.agents.mcp
    const curated = service.index.flatMap(group => group.surfaces).flatMap(id => byId.get(id) ?? [])
    return {
      server: {
        name: service.id,
        title: service.name,
        version: service.version,
        description: service.summary,
        endpoint: absoluteOrNull(registry, endpoint),
        transport: endpoint === null ? null : 'streamable-http',
        status,
        note
      },
      rate_limits: {
        summary: service.rate_policy.summary,
        policy_url: absoluteOrNull(registry, pathTo(registry, 'rate-limits'))
      },
      without_a_key: {
        note: 'Every public surface answers plain HTTP requests without an account. The tool catalogue has them as function definitions.',
        tool_catalog_url: absoluteOrNull(registry, pathTo(registry, 'tools')),
        openapi_url: absoluteOrNull(registry, pathTo(registry, 'openapi')),
        endpoints: [
          ...new Set(
            curated.filter(surface => isOpen(surface.access) && !isPaused(surface)).map(surface => surface.route.path)
          )
        ]
      },
      feedback: {
        endpoint: absoluteOrNull(registry, linkTarget(registry, 'feedback')),
        contact_email: service.contact.email
      }
    }
  }
})
