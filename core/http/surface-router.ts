import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Router from '@koa/router'
import type Koa from 'koa'
import { anonymous, type Counted } from '../access/access.ts'
import type { JsonValue } from '../canonical/json.ts'
import { SurfaceError } from '../handler/errors.ts'
import { limitsWrites } from '../manifest/service-defaults.ts'
import { parsePairs } from '../plan/dispatch.ts'
import { withOriginFields } from '../plan/cross-origin.ts'
import { dispatch, type Generation, type UnroutedRequest } from '../plan/generation.ts'
import { defaultDeadline } from '../plan/deadline.ts'
import { checkFormType, closing } from '../plan/read.ts'
import { Waiting, type Answer } from '../plan/request.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { formType, jsonType } from '../vocabulary/words.ts'
import { createRateWindow, hasUnreadBody, readArrival, requestId, type Arrival } from './arrival.ts'
import { createCallerHash, type CallerSalt, type ClientAddress } from './client.ts'
import {
  bodyOf,
  checkType,
  contentOf,
  lingerAfter,
  sendStream,
  throttleReading,
  sendWhole,
  setFields
} from './connection.ts'
import { LateHook, letGo, whenStill, type Hooks, type Observer } from './hooks.ts'
import { admit, createQueues, type Admitted, type QueueOf } from './work.ts'

export type SurfaceRouterOptions = Readonly<{
  generation: Generation
  observers?: readonly Observer[]
  before?: Hooks['before']
  /** Seconds after which an answer that `before` has taken over, and where nothing moves, is ended. Default: 30. */
  beforeSeconds?: number
  /** The first salt for the hashes of callers, shared by all processes that write one log. Default: random. */
  callerSalt?: CallerSalt
  /** Returns the address of the client. Default: the remote address of the connection. */
  clientAddress?: ClientAddress | undefined
  queueOf?: QueueOf
}>

const nobody = new Socket()

type Middleware = ReturnType<Router['middleware']>
type Handled = Admitted & Readonly<{ request: UnroutedRequest }>

/**
 * A router that serves the surfaces of a generation in a Koa application. Requests that no surface matches go on to the
 * next middleware. Routes that are added to the router come after the surfaces.
 */
export class SurfaceRouter extends Router {
  /** The generation for requests that begin now; a request keeps the one that it began with. */
  generation: Generation
  /** While true, every answer asks the client to close its connection. */
  draining = false
  readonly #callerHash: ReturnType<typeof createCallerHash>
  readonly #rate = createRateWindow()
  readonly #known = Symbol('arrival')
  readonly #observers: readonly Observer[]
  readonly #before: Hooks['before']
  readonly #beforeSeconds: number
  readonly #clientAddress: ClientAddress | undefined
  readonly #queueOf: QueueOf

  constructor({
    generation,
    observers = [],
    before,
    beforeSeconds = defaultDeadline,
    callerSalt,
    clientAddress,
    queueOf = createQueues()
  }: SurfaceRouterOptions) {
    super()
    this.generation = generation
    this.#observers = observers
    this.#before = before
    this.#beforeSeconds = beforeSeconds
    this.#callerHash = createCallerHash(callerSalt)
    this.#clientAddress = clientAddress
    this.#queueOf = queueOf
  }

  /**
   * Returns the arrival of a Koa request, read again if middleware has changed the URL or method, or the generation was
   * replaced.
   */
  #arrivalOf(ctx: Koa.Context): Arrival {
    const { req } = ctx
    const known = ctx[this.#known] as Arrival | undefined
    if (known?.url === req.url && known?.method === req.method && known?.generation === this.generation) return known
    return (ctx[this.#known] = readArrival(this.generation, req))
  }

  override middleware(): Middleware {
    const others = super.middleware()
    return (ctx, next) => {
      const arrival = this.#arrivalOf(ctx)
      return arrival.route !== undefined && 'value' in arrival.route
        ? this.#answerIn(ctx, arrival)
        : (others(ctx, next) as Promise<void>)
    }
  }

  override allowedMethods(options: Parameters<Router['allowedMethods']>[0] = {}): ReturnType<Router['allowedMethods']> {
    const others = super.allowedMethods(options)
    return async (ctx, next) => {
      await others(ctx, next)
      if (ctx.status !== 404 || ctx.body != null) return
      const arrival = this.#arrivalOf(ctx)
      if (arrival.route !== undefined && 'allowed' in arrival.route) await this.#answerIn(ctx, arrival)
    }
  }

  /**
   * Returns middleware that reads bodies in JSON or `application/x-www-form-urlencoded` into `ctx.request.body`, for
   * routes of the application; bodies for surfaces are left unread. Use it before `routes()`. Throws a RangeError if
   * `limitBytes` is not a whole number of bytes.
   */
  bodies({ limitBytes = 1_048_576 }: Readonly<{ limitBytes?: number }> = {}): Middleware {
    if (!Number.isSafeInteger(limitBytes) || limitBytes < 0)
      throw new RangeError(`\`limitBytes\` is ${limitBytes}, but must be a whole number of bytes.`)
    return async (ctx, next) => {
      const { route } = this.#arrivalOf(ctx)
      const isClaimed = route !== undefined && 'value' in route
      Object.assign(ctx.request, isClaimed ? undefined : await ownBody(ctx, limitBytes))
      await next()
    }
  }

  /** Returns middleware that answers every request that reaches it as the server of Pantry does. */
  unclaimed(): Middleware {
    return ctx => this.#answerIn(ctx, this.#arrivalOf(ctx))
  }

  /** Answers a request of a bare HTTP server. */
  answer(req: IncomingMessage, res: ServerResponse): void {
    const startedAt = performance.now()
    const handled = this.#handle(req, res, readArrival(this.generation, req), startedAt)
    if (handled === true) return
    if (handled.answer instanceof Promise)
      void handled.answer.then(answer => {
        this.#send(req, res, handled, answer, startedAt)
      })
    else this.#send(req, res, handled, handled.answer, startedAt)
  }

  /**
   * Runs the hook `before`. Returns true if it has answered or will answer, the failure if it threw, else `undefined`.
   */
  #runBefore(
    req: IncomingMessage,
    res: ServerResponse,
    arrival: Arrival,
    startedAt: number
  ): true | Handled | undefined {
    if (this.#before === undefined) return undefined
    // Koa sets the status to 404 at first.
    res.statusCode = 200
    if (this.draining) res.shouldKeepAlive = false
    const requestOf = (): UnroutedRequest => this.#requestOf(req, res, arrival).request
    try {
      if (this.#before(req, res) !== true && !res.headersSent) return undefined
    } catch (error) {
      const request = requestOf()
      const answer = this.generation.failure.ofError(error, { ...request, params: {} })
      if (!res.headersSent) return { request, surface: undefined, answer }
      res.end()
    }
    res.once('close', () => {
      this.#observe({ request: requestOf(), surface: undefined, status: res.statusCode, startedAt })
    })
    whenStill(res, this.#beforeSeconds, () => {
      this.#endLate(res, requestOf())
    })
    return true
  }

  /** Ends an answer that the hook `before` has taken over and left. */
  #endLate(res: ServerResponse, request: UnroutedRequest): void {
    const seconds = this.#beforeSeconds
    const { failure } = this.generation
    const { status, head, body, encoding } = failure.ofLate(new LateHook(seconds), seconds, { ...request, params: {} })
    if (res.headersSent) res.destroy()
    else {
      res.shouldKeepAlive = false
      setFields(res, head)
      res.writeHead(status).end(body, encoding)
      letGo(res)
    }
  }

  #observe(answered: Parameters<Observer>[0]): void {
    for (const observe of this.#observers) observe(answered)
  }

  /** Observes an answer now or, if it is sent while it is made, when all of it was sent or the connection has ended. */
  #observeSent(res: ServerResponse, answered: Parameters<Observer>[0], { stream }: Answer): void {
    if (stream === undefined || res.destroyed) this.#observe(answered)
    else
      res.once('close', () => {
        this.#observe(answered)
      })
  }

  #requestOf(
    req: IncomingMessage,
    res: ServerResponse,
    { method, target }: Arrival,
    koaRequest?: object
  ): Readonly<{ request: UnroutedRequest; address: string | undefined }> {
    const now = new Date()
    // `req.socket` is null after a middleware has destroyed the request; `res.socket` is there while the client is
    // connected.
    const socket = (req.socket as Socket | null) ?? res.socket ?? nobody
    const client = this.#clientAddress?.(socket.remoteAddress, req.headers['x-forwarded-for'])
    const address = client ?? socket.remoteAddress
    const time = now.toISOString()
    const { service } = this.generation.registry
    const isEnforced = limitsWrites(service)
    const count = (isCounted: boolean): Counted =>
      this.#rate(socket, now.getTime(), service.rate_policy, client, isCounted)
    const request: UnroutedRequest = {
      method,
      path: target.path,
      search: target.search,
      headers: req.headers,
      requestId: requestId(),
      now,
      time,
      rate: count(!isEnforced),
      ...(isEnforced ? { countWrite: () => count(true) } : {}),
      caller: anonymous,
      callerHash: () => this.#callerHash(address, time.slice(0, 10)),
      waiting: new Waiting(left => {
        res.once('close', () => {
          if (!res.writableFinished) left()
        })
      }),
      ...bodyOf(req, res, koaRequest)
    }
    return { request, address }
  }

  /** Dispatches a request, or refuses it. Returns true if the hook `before` has answered or will answer. */
  #handle(
    req: IncomingMessage,
    res: ServerResponse,
    arrival: Arrival,
    startedAt: number,
    koaRequest?: object
  ): true | Handled {
    const early = this.#runBefore(req, res, arrival, startedAt)
    if (early !== undefined) return early
    const { generation } = this
    const { refused, route } = arrival
    const { request, address } = this.#requestOf(req, res, arrival, koaRequest)
    if (refused !== undefined) {
      const error = new SurfaceError('INVALID_INPUT', refused, closing)
      return { request, surface: undefined, answer: generation.failure.ofError(error, { ...request, params: {} }) }
    }
    const isQueued = route !== undefined && 'value' in route && route.value.usesStores
    const found = isQueued
      ? admit(this.#queueOf, generation, request, route, address ?? '')
      : dispatch(generation, request, route)
    return { request, ...found }
  }

  #prepare(req: IncomingMessage, res: ServerResponse, { wasOverloaded }: Handled, { closes }: Answer): void {
    if (wasOverloaded?.() === true) throttleReading(res)
    const unread = hasUnreadBody(req)
    if (unread) lingerAfter(req)
    if (unread || closes === true || this.draining) res.shouldKeepAlive = false
  }

  #send(req: IncomingMessage, res: ServerResponse, handled: Handled, made: Answer, startedAt: number): void {
    if (res.destroyed) {
      made.stream?.destroy()
      return
    }
    const { request, surface } = handled
    const { service } = this.generation.registry
    const answer = surface === undefined ? made : withOriginFields(made, request, surface, service)
    this.#prepare(req, res, handled, answer)
    if (answer.stream !== undefined) sendStream(res, answer, answer.stream)
    else if (!sendWhole(req, res, answer, request.now)) {
      setFields(res, answer.head)
      res.writeHead(answer.status)
      if (req.method === 'HEAD' || answer.body.length === 0) res.end()
      else res.end(answer.body, answer.encoding)
    }
    this.#observeSent(res, { request, surface, status: answer.status, startedAt }, answer)
  }

  /** Sets the answer on the Koa context. */
  async #answerIn(ctx: Koa.Context, arrival: Arrival): Promise<void> {
    const startedAt = performance.now()
    const { req, res } = ctx
    const handled = this.#handle(req, res, arrival, startedAt, ctx.request)
    if (handled === true) {
      ctx.respond = false
      return
    }
    const { request, surface } = handled
    const answer = await handled.answer
    this.#prepare(req, res, handled, answer)
    const sent = setFields(res, answer.head)
    ctx.status = answer.status
    if (res.destroyed) answer.stream?.destroy()
    ctx.body = answer.stream ?? (answer.status === 204 || answer.status === 304 ? null : contentOf(answer))
    // Koa sets a guessed Content-Type, even for an empty body.
    if (!sent.has('Content-Type')) ctx.remove('Content-Type')
    this.#observeSent(res, { request, surface, status: answer.status, startedAt }, answer)
  }
}

const invalid = (message: string): SurfaceError => new SurfaceError('INVALID_INPUT', message)

type Fields = Readonly<Record<string, string | readonly string[]>>

/** Returns the fields of a form; the value of a field that was sent several times is a list. */
function formFields(bytes: Uint8Array): Fields {
  const parsed = parsePairs(Buffer.from(bytes).toString('latin1'), 'form')
  if (!parsed.ok) throw invalid(parsed.message)
  return Object.fromEntries(
    [...parsed.values].map(([name, [first = '', ...more]]) => [name, more.length === 0 ? first : [first, ...more]])
  )
}

function jsonValue(bytes: Uint8Array): JsonValue {
  const parsed = parseStrictJson(bytes)
  if (!parsed.ok) throw invalid(parsed.message)
  return parsed.value
}

type OwnBody = Readonly<{ rawBody: Uint8Array; body: JsonValue | Fields }>

/**
 * Reads the body of a request to the surrounding application: strict JSON or the fields of a form. Resolves to
 * undefined for other types, for an empty body and for one that was read before. Throws as `ctx.throw` does.
 */
async function ownBody(ctx: Koa.Context, limitBytes: number): Promise<OwnBody | undefined> {
  const { req, res } = ctx
  const type = [jsonType, formType].find(name => ctx.is(name) === name)
  if (type === undefined || req.readableDidRead || req.headers['content-length'] === '0') return undefined
  try {
    if (type === jsonType) checkType(req)
    else checkFormType(req.headers)
    const sent = await bodyOf(req, res).readForm(limitBytes, () => 0)
    const rawBody = 'pairs' in sent ? sent.pairs : new Uint8Array()
    return { rawBody, body: type === jsonType ? jsonValue(rawBody) : formFields(rawBody) }
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error
    // Close the connection here: code that catches the error may drop its headers.
    res.shouldKeepAlive = false
    lingerAfter(req)
    const { status, message, code, details, headers } = error
    return ctx.throw(status ?? 400, message, { code, details, headers })
  }
}
