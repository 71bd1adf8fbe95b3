import type { Caller } from '../../access/access.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../canonical/json.ts'
import type { Tool } from '../../discovery/tool-catalogue.ts'
import type { Ask } from '../../handler/handler.ts'
import { requestFor } from './request-for.ts'

/** What a tool of the protocol says. `text` is for models that read no structured content. */
export type Said = Readonly<{ text: string; structured?: Readonly<Record<string, unknown>>; isError?: true }>

/** Who uses a tool, and how it asks surfaces for them. */
export type Asker = Readonly<{ caller: Caller; ask: Ask }>

/** More of an answer is cut off, and the answer says so. */
const mostBytes = 65_536

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const said = (structured: Readonly<Record<string, unknown>>): Said => ({ text: textOf(structured), structured })

function cut(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostBytes) return text
  // A letter that is cut in two is left out.
  const whole = new TextDecoder().decode(bytes.subarray(0, mostBytes), { stream: true })
  return `${whole}\n[Cut off after ${mostBytes} of ${bytes.length} bytes. Ask for less, with \`limit\` or \`fields\`.]`
}

/** Of an envelope: the data, and what must be known to use it. The rest is for programs. */
function withRights({ data = null, _meta: meta = null }: JsonObject): JsonObject {
  const { license = null, sources = null, as_of: asOf = null } = isObject(meta) ? meta : {}
  return { data, rights: { license, sources }, as_of: asOf }
}

const text = { type: 'string' } as const

/** What `callTool` gives of an answer with a schema. */
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

/** Asks the surface of a tool. The data is what others wrote, and stays data: it is given as JSON, with whose it is. */
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
