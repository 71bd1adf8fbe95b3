import type { Caller } from '../../access/access.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../canonical/json.ts'
import { takesBody } from '../../discovery/parameters.ts'
import type { Tool } from '../../discovery/tool-catalogue.ts'
import { invalid } from '../../handler/errors.ts'
import type { Ask } from '../../handler/handler.ts'

type Sent = Readonly<{ method: 'POST'; body: JsonValue }>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Returns the HTTP request for a tool call. Throws a 400 error for an unknown argument or a missing path value; the
 * surface checks the rest.
 */
function requestFor({ surface, parameters }: Tool, given: JsonObject): Readonly<{ target: string; sent?: Sent }> {
  const names = parameters.map(({ name }) => name)
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown !== undefined)
    throw invalid(unknown.slice(0, 80), `There is no argument \`${unknown.slice(0, 80)}\`.`, names)
  const valueAt = (place: string, wanted: string): JsonValue | undefined =>
    given[parameters.find(one => one.in === place && one.parameter === wanted)?.name ?? '']
  const path = surface.route.segments
    .map(segment => {
      if ('literal' in segment) return `/${segment.literal}`
      const value = valueAt('path', segment.placeholder)
      if (value === undefined || value === '')
        throw invalid(segment.placeholder, `\`${segment.placeholder}\` is required.`)
      return `/${encodeURIComponent(textOf(value))}`
    })
    .join('')
  const pairs = parameters.flatMap((one): [string, string][] => {
    const value = one.in === 'query' ? given[one.name] : undefined
    return value === undefined || value === null ? [] : [[one.parameter, textOf(value)]]
  })
  const target = pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
  const body = valueAt('body', 'body')
  const isSent =
    surface.route.methods.every(takesBody) || (body !== undefined && surface.route.methods.includes('POST'))
  return isSent ? { target, sent: { method: 'POST', body: body ?? null } } : { target }
}

/** The result of an MCP tool. `text` is for models that cannot read structured content. */
export type Said = Readonly<{ text: string; structured?: Readonly<Record<string, unknown>>; isError?: true }>

/** The caller who uses a tool, and the function that sends requests to surfaces on the caller's behalf. */
export type Asker = Readonly<{ caller: Caller; ask: Ask }>

/** Longer answers are cut off at this size, with a note. */
const mostBytes = 65_536

export const said = (structured: Readonly<Record<string, unknown>>): Said => ({ text: textOf(structured), structured })

function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostBytes) return text
  // With `stream`, the decoder omits a character that the cut splits.
  const whole = new TextDecoder().decode(bytes.subarray(0, mostBytes), { stream: true })
  return `${whole}\n[Cut off after ${mostBytes} of ${bytes.length} bytes. Ask for less, with \`limit\` or \`fields\`.]`
}

/** Reduces an envelope to its data, its rights and its time. The rest of `_meta` is for programs. */
function withRights({ data = null, _meta: meta = null }: JsonObject): JsonObject {
  const { license = null, sources = null, as_of: asOf = null } = isObject(meta) ? meta : {}
  return { data, rights: { license, sources }, as_of: asOf }
}

const text = { type: 'string' } as const

/** Returns the schema of what `callTool` returns for an answer with the given schema. */
export const givenSchema = (tool: Tool, schema: JsonSchema): JsonSchema =>
  tool.surface.contract !== 'envelope'
    ? schema
    : {
        type: 'object',
        properties: {
          data: schema,
          rights: { type: 'object', properties: { license: text, sources: { type: 'array', items: text } } },
          as_of: text
        }
      }

/**
 * Sends the request of a tool to its surface. The answer contains text written by others, so it is returned as JSON
 * data together with its license and sources.
 */
export async function callTool(tool: Tool, given: JsonObject, { ask }: Asker): Promise<Said> {
  const { target, sent } = requestFor(tool, given)
  const asked = await ask(target, sent)
  if (asked === undefined) return { text: `No surface answers ${target}.`, isError: true }
  if (asked.mediaType !== 'application/json') return { text: cut(asked.body) }
  const body = JSON.parse(asked.body) as JsonValue
  if (!isObject(body)) return { text: cut(asked.body) }
  if (asked.status >= 400)
    return { text: textOf({ status: asked.status, error: body['error'] ?? null }), isError: true }
  const whole = said(asked.surface.contract === 'envelope' ? withRights(body) : body)
  const shown = cut(whole.text)
  return shown === whole.text ? whole : { text: shown }
}

/** A tool as `tools/list` describes it, with the function that runs it. */
export type McpTool = Readonly<{
  name: string
  description: string
  inputSchema: JsonSchema
  outputSchema?: JsonSchema
  readOnly: boolean
  notes?: JsonObject
  call: (given: JsonObject, asker: Asker) => Promise<Said>
}>

/**
 * Returns notes about personal data and consent, for which a client may ask the user first; no `notes` if neither
 * applies.
 */
export function notesOf({ surface: { carriesPii, requiresConsent } }: Tool): Readonly<{ notes?: JsonObject }> {
  const notes = { ...(carriesPii ? { carries_pii: true } : {}), ...(requiresConsent ? { requires_consent: true } : {}) }
  return Object.keys(notes).length === 0 ? {} : { notes }
}
