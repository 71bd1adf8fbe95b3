import { isLocal } from '../../access/access.ts'
import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import { urlOf } from '../../canonical/url.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { Service } from '../../manifest/service.ts'
import { compilePreferred } from '../../plan/choose.ts'
import { keyOrigins } from '../../plan/cross-origin.ts'
import type { Result } from '../../plan/kind.ts'
import type { PlanRequest } from '../../plan/request.ts'
import { inLanguage } from '../../registry/languages.ts'
import type { Language } from '../../vocabulary/language.ts'
import { contracts } from '../../vocabulary/words.ts'
import { defineKind } from '../kind.ts'
import { defaultPath, withoutPlaceholders } from '../scaffold.ts'
import { checkMcp, fields, type McpAnswer, type McpManifest } from './manifest.ts'
import type { createEndpoint } from './server.ts'

const hostOf = (url: string): string | undefined => urlOf(url)?.hostname

/**
 * Throws 403 for a request from a page of another site that `cors` of `service.yaml` does not list, or to a foreign
 * host name: with such a name (DNS rebinding), a page can make a browser send requests to a loopback address (MCP
 * 2026-07-28, Streamable HTTP, "Security & Endpoint Binding").
 */
function checkOrigin({ headers }: PlanRequest, service: Service): void {
  const { base_url: baseUrl } = service
  const own = hostOf(baseUrl)
  const isOwn = (origin: string): boolean =>
    own !== undefined && (hostOf(origin) === own || (isLocal(origin) && isLocal(baseUrl)))
  const [origin, host] = [headers['origin'], headers['host']]
  if (typeof host === 'string' && !isOwn(`http://${host}`))
    throw new SurfaceError('FORBIDDEN', 'This endpoint is not served under that host name.', { details: { host } })
  if (origin !== undefined && !isOwn(String(origin)) && !keyOrigins(service).has(String(origin)))
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

/** Returns the answer to what is no message (JSON-RPC 2.0 §5.1); `id` is null where the message has none. */
const problem = (code: number, message: string, id: JsonValue = null): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code, message }
})

const invalidRequest = -32_600
const refuse = (message: string): Result => ({ status: 400, data: problem(invalidRequest, message) })

/** Returns an answer whose errors are in a language. */
function spoken({ data, ...result }: Result, { messageOf }: Language): Result {
  const speak = (answer: JsonValue): JsonValue => {
    if (!isObject(answer) || !isObject(answer['error'])) return answer
    const { message, ...error } = answer['error']
    return {
      ...answer,
      error: { ...error, message: typeof message === 'string' ? messageOf(message) : (message ?? null) }
    }
  }
  return { ...result, data: Array.isArray(data) ? data.map(speak) : speak(data) }
}

/** Answers a body that is not JSON, and one that is neither an object nor a list. */
function refused({ code, message, details = {} }: SurfaceError): Result | undefined {
  if (code !== 'INVALID_INPUT' || details['in'] !== 'body') return undefined
  return 'offset' in details
    ? { status: 400, data: problem(-32_700, `The body cannot be read as JSON: ${message}`) }
    : refuse('A message is a JSON object, and several messages are a list of them.')
}

/** The last version of the protocol that has lists of messages. */
const lastVersionWithLists = '2025-03-26'
/** Maximum number of messages of a list. */
const maxMessages = 20

const nothing: Result = { status: 202, data: null, file: { mediaType: 'application/json', text: '' } }

/** Answers the messages of a list one after the other (JSON-RPC 2.0 §6); notifications have no answer. */
async function answerEach(
  messages: readonly JsonValue[],
  version: PlanRequest['headers'][string],
  answer: (message: JsonObject) => Promise<Result>
): Promise<Result> {
  if (typeof version === 'string' && version > lastVersionWithLists)
    return refuse(`Version ${version.slice(0, 20)} of the protocol has no lists of messages: send one message.`)
  if (messages.length === 0 || messages.length > maxMessages)
    return refuse(`A list has 1 to ${maxMessages} messages, but this one has ${messages.length}.`)
  const answers: JsonValue[] = []
  for (const message of messages) {
    if (!isObject(message)) answers.push(problem(invalidRequest, 'A message is a JSON object.'))
    else if (message['method'] === 'initialize')
      answers.push(problem(invalidRequest, '`initialize` is sent alone, not in a list.', message['id']))
    else {
      const { data } = await answer(message)
      if (data !== null) answers.push(data)
    }
  }
  return answers.length === 0 ? nothing : { status: 200, data: answers }
}

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
    body: {
      schema: {
        type: ['object', 'array'],
        items: {},
        description: 'A message of JSON-RPC 2.0, as the protocol has it; or a list of them, until version 2025-03-26.'
      },
      limitBytes
    }
  }),
  output: () => ({
    type: ['object', 'array'],
    items: {},
    description: 'A message of JSON-RPC 2.0, or a list of them; none for a notification.'
  }),
  answer: ({ manifest: { instructions, tools = {}, resources = {}, prompts = {} } }) => ({
    instructions,
    tools,
    resources,
    prompts
  }),
  facts: ({ tools, resources }) => ({ containsSelf: true, offers: { tools, resources } }),
  compile: ({ answer }, { registry, ask }) => {
    const preferred = compilePreferred(registry.service.languages)
    const languageOf = (request: PlanRequest): Language => inLanguage(registry, preferred(request)).language
    let endpoint: Promise<ReturnType<typeof createEndpoint>> | undefined
    return {
      when: 'live',
      refused: (error, request) => {
        const result = refused(error)
        return result && spoken(result, languageOf(request))
      },
      answer: async ({ body = null }, request) => {
        checkOrigin(request, registry.service)
        const language = languageOf(request)
        const isAsked = registry.service.languages.length > 1 && request.headers['accept-language'] !== undefined
        const asking = isAsked ? { ...request, language: language.tag } : request
        const answerOne = async (message: JsonObject): Promise<Result> => {
          const { method, id = null } = message
          // The method `subscriptions/listen` asks for a stream of notifications.
          if (method === 'subscriptions/listen') {
            const sentence = 'Nothing is sent without being asked: there is no stream to listen to.'
            return { status: 200, data: problem(-32_601, sentence, id) }
          }
          // The first message loads the MCP library.
          endpoint ??= import('./server.ts')
            .then(loaded => loaded.createEndpoint(registry, answer))
            .catch((error: unknown) => {
              endpoint = undefined
              throw error
            })
          const { caller } = request
          const context = { caller, ask: ask(asking), language }
          const response = await (await endpoint)(message, headersOf(request), context)
          const [status, text] = [response.status, await response.text()]
          return text === '' ? { ...nothing, status } : { status, data: JSON.parse(text) as JsonValue }
        }
        const answered = isObject(body)
          ? await answerOne(body)
          : await answerEach(body as readonly JsonValue[], request.headers['mcp-protocol-version'], answerOne)
        return spoken(answered, language)
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
