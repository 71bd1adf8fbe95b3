import { contracts } from '../../vocabulary/words.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, withoutPlaceholders } from '../scaffold.ts'
import { checkMcp } from './check.ts'
import { fields, type McpManifest } from './manifest.ts'
import { compileMcp, type McpAnswer } from './source.ts'

/** Maximum size of a message. */
const limitBytes = 262_144

/** Serves the registry's tools, resources and prompts over the Model Context Protocol. */
export const mcp = defineKind<McpManifest, McpAnswer, 'registry' | 'ask'>({
  name: 'mcp',
  meaning:
    'The surfaces of the registry as tools of the Model Context Protocol: streamable HTTP, without sessions and streams.',
  reaches: ['registry', 'ask'],
  fields,
  holds: ['value'],
  contracts: contracts.filter(contract => contract === 'bare'),
  check: checkMcp,
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
  compile: compileMcp,
  scaffold: ({ id, path = defaultPath(id) }) => ({
    path: withoutPlaceholders('mcp', path),
    provenance: 'computed',
    contract: 'bare',
    fields: { method: 'POST', agent: 'never', instructions: 'What is in this service, and how it is looked up.' },
    examples: [{ title: 'What can be called', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }]
  })
})
