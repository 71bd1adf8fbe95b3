import type { JsonSchema } from '../../canonical/json.ts'
import { inShort, shorten } from '../../discovery/describe.ts'
import { argumentsOf, selectTools, toolsOf, type Tool } from '../../discovery/tool-catalogue.ts'
import { known } from '../../manifest/kind.ts'
import { isForAgents } from '../../manifest/surface.ts'
import type { Registry } from '../../registry/registry.ts'
import { callTool } from './call.ts'
import { finders } from './finders.ts'
import { notesOf, type McpTool } from './tool.ts'

/** Whether a surface only reads, or only computes from its input. */
const onlyReads = ({ provenance, route: { methods } }: Tool['surface']): boolean =>
  provenance === 'computed' || methods.every(method => method === 'GET')

/**
 * Makes an MCP tool from a surface. Descriptions are short and argument examples are left out, because a model has the
 * tool list in its context all the time. Calls accept all arguments of `whole`.
 */
const toolOf = (name: string, shown: Tool, whole = shown): McpTool => ({
  name,
  description: shown.description,
  inputSchema: brief(argumentsOf(shown)),
  readOnly: onlyReads(shown.surface),
  ...notesOf(shown),
  call: (given, asker) => callTool(whole, given, asker)
})

/** Schema keywords left out of tool schemas: the surface checks them anyway, and `describe_surface` returns them. */
const leftOut: readonly string[] = [
  'examples',
  'title',
  '$id',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems'
]

/** Maximum length in characters of an argument's description, and of a description nested deeper in it. */
const [longest, longestInside] = [160, 40]

/** Shortens a schema for the tool list. */
function brief(schema: JsonSchema, depth = 0): JsonSchema {
  const isInside = depth > 2
  const shown = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(one => shown('', one))
    if (typeof value === 'object' && value !== null) return brief(value as JsonSchema, depth + 1)
    return name === 'description' && typeof value === 'string' ? shorten(value, longest) : value
  }
  // An argument may have the name of such a keyword, but its value is an object.
  const omitted = (name: string, value: unknown): boolean =>
    (typeof value !== 'object' || Array.isArray(value)) &&
    (leftOut.includes(name) ||
      (isInside &&
        (name === 'additionalProperties' ||
          (name === 'description' && typeof value === 'string' && value.length > longestInside))))
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !omitted(name, value))
      .map(([name, value]) => [name, shown(name, value)])
  )
}

/**
 * Returns the tools: the core profile of the registry, those that the manifest names, and three that reach all other
 * surfaces.
 */
export function mcpTools(registry: Registry, names: Readonly<Record<string, string>> = {}): readonly McpTool[] {
  const isReached = ({ surface }: Tool): boolean => isForAgents(surface, registry.service)
  const reached = toolsOf(registry).filter(isReached)
  const byId = new Map(reached.map(tool => [tool.surface.id, tool]))
  const core = selectTools(registry, { params: {}, query: { profile: 'core' } })
    .filter(isReached)
    .map(tool => toolOf(tool.name, tool, byId.get(tool.surface.id)))
  const named = Object.entries(names).map(
    ([name, id]) => [name, known(byId.get(id), `surface ${id} of the tool ${name}`)] as const
  )
  const all = new Map([...reached.map(tool => [tool.name, tool] as const), ...named])
  return [
    ...core,
    ...named.map(([name, tool]) => toolOf(name, { ...tool, description: inShort(tool.surface, registry) })),
    ...finders(registry, all)
  ]
}
