import {
  createServer,
  Server as HttpServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import Koa from 'koa'
import type { Logger } from 'pino'
import { basePathOf } from '../canonical/url.ts'
import type { SubsystemState } from '../discovery/define.ts'
import { overall } from '../discovery/health.ts'
import type { Generation } from '../plan/generation.ts'
import { commonFields, writeField, writeFields, noStore } from '../plan/head.ts'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import { diagnosticPath } from '../vocabulary/words.ts'
import { maxHeaderFields, requestId } from './arrival.ts'
import { closeSoon } from './connection.ts'
import type { Observer } from './hooks.ts'
import { metricsType, type Metrics } from './metrics.ts'
import { SurfaceRouter, type SurfaceRouterOptions } from './surface-router.ts'

type SurfaceAppOptions = SurfaceRouterOptions &
  /** If `direct` is false, every request goes through the Koa middleware chain; the answers are the same. */
  Readonly<{ direct?: boolean }>

const done = Promise.resolve()

/**
 * A Koa application that serves only surfaces. Without other middleware and routes, requests are answered without a Koa
 * context.
 */
export class SurfaceApp extends Koa {
  readonly router: SurfaceRouter
  readonly #direct: boolean

  constructor({ direct = true, ...options }: SurfaceAppOptions) {
    super()
    this.router = new SurfaceRouter(options)
    this.#direct = direct
  }

  get generation(): Generation {
    return this.router.generation
  }
  set generation(generation: Generation) {
    this.router.generation = generation
  }
  get draining(): boolean {
    return this.router.draining
  }
  set draining(draining: boolean) {
    this.router.draining = draining
  }

  override callback(): ReturnType<Koa['callback']> {
    const isPlain = this.middleware.length === 0 && this.router.stack.length === 0
    this.use(this.router.routes() as Koa.Middleware).use(this.router.unclaimed() as Koa.Middleware)
    if (!this.#direct || !isPlain) return super.callback()
    return (req, res) => {
      this.router.answer(req as IncomingMessage, res as ServerResponse)
      return done
    }
  }
}

/**
 * Default limits, in milliseconds; `maxHeaderSize` in bytes. `idleTimeout` also ends a connection whose client does not
 * read its answer.
 */
const defaults = {
  idleTimeout: 60_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384
} as const

export type ServerLimits = Readonly<{ [Name in keyof typeof defaults]: number }>

type Refusal = Readonly<{ status: number; message: string; code?: ErrorCode; headers?: Readonly<{ Allow: string }> }>

const malformed: Refusal = { status: 400, message: 'The request is not valid HTTP/1.1.' }
const tunnel: Refusal = {
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: 'This server opens no tunnels.',
  headers: { Allow: 'GET, HEAD, OPTIONS' }
}
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_URL: {
    status: 400,
    message: 'The address has a character that must be percent-encoded, such as `%E3%83%AB` for `ル`.'
  },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The header section is too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' }
}

/**
 * Sends a refusal of a request that Node does not pass on, in the error shape of the service, and closes the
 * connection.
 */
function refuse(
  { generation }: SurfaceApp,
  socket: Duplex,
  { status, message, code = 'INVALID_INPUT', headers }: Refusal,
  hasBody = true
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { service, language } = generation.registry
  const { base_url: base } = service
  const body = JSON.stringify({
    error: { code, status, message: language.messageOf(message), docs: `${basePathOf(base)}${diagnosticPath}#${code}` }
  })
  const type = 'application/json; charset=utf-8'
  const head =
    writeField('Content-Type', type) +
    commonFields(service, type) +
    writeFields({
      ...headers,
      'X-Request-Id': requestId(),
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': noStore,
      Connection: 'close'
    })
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${hasBody ? body : ''}`)
  // Node sets no timeout for a connection whose input it could not parse or that asked for a tunnel.
  closeSoon(socket)
}

/** Tells whether further requests on the connection get no answer, because this answer ends it (RFC 9112 §9.6). */
const isOver = (answer: ServerResponse): boolean =>
  answer.writableEnded && (!answer.shouldKeepAlive || !answer.req.complete)

type ServerHooks = Readonly<{
  /** Returns the state for `/livez` and `/readyz`. Without it, these paths are treated like any other. */
  probes?: () => ProbeState
  /** Runs `answer` for all other requests, such as within a trace span. */
  around?: ((req: IncomingMessage, res: ServerResponse, answer: () => void) => void) | undefined
}>

/** Creates an HTTP/1.1 server for an app. The app sends 100 Continue only when it reads the body. */
export function createSurfaceServer(
  app: SurfaceApp,
  { probes, around }: ServerHooks = {},
  limits: Partial<ServerLimits> = {}
): Server {
  const listener = app.callback()
  /** The last answer begun on each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>()
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    answers.set(req.socket, res)
    // Node drops what follows a request with `Upgrade` (RFC 9110 §7.8, RFC 9112 §9.3.1).
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    if (probes !== undefined && answerProbe(req, res, probes)) return
    if (around === undefined) void listener(req, res)
    else
      around(req, res, () => {
        void listener(req, res)
      })
  }
  const { idleTimeout, ...times } = { ...defaults, ...limits }
  // The app refuses a request without `Host` with an error body, Node without a body.
  const server = createServer({ ...times, joinDuplicateHeaders: true, requireHostHeader: false }, handle)
  server.setTimeout(idleTimeout)
  // Node silently drops header fields above the maximum: with one more, the app can see that there are too many.
  server.maxHeadersCount = maxHeaderFields + 1
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('connect', (_req, socket) => {
    refuse(app, socket, tunnel)
  })
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const hasBody = error.rawPacket?.subarray(0, 5).toString('latin1') !== 'HEAD '
    const before = answers.get(socket)
    const respond = (): void => {
      if (before !== undefined && isOver(before)) closeSoon(socket)
      else refuse(app, socket, refusals[error.code ?? ''] ?? malformed, hasBody)
    }
    // An earlier request is answered first if it arrived completely, or was answered before it had.
    const isPending =
      before !== undefined &&
      (before.req.complete || before.writableEnded) &&
      !before.writableFinished &&
      !before.destroyed
    if (isPending) before.once('close', respond)
    else respond()
  })
  return server
}

/** Milliseconds for which a stopping server still accepts requests on open connections, as one may be on its way. */
const lastRequestMs = 500

/** How many connections wait for a server at most: the `backlog` of `listen`, as Node.js sets it. */
const maxWaiting = 511

/**
 * Accepts the connections that wait in the operating system's queue, then stops listening. The system delivers one in
 * each turn of the event loop: a turn without one means that the queue is empty. After as many as can wait, the others
 * came later.
 */
function closeWhenTaken(server: Server, closed: ((error?: Error) => void) | undefined): void {
  let left = maxWaiting
  // The current turn of the event loop does not count, because it began before the stop.
  let hasTaken = true
  const take = (): void => {
    hasTaken = true
    left -= 1
  }
  const look = (): void => {
    if (hasTaken && left > 0) {
      hasTaken = false
      setImmediate(look)
      return
    }
    server.off('connection', take)
    NetServer.prototype.close.call(server, closed)
  }
  server.on('connection', take)
  setImmediate(look)
}

/**
 * Stops a server: it accepts no connections besides those that wait already, closes open ones after their next answer
 * or when they are idle, and all of them after `graceMs`.
 */
export async function stopServer(server: Server, app: { draining: boolean }, graceMs: number): Promise<void> {
  app.draining = true
  // `close` of an HTTP server ends idle connections at once, even if a request is on its way. It is replaced because
  // the cluster module also closes the server of a worker.
  server.close = closed => {
    closeWhenTaken(server, closed)
    return server
  }
  let sweep: NodeJS.Timeout | undefined
  const idle = setTimeout(() => {
    sweep = setInterval(() => {
      server.closeIdleConnections()
    }, 100)
  }, lastRequestMs)
  const hard = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  await new Promise(resolve => server.close(resolve))
  clearTimeout(idle)
  clearTimeout(hard)
  clearInterval(sweep)
  // Releases what else an HTTP server has open, such as the timer that checks connections.
  HttpServer.prototype.close.call(server)
}

/**
 * Returns the access log: answers with status 500 and above, except 503, at level error, all others at level debug. The
 * hash of the caller changes each day, so that days cannot be linked.
 */
export function accessLog(log: Pick<Logger, 'isLevelEnabled' | 'error' | 'debug'>): Observer | undefined {
  if (!log.isLevelEnabled('error')) return undefined
  const all = log.isLevelEnabled('debug')
  return ({ request, surface, status, startedAt }) => {
    if (!all && status < 500) return
    const line = {
      request_id: request.requestId,
      method: request.method,
      route: surface?.route.path ?? 'unclaimed',
      status,
      duration_ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
      caller: request.callerHash()
    }
    if (status >= 500 && status !== 503) log.error(line, 'request failed')
    else log.debug(line, 'request')
  }
}

export type ProbeState = Readonly<{ ready: boolean; subsystems: Readonly<Record<string, SubsystemState>> }>

const plainText = 'text/plain; charset=utf-8'

function answer(res: ServerResponse, status: number, type: string, body: string): true {
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': noStore,
    'X-Content-Type-Options': 'nosniff'
  })
  res.end(body)
  return true
}

/**
 * Tells whether the process may receive traffic: `ready`, and no subsystem has `isReadable: false`. If no subsystem has
 * the member `isReadable`, the overall state must not be `down`.
 */
function isReady({ ready, subsystems }: ProbeState): boolean {
  const readable = Object.values(subsystems).flatMap(({ isReadable }) => isReadable ?? [])
  return ready && (readable.length > 0 ? !readable.includes(false) : overall(subsystems) !== 'down')
}

/** Tells whether no subsystem has `isWritable: false`; undefined if none has `isWritable`. */
function isWritable({ subsystems }: ProbeState): boolean | undefined {
  const writable = Object.values(subsystems).flatMap(({ isWritable: takes }) => takes ?? [])
  return writable.length === 0 ? undefined : !writable.includes(false)
}

/** Returns the line that names the subsystems that are not well; empty if all are. */
function unwellIn({ subsystems }: ProbeState): string {
  const names = Object.keys(subsystems).filter(name => subsystems[name]?.status !== 'ok')
  return names.length === 0 ? '' : `not well: ${names.join(', ')}\n`
}

/**
 * Answers `/livez` (the process runs) and `/readyz` (it may receive traffic, and whether it can write). Returns true if
 * the request was a probe.
 */
export function answerProbe(req: IncomingMessage, res: ServerResponse, state: () => ProbeState): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false
  if (req.url === '/livez') return answer(res, 200, plainText, 'ok\n')
  if (req.url !== '/readyz') return false
  const found = state()
  const [ready, writable] = [isReady(found), isWritable(found)]
  const writes = writable === undefined ? '' : `writes: ${writable ? 'possible' : 'not possible'}\n`
  return answer(res, ready ? 200 : 503, plainText, `${ready ? 'ready' : 'not ready'}\n${writes}${unwellIn(found)}`)
}

/** Returns the listener of the admin port: metrics, probes, and the subsystems. Only operators should reach it. */
export const adminListener =
  (state: () => ProbeState, metrics: Pick<Metrics, 'text'>) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    if (req.url === '/metrics')
      void metrics.text().then(
        text => answer(res, 200, metricsType, text),
        () => answer(res, 500, 'text/plain', 'metrics failed\n')
      )
    else if (req.url === '/readyz') {
      const found = state()
      const ready = isReady(found)
      const body = { ready, writable: isWritable(found), subsystems: found.subsystems }
      answer(res, ready ? 200 : 503, 'application/json; charset=utf-8', `${JSON.stringify(body)}\n`)
    } else if (!answerProbe(req, res, state))
      answer(res, 404, plainText, 'The admin port serves /livez, /readyz and /metrics.\n')
  }
