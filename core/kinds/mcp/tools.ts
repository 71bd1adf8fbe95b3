import type { JsonSchema } from '../../canonical/json.ts'
import { inShort, shorten } from '../../discovery/describe.ts'
import { argumentsOf, selectTools, toolsOf, type Tool } from '../../discovery/tool-catalogue.ts'
import { known } from '../../manifest/context.ts'
import { isForAgents } from '../../manifest/for-agents.ts'
import type { Registry } from '../../registry/registry.ts'
import { callTool } from './call.ts'
import { finders } from './finders.ts'
import { notesOf, type McpTool } from './tool.ts'

/** Whether a surface only reads, or only computes from what is sent. */
const onlyReads = ({ provenance, route: { methods } }: Tool['surface']): boolean =>
  provenance === 'computed' || methods.every(method => method === 'GET')

/**
 * A surface as a tool. Text in short, and the arguments without their examples: what is in front of a model all the
 * time is short. It takes all arguments of `whole`.
 */
const toolOf = (name: string, shown: Tool, whole = shown): McpTool => ({
  name,
  description: shown.description,
  inputSchema: brief(argumentsOf(shown)),
  readOnly: onlyReads(shown.surface),
  ...notesOf(shown),
  call: (given, asker) => callTool(whole, given, asker)
})

/** What only helps to write documents, or is checked anyway: `describe_surface` gives it. */
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

/** Characters of the description of an argument; what is inside of one has a shorter one or none. */
const [longest, longestInside] = [160, 40]

/** A schema in short. */
function brief(schema: JsonSchema, depth = 0): JsonSchema {
  const isInside = depth > 2
  const shown = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(one => shown('', one))
    if (typeof value === 'object' && value !== null) return brief(value as JsonSchema, depth + 1)
    return name === 'description' && typeof value === 'string' ? shorten(value, longest) : value
  }
  // An argument may be called like one of them, and is an object.
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
 * The tools: the core profile of the registry, those with names of their own, and three that reach every other surface.
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
