import type { Caller } from '../../access/access.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../canonical/json.ts'
import { takesBody } from '../../discovery/parameters.ts'
import type { Tool } from '../../discovery/tool-catalogue.ts'
import { invalid } from '../../handler/errors.ts'
import { omitUndefined, type Ask } from '../../handler/handler.ts'
import { typesOf } from '../../schema/json-schema.ts'
import { parseStrictJson } from '../../source/strict-json.ts'
import type { Language } from '../../vocabulary/language.ts'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Tells whether a text may fit a schema, as far as its types say. */
function takesText(schema: JsonSchema): boolean {
  const types = typesOf(schema)
  if (types.length > 0) return types.includes('string')
  const parts = [schema['anyOf'], schema['oneOf']].flatMap(list => (list as readonly JsonSchema[] | undefined) ?? [])
  return parts.length === 0 || parts.some(takesText)
}

/**
 * Returns the value of an argument. Some clients send an object or a list as JSON text: it is parsed where the schema
 * takes no text. Throws a 400 error for a text that is not JSON.
 */
export function readArgument(name: string, value: JsonValue, schema: JsonSchema = {}): JsonValue {
  if (typeof value !== 'string' || takesText(schema)) return value
  const parsed = parseStrictJson(Buffer.from(value))
  if (!parsed.ok)
    throw invalid(name, `\`${name}\` takes no text, and its text cannot be read as JSON: ${parsed.message}`)
  return parsed.value
}

/**
 * Returns the arguments of `ask` for a call of a tool. Throws a 400 error for an unknown argument or a missing path
 * value; the surface checks the rest.
 */
function requestFor({ surface, parameters }: Tool, args: JsonObject): Parameters<Ask> {
  const { segments, methods } = surface.route
  const names = parameters.map(({ name }) => name)
  const unknown = Object.keys(args)
    .find(name => !names.includes(name))
    ?.slice(0, 80)
  if (unknown !== undefined) throw invalid(unknown, `There is no argument \`${unknown}\`.`, names)
  const valueAt = (place: string, parameter: string): JsonValue | undefined =>
    args[parameters.find(one => one.in === place && one.parameter === parameter)?.name ?? '']
  const path = segments
    .map(segment => {
      if ('literal' in segment) return `/${segment.literal}`
      const value = valueAt('path', segment.placeholder)
      if (value === undefined || value === '')
        throw invalid(segment.placeholder, `\`${segment.placeholder}\` is required.`)
      return `/${encodeURIComponent(textOf(value))}`
    })
    .join('')
  const pairs = parameters.flatMap((one): [string, string][] => {
    const value = one.in === 'query' ? args[one.name] : undefined
    return value === undefined || value === null ? [] : [[one.parameter, textOf(value)]]
  })
  const target = pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
  const sent = valueAt('body', 'body')
  const bodySchema = parameters.find(one => one.in === 'body')?.schema
  const body = sent === undefined ? undefined : readArgument('body', sent, bodySchema)
  const wanted = valueAt('method', 'method') ?? (body === undefined ? undefined : methods.find(takesBody)) ?? methods[0]
  const method = methods.find(one => one === wanted)
  if (method === undefined) throw invalid('method', 'This surface does not have that method.', methods)
  return method === 'GET' ? [target] : [target, omitUndefined({ method, body })]
}

/** The result of an MCP tool. `content` has the same as text, for models that cannot read `structuredContent`. */
export type ToolResult = Readonly<{
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}>

export const toolResult = (text: string, more: Omit<ToolResult, 'content'> = {}): ToolResult => ({
  content: [{ type: 'text', text }],
  ...more
})

export const structured = (value: Record<string, unknown>): ToolResult =>
  toolResult(textOf(value), { structuredContent: value })

/** `language`: that of the messages to the caller. */
export type ToolContext = Readonly<{ caller: Caller; ask: Ask; language: Language }>

/** Maximum bytes of an answer; a longer one is cut off, with a note. */
const maxAnswerBytes = 65_536

function cut(text: string, { messageOf }: Language): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxAnswerBytes) return text
  // With `stream`, the decoder omits a character that the cut splits.
  const whole = new TextDecoder().decode(bytes.subarray(0, maxAnswerBytes), { stream: true })
  const note = `[Cut off after ${maxAnswerBytes} of ${bytes.length} bytes. Ask for less, with \`limit\` or \`fields\`.]`
  return `${whole}\n${messageOf(note)}`
}

/**
 * Returns the data of an envelope with its license, sources and time, and the next page of a list, where there is one.
 * The rest of `_meta` is for programs.
 */
function withRights({ data = null, _meta: meta = null }: JsonObject, next: string | undefined): JsonObject {
  const { license = null, sources = null, as_of: asOf = null } = isObject(meta) ? meta : {}
  return { data, rights: { license, sources }, as_of: asOf, ...(next === undefined ? {} : { next_page: next }) }
}

const text = { type: 'string' } as const

/** Returns the schema of the structured content that `callTool` returns. */
export const outputSchemaOf = (tool: Tool, schema: JsonSchema): JsonSchema =>
  tool.surface.contract !== 'envelope'
    ? schema
    : {
        type: 'object',
        properties: {
          data: schema,
          rights: { type: 'object', properties: { license: text, sources: { type: 'array', items: text } } },
          as_of: text,
          next_page: {
            ...text,
            description:
              'Path and query of the next page; the parameters of the query are the arguments that give it. Absent on the last page.'
          }
        }
      }

/**
 * Calls the surface of a tool. Its answer contains text written by others, so an envelope is returned as JSON data
 * together with its license and sources.
 */
export async function callTool(tool: Tool, args: JsonObject, { ask, language }: ToolContext): Promise<ToolResult> {
  const request = requestFor(tool, args)
  const asked = await ask(...request)
  const unanswered = `No surface answers ${request[0]}.`
  if (asked === undefined) return toolResult(language.messageOf(unanswered), { isError: true })
  const { status, mediaType } = asked
  const body = mediaType === 'application/json' ? (JSON.parse(asked.body) as JsonValue) : null
  if (!isObject(body)) return toolResult(cut(asked.body, language), status >= 400 ? { isError: true } : {})
  if (status >= 400) return toolResult(textOf({ status, error: body['error'] ?? null }), { isError: true })
  const whole = asked.surface.contract === 'envelope' ? withRights(body, asked.next) : body
  const text = textOf(whole)
  const shown = cut(text, language)
  return toolResult(shown, shown === text ? { structuredContent: whole } : {})
}

/** A tool as `tools/list` describes it, with the function that runs it. */
export type McpTool = Readonly<{
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  readOnly: boolean
  notes?: JsonObject
  call: (args: JsonObject, context: ToolContext) => Promise<ToolResult>
}>

/** Returns notes on personal data and consent: a client may ask the user because of them before it calls the tool. */
export function notesOf({ surface: { carriesPii, requiresConsent } }: Tool): Readonly<{ notes?: JsonObject }> {
  const notes = { ...(carriesPii ? { carries_pii: true } : {}), ...(requiresConsent ? { requires_consent: true } : {}) }
  return Object.keys(notes).length === 0 ? {} : { notes }
}
