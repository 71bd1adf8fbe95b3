import { Type } from '../canonical/type.ts'
import { Closed, defineDocument, Nullable, Text, Url } from './define.ts'
import { absolute, absoluteOrNull, pathTo } from './pointers.ts'

const Document = Closed({
  mcpServers: Type.Record(
    Type.String(),
    Closed({ type: Type.Literal('http'), url: Url, headers: Closed({ Authorization: Text }) }),
    { description: 'Ready to paste into a client. Empty while there is no endpoint.' }
  ),
  status: Type.Enum(['available', 'planned']),
  note: Text,
  recommended_user_agent: Text,
  without_a_key: Closed({ tool_catalog_url: Nullable(Url), examples_url: Nullable(Url), openapi_url: Nullable(Url) })
})

export const mcpConfig = defineDocument(Document)({
  build: registry => {
    const { id, agents } = registry.service
    const { endpoint, status, note } = agents.mcp
    return {
      mcpServers:
        endpoint === null
          ? {}
          : // The document contains no key: `${…}` is a variable that the client replaces with its own.
            {
              [id]: {
                type: 'http' as const,
                url: absolute(registry, endpoint),
                headers: { Authorization: `Bearer \${${id.replaceAll('-', '_').toUpperCase()}_KEY}` }
              }
            },
      status,
      note,
      recommended_user_agent: agents.user_agent,
      without_a_key: {
        tool_catalog_url: absoluteOrNull(registry, pathTo(registry, 'tools')),
        examples_url: absoluteOrNull(registry, pathTo(registry, 'examples')),
        openapi_url: absoluteOrNull(registry, pathTo(registry, 'openapi'))
      }
    }
  }
})
