import type { Caller } from '../../access/access.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../canonical/json.ts'
import type { Tool } from '../../discovery/tool-catalogue.ts'
import type { Ask } from '../../handler/handler.ts'
import { requestFor } from './request-for.ts'

/** The result of an MCP tool. `text` is for models that cannot read structured content. */
export type Said = Readonly<{ text: string; structured?: Readonly<Record<string, unknown>>; isError?: true }>

/** The caller who uses a tool, and the function that sends requests to surfaces on the caller's behalf. */
export type Asker = Readonly<{ caller: Caller; ask: Ask }>

/** Longer answers are cut off at this size, with a note. */
const mostBytes = 65_536

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

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
