import { agent } from '../../access/agent.ts'
import { accessTable, admitsEveryone, type Access } from '../../access/index.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../canonical/json.ts'
import { inShort } from '../../discovery/describe.ts'
import { schemaFor } from '../../discovery/schema-for.ts'
import { argumentsOf, selectTools, toolsOf, type Tool } from '../../discovery/tool-catalogue.ts'
import { invalid } from '../../handler/errors.ts'
import type { Ask } from '../../handler/handler.ts'
import { known } from '../../manifest/context.ts'
import type { Registry } from '../../registry/registry.ts'
import { requestFor } from './request-for.ts'

/** What a tool of the protocol says. `text` is for models that read no structured content. */
export type Said = Readonly<{ text: string, structured?: Readonly<Record<string, unknown>>, isError?: true }>

/** A tool as the list has it, and what it does. */
export type McpTool = Readonly<{ name: string, description: string, inputSchema: JsonSchema, readOnly: boolean, notes?: JsonObject, call: (given: JsonObject, ask: Ask) => Promise<Said> }>

/** More of an answer is cut off, and the answer says so. */
const mostBytes = 65_536

const takesKey = (kind: Access, { service }: Registry): boolean => accessTable(service.access)[kind]?.credential?.name === agent.credential?.name

/** What a key may ask, and a program reads. */
const isCallable = (registry: Registry) => ({ surface }: Tool): boolean =>
  (admitsEveryone(surface.access) || surface.access.some(kind => takesKey(kind, registry))) && surface.formats[0] !== 'html' && surface.agent !== 'never'

const textOf = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value)

function cut (text: string): string {
  const bytes = Buffer.from(text)
  return bytes.length <= mostBytes ? text : `${bytes.subarray(0, mostBytes).toString()}\n[Cut off after ${mostBytes} of ${bytes.length} bytes. Ask for less, with \`limit\` or \`fields\`.]`
}

/** Of an envelope: the data, and what must be known to use it. The rest is for programs. */
function withRights ({ data = null, _meta: meta = null }: JsonObject): JsonObject {
  const { license = null, sources = null, as_of: asOf = null } = isObject(meta) ? meta : {}
  return { data, rights: { license, sources }, as_of: asOf }
}

/** Asks the surface of a tool. The data is what others wrote, and stays data: it is given as JSON, with whose it is. */
async function callTool (tool: Tool, given: JsonObject, ask: Ask): Promise<Said> {
  const { target, sent } = requestFor(tool, given)
  const asked = await ask(target, sent)
  if (asked === undefined) return { text: `No surface answers ${target}.`, isError: true }
  if (asked.mediaType !== 'application/json') return { text: cut(asked.body) }
  const body = JSON.parse(asked.body) as JsonValue
  if (!isObject(body)) return { text: cut(asked.body) }
  if (asked.status >= 400) return { text: textOf({ status: asked.status, error: body['error'] ?? null }), isError: true }
  const structured = asked.surface.contract === 'envelope' ? withRights(body) : body
  const text = cut(textOf(structured))
  return { text, ...(text.length <= mostBytes ? { structured } : {}) }
}

/** What a client may want to ask a person about first; nothing where there is nothing. */
function notesOf ({ surface: { carriesPii, requiresConsent } }: Tool): Readonly<{ notes?: JsonObject }> {
  const notes = { ...(carriesPii ? { carries_pii: true } : {}), ...(requiresConsent ? { requires_consent: true } : {}) }
  return Object.keys(notes).length === 0 ? {} : { notes }
}

/** A surface as a tool. Text in short, and the arguments without their examples: what is in front of a model all the time is short. */
const toolOf = (tool: Tool, name: string, registry: Registry): McpTool => ({
  name, description: inShort(tool.surface, registry), inputSchema: brief(argumentsOf(tool)), readOnly: tool.surface.route.methods.every(method => method === 'GET'),
  ...notesOf(tool),
  call: (given, ask) => callTool(tool, given, ask)
})

const core = (registry: Registry): readonly McpTool[] =>
  selectTools(registry, { params: {}, query: { profile: 'core' } }).filter(isCallable(registry)).map(tool => toolOf(tool, tool.name, registry))

/** Surfaces under names of their own, by id. */
function named (registry: Registry, names: Readonly<Record<string, string>>): readonly McpTool[] {
  const byId = new Map(toolsOf(registry).filter(isCallable(registry)).map(tool => [tool.surface.id, tool]))
  return Object.entries(names).map(([name, id]) => toolOf(known(byId.get(id), `surface ${id} of the tool ${name}`), name, registry))
}

/** What only helps to write documents, and inside of a body also what is checked anyway: `describe_surface` gives it. */
const leftOut: readonly string[] = ['examples', 'title', '$id']
const leftOutInside: readonly string[] = [...leftOut, 'description', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'additionalProperties']

/** A schema in short. */
function brief (schema: JsonSchema, depth = 0): JsonSchema {
  const shortened = (value: unknown): unknown => Array.isArray(value) ? value.map(shortened) : typeof value === 'object' && value !== null ? brief(value as JsonSchema, depth + 1) : value
  // An argument may be called like one of them, and is an object.
  const omitted = (name: string, value: unknown): boolean => (typeof value !== 'object' || Array.isArray(value)) && (depth > 2 ? leftOutInside : leftOut).includes(name)
  return Object.fromEntries(Object.entries(schema).filter(([name, value]) => !omitted(name, value)).map(([name, value]) => [name, shortened(value)]))
}

const textIn = (given: JsonObject, name: string): string => typeof given[name] === 'string' ? given[name] : ''

const text = (description: string): JsonSchema => ({ type: 'string', description })

function finders (registry: Registry): readonly McpTool[] {
  const all = new Map(toolsOf(registry).filter(isCallable(registry)).map(tool => [tool.name, tool]))
  const toolNamed = (given: JsonObject): Tool => {
    const name = textIn(given, 'name')
    const tool = all.get(name)
    if (tool === undefined) throw invalid('name', `There is no surface \`${name.slice(0, 80)}\`. \`find_surfaces\` finds them by what they do.`)
    return tool
  }
  return [
    {
      name: 'find_surfaces', description: 'Finds what else this service answers, by words of what it does.', readOnly: true,
      inputSchema: { type: 'object', properties: { q: text('Words, such as `status history`.'), limit: { type: 'integer', minimum: 1, maximum: 50 } }, required: ['q'], additionalProperties: false },
      call: given => {
        const { limit } = given
        const found = selectTools(registry, { params: {}, query: { q: textIn(given, 'q') } }).filter(isCallable(registry)).slice(0, typeof limit === 'number' ? limit : 10)
        const structured = { surfaces: found.map(tool => ({ name: tool.name, summary: tool.surface.summary })) }
        return Promise.resolve({ text: textOf(structured), structured })
      }
    },
    {
      name: 'describe_surface', description: 'The arguments and the answer of a surface, as JSON Schemas, with an example.', readOnly: true,
      inputSchema: { type: 'object', properties: { name: text('As `find_surfaces` names it.') }, required: ['name'], additionalProperties: false },
      call: given => {
        const tool = toolNamed(given)
        const structured = { name: tool.name, description: tool.description, ...notesOf(tool).notes, arguments: argumentsOf(tool), answer: schemaFor(registry.service, tool.surface.output) }
        return Promise.resolve({ text: cut(textOf(structured)), structured })
      }
    },
    {
      name: 'call_surface', description: 'Asks any surface that `find_surfaces` finds.', readOnly: false,
      inputSchema: { type: 'object', properties: { name: text('As `find_surfaces` names it.'), arguments: { type: 'object', description: 'As `describe_surface` says.' } }, required: ['name'], additionalProperties: false },
      call: (given, ask) => callTool(toolNamed(given), isObject(given['arguments'] ?? null) ? given['arguments'] as JsonObject : {}, ask)
    }
  ]
}

/** The tools: the core profile of the registry, those with names of their own, and three that reach every other surface. */
export const mcpTools = (registry: Registry, names: Readonly<Record<string, string>> = {}): readonly McpTool[] => [...core(registry), ...named(registry, names), ...finders(registry)]
