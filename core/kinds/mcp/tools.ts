import { accessMeaning, accessOf, admits } from '../../access/index.ts'
import { isObject, type JsonObject, type JsonSchema } from '../../canonical/json.ts'
import { inShort, shorten } from '../../discovery/describe.ts'
import { exampleArguments, workingExamples } from '../../discovery/parameters.ts'
import { argumentsOf, selectTools, toolsOf, type Tool } from '../../discovery/tool-catalogue.ts'
import { invalid, SurfaceError } from '../../handler/errors.ts'
import { ensureDefined } from '../../manifest/kind.ts'
import { isForAgents } from '../../manifest/surface.ts'
import { assertNoIssues } from '../../plan/read.ts'
import type { Registry } from '../../registry/registry.ts'
import { compileSchema } from '../../schema/compile.ts'
import { text } from '../fields.ts'
import {
  callTool,
  outputSchemaOf,
  notesOf,
  readArgument,
  structured,
  type ToolContext,
  type McpTool,
  type ToolResult
} from './call.ts'

type Finder = Omit<McpTool, 'inputSchema' | 'call'> &
  Readonly<{
    properties: Readonly<Record<string, JsonSchema>>
    required: readonly string[]
    call: (args: JsonObject, context: ToolContext) => ToolResult | Promise<ToolResult>
  }>

/** Returns a text argument; the schema check has found it to be a text. */
const textIn = (args: JsonObject, name: string): string => (typeof args[name] === 'string' ? args[name] : '')
const named = text('As `find_surfaces` names it.')

/** Makes a tool that checks its arguments itself, because no surface does. */
function finder({ properties, required, call, ...tool }: Finder): McpTool {
  const inputSchema = { type: 'object', properties, required: [...required], additionalProperties: false }
  const issuesOf = compileSchema(inputSchema)
  return {
    ...tool,
    inputSchema,
    call: async (sent, context) => {
      const args = Object.fromEntries(
        Object.entries(sent).map(([name, value]) => [
          name,
          readArgument(name, value, Object.hasOwn(properties, name) ? properties[name] : undefined)
        ])
      )
      assertNoIssues(issuesOf(args), 'arguments')
      return await call(args, context)
    }
  }
}

const defaultLimit = 10
const noneFound = 'No surface has all of these words. Try one word, or another one.'

/** Returns the tools that find, describe and call those surfaces for agents that admit the caller. */
function finders(registry: Registry, others: ReadonlyMap<string, Tool>): readonly McpTool[] {
  const { service } = registry
  const isFor = ({ surface }: Tool, { caller }: ToolContext): boolean =>
    admits(surface.access, accessOf(service, surface), caller)
  const toolFor = (args: JsonObject, context: ToolContext): Tool => {
    const name = textIn(args, 'name')
    const tool = others.get(name)
    if (tool === undefined)
      throw invalid(
        'name',
        `There is no surface \`${name.slice(0, 80)}\`. \`find_surfaces\` finds them by what they do.`
      )
    if (!isFor(tool, context))
      throw new SurfaceError(
        'FORBIDDEN',
        `This surface is for ${accessMeaning(tool.surface.access, accessOf(service, tool.surface))}.`
      )
    return tool
  }
  return [
    finder({
      name: 'find_surfaces',
      description: 'Finds what else this service answers, by words of what it does.',
      readOnly: true,
      properties: {
        q: text('Words, such as `status history`. All of them must fit.'),
        limit: { type: 'integer', minimum: 1, maximum: 50, default: defaultLimit }
      },
      required: ['q'],
      outputSchema: {
        type: 'object',
        required: ['surfaces', 'total'],
        properties: {
          surfaces: {
            type: 'array',
            items: { type: 'object', properties: { name: { type: 'string' }, summary: { type: 'string' } } }
          },
          total: { type: 'integer' },
          hint: { type: 'string' }
        }
      },
      call: (args, context) => {
        const { limit = defaultLimit } = args
        const found = selectTools(registry, { params: {}, query: { q: textIn(args, 'q') } }).filter(
          tool => isForAgents(tool.surface, service) && isFor(tool, context)
        )
        return structured({
          surfaces: found.slice(0, Number(limit)).map(tool => ({ name: tool.name, summary: tool.surface.summary })),
          total: found.length,
          ...(found.length === 0 ? { hint: context.language.textOf(noneFound) } : {})
        })
      }
    }),
    finder({
      name: 'describe_surface',
      description: 'The arguments and the answer of a surface, as JSON Schemas, with an example.',
      readOnly: true,
      properties: { name: named },
      required: ['name'],
      call: (args, context) => {
        const tool = toolFor(args, context)
        const { surface, parameters } = tool
        const [example] = workingExamples(surface).filter(({ headers }) => Object.keys(headers).length === 0)
        return structured({
          name: textIn(args, 'name'),
          description: tool.description,
          ...notesOf(tool).notes,
          arguments: argumentsOf(tool),
          answer: outputSchemaOf(tool, surface.output),
          ...(example === undefined
            ? {}
            : { example: { title: example.title, arguments: exampleArguments(parameters, example) } })
        })
      }
    }),
    finder({
      name: 'call_surface',
      description: 'Asks any surface that `find_surfaces` finds.',
      readOnly: false,
      properties: { name: named, arguments: { type: 'object', description: 'As `describe_surface` says.' } },
      required: ['name'],
      call: async (args, context) => {
        const { arguments: passed = {} } = args
        return await callTool(toolFor(args, context), isObject(passed) ? passed : {}, context)
      }
    })
  ]
}

/** Tells whether a surface only reads, or only computes from its input. */
const onlyReads = ({ provenance, route: { methods } }: Tool['surface']): boolean =>
  provenance === 'computed' || methods.every(method => method === 'GET')

/**
 * Makes the MCP tool for a surface. Descriptions are short and examples are left out, because a model has the tool list
 * in its context all the time. Calls accept all arguments of `whole`.
 */
const toolOf = (name: string, shown: Tool, whole = shown): McpTool => ({
  name,
  description: shown.description,
  inputSchema: brief(argumentsOf(shown)),
  readOnly: onlyReads(shown.surface),
  ...notesOf(shown),
  call: (args, context) => callTool(whole, args, context)
})

/** Schema keywords left out of tool schemas: the surface checks them anyway, and `describe_surface` returns them. */
const leftOut = 'examples title $id pattern minLength maxLength minItems maxItems uniqueItems'.split(' ')

/**
 * Descriptions are shortened to the first number of characters. More than two levels deep, those longer than the second
 * number are left out.
 */
const [maxDescriptionLength, maxInnerDescriptionLength] = [160, 40]

function brief(schema: JsonSchema, depth = 0): JsonSchema {
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown)
    return isObject(value) ? brief(value, depth + 1) : value
  }
  const isOmitted = (name: string, value: unknown): boolean =>
    // An argument may have the name of such a keyword, but its value is an object.
    !isObject(value) &&
    (leftOut.includes(name) ||
      (depth > 2 &&
        (name === 'additionalProperties' ||
          (name === 'description' && typeof value === 'string' && value.length > maxInnerDescriptionLength))))
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !isOmitted(name, value))
      .map(([name, value]) => [
        name,
        name === 'description' && typeof value === 'string' ? shorten(value, maxDescriptionLength) : shown(value)
      ])
  )
}

export function mcpTools(registry: Registry, names: Readonly<Record<string, string>> = {}): readonly McpTool[] {
  const isReached = ({ surface }: Tool): boolean => isForAgents(surface, registry.service)
  const reached = toolsOf(registry).filter(isReached)
  const byId = new Map(reached.map(tool => [tool.surface.id, tool]))
  const core = selectTools(registry, { params: {}, query: { profile: 'core' } })
    .filter(isReached)
    .map(tool => toolOf(tool.name, tool, byId.get(tool.surface.id)))
  const named = Object.entries(names).map(
    ([name, id]) => [name, ensureDefined(byId.get(id), `surface ${id} of the tool ${name}`)] as const
  )
  const all = new Map([...reached.map(tool => [tool.name, tool] as const), ...named])
  return [
    ...core,
    ...named.map(([name, tool]) => toolOf(name, { ...tool, description: inShort(tool.surface, registry) })),
    ...finders(registry, all)
  ]
}
