import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import { anonymous } from '../access/access.ts'
import { SurfaceError } from '../handler/errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { Answer, PlanRequest } from '../plan/request.ts'
import { createCallerHash } from './caller-hash.ts'
import type { Generation } from './generation.ts'
import { createRateWindow } from './rate-window.ts'
import { lingerAfter } from './linger.ts'
import { readJsonBody } from './read-body.ts'
import { requestId } from './request-id.ts'
import { answerUnclaimed } from './unclaimed.ts'

/** Called for every answer, after it was handed to the socket. `plan` is undefined where no surface claimed the request. */
export type Observer = (event: Readonly<{ request: PlanRequest, plan: Plan | undefined, status: number, startedAt: number }>) => void

export type SurfaceAppOptions = Readonly<{
  generation: Generation
  observe?: Observer
  /** False sends every request through the Koa middleware chain; the answers are the same. */
  direct?: boolean
}>

type Target = Readonly<{ path: string, search: string }>

/** Path and query of a request target in origin form or absolute form (RFC 9112 §3.2); an empty path is `/` (RFC 9110 §4.2.3). */
function targetOf (url: string): Target | undefined {
  const given = url.startsWith('/') ? url : /^https?:\/\/[^/?#]+((?:[/?].*)?)$/i.exec(url)?.[1]
  if (given === undefined) return undefined
  const origin = given.startsWith('/') ? given : `/${given}`
  const mark = origin.indexOf('?')
  return mark === -1 ? { path: origin, search: '' } : { path: origin.slice(0, mark), search: origin.slice(mark + 1) }
}

const noParams = Object.freeze({})

/**
 * Koa with an index in front: a request for a declared surface is answered from its plan before the middleware chain; everything
 * else, and with `direct: false` everything, takes the ordinary way through Koa and @koa/router.
 */
export class SurfaceApp extends Koa {
  /** Replaced as a whole by a reload; a request keeps the generation it began with. */
  generation: Generation
  /** While true, every answer asks the client to close its connection. */
  draining = false
  readonly #callerHash = createCallerHash()
  readonly #rate: ReturnType<typeof createRateWindow>
  readonly #observe: Observer | undefined
  readonly #direct: boolean

  constructor ({ generation, observe, direct = true }: SurfaceAppOptions) {
    super()
    this.generation = generation
    this.#observe = observe
    this.#direct = direct
    const { limit, window_seconds: windowSeconds } = generation.registry.service.rate_policy
    this.#rate = createRateWindow(limit, windowSeconds)
    this.use(async (ctx, next) => { await this.generation.route(ctx as never, next) })
    this.use(ctx => this.#answerInKoa(ctx))
  }

  override callback (): ReturnType<Koa['callback']> {
    const chain = super.callback()
    return (req, res) => this.#direct && this.#answerDirectly(req as IncomingMessage, res as ServerResponse) ? done : chain(req, res)
  }

  /** Answers a claimed request; false leaves it to the chain. */
  #answerDirectly (req: IncomingMessage, res: ServerResponse): boolean {
    const target = targetOf(req.url ?? '')
    if (target === undefined || refusal(req) !== undefined) return false
    const match = this.generation.index.find(req.method ?? '', target.path)
    if (match === undefined || !('value' in match)) return false
    const startedAt = performance.now()
    const request = this.#planRequest(req, res, target, match.params)
    const answer = match.value.answer(request)
    if (answer instanceof Promise) void answer.then(ready => { this.#send(req, res, request, ready, match.value, startedAt) })
    else this.#send(req, res, request, answer, match.value, startedAt)
    return true
  }

  #planRequest (req: IncomingMessage, res: ServerResponse, { path, search }: Target, params: Readonly<Record<string, string>>): PlanRequest {
    const now = new Date()
    const time = now.toISOString()
    return {
      method: req.method ?? '',
      path,
      search,
      params,
      headers: req.headers,
      requestId: requestId(),
      now,
      time,
      rate: this.#rate(req.socket, now.getTime()),
      caller: anonymous,
      callerHash: () => this.#callerHash(req.socket.remoteAddress, time.slice(0, 10)),
      readBody: limitBytes => readJsonBody(req, res, limitBytes)
    }
  }

  /** Writes an answer to the socket; a request whose body was not read to its end gives up its connection. */
  #send (req: IncomingMessage, res: ServerResponse, request: PlanRequest, answer: Answer, plan: Plan | undefined, startedAt: number): void {
    if (res.destroyed) return
    const unread = hasUnreadBody(req)
    if (unread) lingerAfter(req)
    const closes = (unread || this.draining) && !answer.headers.includes('Connection')
    const headers = closes ? [...answer.headers, 'Connection', 'close'] : answer.headers
    res.writeHead(answer.status, headers as string[])
    if (req.method === 'HEAD' || answer.body.length === 0) res.end()
    else res.end(answer.body, answer.encoding)
    this.#observe?.({ request, plan, status: answer.status, startedAt })
  }

  /** The ordinary way: the router has put the plan into the state, or there is none. */
  async #answerInKoa (ctx: Koa.Context): Promise<void> {
    const startedAt = performance.now()
    const { req, res } = ctx
    const target = targetOf(req.url ?? '') ?? { path: '/', search: '' }
    const match = this.generation.index.find(req.method ?? '', target.path)
    const plan = ctx.state.plan as Plan | undefined
    const params = match !== undefined && 'params' in match ? match.params : noParams
    const request = this.#planRequest(req, res, target, params)
    const answer = await this.#answerOrdinary(req, request, plan, match)
    ctx.respond = false
    this.#send(req, res, request, answer, plan, startedAt)
  }

  #answerOrdinary (req: IncomingMessage, request: PlanRequest, plan: Plan | undefined, match: ReturnType<Generation['index']['find']>): Answer | Promise<Answer> {
    const refused = refusal(req) ?? (targetOf(req.url ?? '') === undefined && !(req.url === '*' && request.method === 'OPTIONS') ? 'The request target is not a path.' : undefined)
    if (refused !== undefined) return this.generation.context.failure.ofError(new SurfaceError('INVALID_INPUT', refused, { headers: { Connection: 'close' } }), request)
    if (match !== undefined && 'malformed' in match) return this.generation.context.failure.ofError(new SurfaceError('INVALID_INPUT', match.malformed, { details: { in: 'path' } }), request)
    if (plan !== undefined && match !== undefined && 'value' in match) return plan.answer(request)
    return answerUnclaimed(this.generation, request, match !== undefined && 'allowed' in match ? match.allowed : undefined)
  }
}

const done = Promise.resolve()

/** The most header fields a request may have. */
export const mostHeaders = 100

// RFC 3986 §3.2.2 and §3.2.3, without the comma: Node joins two fields with it. Empty where the target has no authority.
const hostForm = /^[\w.\-~%!$&'()*+;=:[\]]*$/

const hasUnreadBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0'))

/** What no request of HTTP/1.1 may do; RFC 9112 §3.2 on `Host`, RFC 9110 §10.1.1 on `Expect`. */
function refusal (req: IncomingMessage): string | undefined {
  const { host, expect } = req.headers
  if (req.httpVersionMajor !== 1) return 'This connection speaks HTTP/1.1.'
  if (host === undefined ? req.httpVersionMinor > 0 : !hostForm.test(host)) return 'A request names exactly one host.'
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return 'The only expectation met here is `100-continue`.'
  if (req.rawHeaders.length > 2 * mostHeaders) return `A request has at most ${mostHeaders} header fields.`
  return undefined
}
