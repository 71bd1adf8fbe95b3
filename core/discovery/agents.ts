import { isOpen } from '../access/index.ts'
import { Type } from '../canonical/type.ts'
import { Closed, defineDocument, MapOf, Nullable, Path, Text, Url } from './define.ts'
import { absoluteUrl, absoluteUrlOrNull, isPaused, relationTargetOf, documentUrlOf } from './pointers.ts'

const shortName = 20

const AiPluginDocument = Closed({
  schema_version: Type.Literal('v1'),
  name_for_human: Type.String({ minLength: 1, maxLength: shortName }),
  name_for_model: Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' }),
  description_for_human: Type.String({ maxLength: 100 }),
  description_for_model: Text,
  auth: Closed({ type: Type.Literal('none') }),
  api: Closed({ type: Type.Literal('openapi'), url: Nullable(Url) }),
  contact_email: Text,
  legal_info_url: Nullable(Url, 'The directory that states the rights of every surface.')
})

export const aiPlugin = defineDocument(AiPluginDocument)({
  build: registry => {
    const { name, summary, description, contact, agents } = registry.service
    return {
      schema_version: 'v1',
      name_for_human: name.slice(0, shortName).trim(),
      name_for_model: agents.model_name,
      description_for_human: agents.human_summary,
      description_for_model: `${summary} ${description}`.trim(),
      auth: { type: 'none' },
      api: { type: 'openapi', url: documentUrlOf(registry, 'openapi') },
      contact_email: contact.email,
      legal_info_url: documentUrlOf(registry, 'manifest')
    }
  }
})

const Status = Type.Enum(['available', 'planned'])

const McpDocument = Closed({
  server: Closed({
    name: Text,
    title: Text,
    version: Text,
    description: Text,
    endpoint: Nullable(Url),
    transport: Nullable(Type.Literal('streamable-http')),
    status: Status,
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

export const mcp = defineDocument(McpDocument)({
  build: registry => {
    const { service, byId } = registry
    const { endpoint, status, note } = service.agents.mcp
    const listed = service.index.flatMap(({ surfaces }) => surfaces.flatMap(id => byId.get(id) ?? []))
    const open = listed.filter(surface => isOpen(surface.access) && !isPaused(surface))
    return {
      server: {
        name: service.id,
        title: service.name,
        version: service.version,
        description: service.summary,
        endpoint: absoluteUrlOrNull(registry, endpoint),
        transport: endpoint === null ? null : 'streamable-http',
        status,
        note
      },
      rate_limits: { summary: service.rate_policy.summary, policy_url: documentUrlOf(registry, 'rate-limits') },
      without_a_key: {
        note: 'Every public surface answers plain HTTP requests without an account. The tool catalogue has them as function definitions.',
        tool_catalog_url: documentUrlOf(registry, 'tools'),
        openapi_url: documentUrlOf(registry, 'openapi'),
        endpoints: [...new Set(open.map(({ route }) => route.path))]
      },
      feedback: {
        endpoint: absoluteUrlOrNull(registry, relationTargetOf(registry, 'feedback')),
        contact_email: service.contact.email
      }
    }
  }
})

const McpConfigDocument = Closed({
  mcpServers: MapOf(
    Closed({ type: Type.Literal('http'), url: Url, headers: Closed({ Authorization: Text }) }),
    'Ready to paste into a client. Empty while there is no endpoint.'
  ),
  status: Status,
  note: Text,
  recommended_user_agent: Text,
  without_a_key: Closed({ tool_catalog_url: Nullable(Url), examples_url: Nullable(Url), openapi_url: Nullable(Url) })
})

export const mcpConfig = defineDocument(McpConfigDocument)({
  build: registry => {
    const { id, agents } = registry.service
    const { endpoint, status, note } = agents.mcp
    // The document contains no key: the client replaces the variable `${…}` with its own.
    const headers = { Authorization: `Bearer \${${id.replaceAll('-', '_').toUpperCase()}_KEY}` }
    return {
      mcpServers:
        endpoint === null ? {} : { [id]: { type: 'http' as const, url: absoluteUrl(registry, endpoint), headers } },
      status,
      note,
      recommended_user_agent: agents.user_agent,
      without_a_key: {
        tool_catalog_url: documentUrlOf(registry, 'tools'),
        examples_url: documentUrlOf(registry, 'examples'),
        openapi_url: documentUrlOf(registry, 'openapi')
      }
    }
  }
})
