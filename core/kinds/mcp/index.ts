import { isLocal } from '../../access/access.ts'
import type { JsonObject, JsonValue } from '../../canonical/json.ts'
import { urlOf } from '../../canonical/url.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { PlanRequest } from '../../plan/request.ts'
import { contracts } from '../../vocabulary/words.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, withoutPlaceholders } from '../scaffold.ts'
import { checkMcp, fields, type McpAnswer, type McpManifest } from './manifest.ts'
import type { createEndpoint } from './server.ts'

const hostOf = (url: string): string | undefined => urlOf(url)?.hostname

/**
 * Throws 403 for a request from a page of another site, or to a foreign host name: with such a name (DNS rebinding), a
 * page can make a browser send requests to a loopback address (MCP 2026-07-28, Streamable HTTP, "Security & Endpoint
 * Binding").
 */
function checkOrigin({ headers }: PlanRequest, baseUrl: string): void {
  const own = hostOf(baseUrl)
  const isOwn = (origin: string): boolean =>
    own !== undefined && (hostOf(origin) === own || (isLocal(origin) && isLocal(baseUrl)))
  const [origin, host] = [headers['origin'], headers['host']]
  if (typeof host === 'string' && !isOwn(`http://${host}`))
    throw new SurfaceError('FORBIDDEN', 'This endpoint is not served under that host name.', { details: { host } })
  if (origin !== undefined && !isOwn(String(origin)))
    throw new SurfaceError('FORBIDDEN', 'Pages of other sites may not use this endpoint.', {
      details: { origin: String(origin).slice(0, 200) }
    })
}

/** Returns the `mcp-*` headers of the request, and an `Accept` with both media types that the protocol requires. */
function headersOf({ headers }: PlanRequest): Headers {
  const own = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' })
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith('mcp-') && typeof value === 'string') own.set(name, value)
  return own
}

const limitBytes = 262_144

export const mcp = defineKind<McpManifest, McpAnswer, 'registry' | 'ask'>({
  name: 'mcp',
  meaning:
    'The surfaces of the registry as tools of the Model Context Protocol: streamable HTTP, without sessions and streams.',
  reaches: ['registry', 'ask'],
  fields,
  holds: ['value'],
  contracts: contracts.filter(contract => contract === 'bare'),
  check: file => [...checkMcp(file)],
  input: () => ({
    body: { schema: { type: 'object', description: 'A message of JSON-RPC 2.0, as the protocol has it.' }, limitBytes }
  }),
  output: () => ({ type: 'object', description: 'A message of JSON-RPC 2.0; none for a notification.' }),
  answer: ({ manifest: { instructions, tools = {}, resources = {}, prompts = {} } }) => ({
    instructions,
    tools,
    resources,
    prompts
  }),
  facts: ({ tools, resources }) => ({ containsSelf: true, offers: { tools, resources } }),
  compile: ({ answer }, { registry, ask }) => {
    let endpoint: Promise<ReturnType<typeof createEndpoint>> | undefined
    return {
      when: 'live',
      answer: async ({ body = null }, request) => {
        checkOrigin(request, registry.service.base_url)
        const { method, id = null } = body as JsonObject
        // The method `subscriptions/listen` asks for a stream of notifications.
        if (method === 'subscriptions/listen') {
          const message = 'Nothing is sent without being asked: there is no stream to listen to.'
          return { status: 200, data: { jsonrpc: '2.0', id, error: { code: -32_601, message } } }
        }
        // The first message loads the MCP library.
        endpoint ??= import('./server.ts')
          .then(loaded => loaded.createEndpoint(registry, answer))
          .catch((error: unknown) => {
            endpoint = undefined
            throw error
          })
        const { caller } = request
        const response = await (await endpoint)(body, headersOf(request), { caller, ask: ask(request) })
        const [status, text] = [response.status, await response.text()]
        return text === ''
          ? { status, data: null, file: { mediaType: 'application/json', text } }
          : { status, data: JSON.parse(text) as JsonValue }
      }
    }
  },
  scaffold: ({ id, path = defaultPath(id) }) => ({
    path: withoutPlaceholders('mcp', path),
    provenance: 'computed',
    contract: 'bare',
    fields: { method: 'POST', agent: 'never', instructions: 'What is in this service, and how it is looked up.' },
    examples: [{ title: 'What can be called', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }]
  })
})
