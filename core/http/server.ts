import { createServer, Server as HttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import { commonFields, field, fields, noStore } from '../plan/headers.ts'
import { diagnosticPath } from '../vocabulary/words.ts'
import { closeSoon } from './linger.ts'
import { requestId } from './request-id.ts'
import { mostHeaders } from './arrival.ts'
import type { SurfaceApp } from './surface-app.ts'

/**
 * Time limits in milliseconds, so that a slow client cannot hold a connection; looked at every second. `idleTimeout` is
 * for the one the others leave out: a client that does not take its answer.
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

type Refusal = Readonly<{ status: string; code: ErrorCode; message: string }>

const malformed: Refusal = {
  status: '400 Bad Request',
  code: 'INVALID_INPUT',
  message: 'The request is not valid HTTP/1.1.'
}
const tunnel: Refusal = {
  status: '405 Method Not Allowed',
  code: 'METHOD_NOT_ALLOWED',
  message: 'This server opens no tunnels.'
}
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_URL: {
    status: '400 Bad Request',
    code: 'INVALID_INPUT',
    message: 'The address has a character that must be percent-encoded, such as `%E3%83%AB` for `ル`.'
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'INVALID_INPUT',
    message: 'The header section is too large.'
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'INVALID_INPUT',
    message: 'The request did not arrive in time.'
  }
}

/**
 * Answers what never became a request, in the service's error shape and with the headers of every answer, and closes.
 */
function refuse(
  { generation }: SurfaceApp,
  socket: Duplex,
  { status, code, message }: Refusal,
  { headers = {}, hasBody = true }: { headers?: Readonly<Record<string, string>>; hasBody?: boolean } = {}
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({
    error: { code, status: Number.parseInt(status, 10), message, docs: `${diagnosticPath}#${code}` }
  })
  const type = 'application/json; charset=utf-8'
  const head =
    field('Content-Type', type) +
    commonFields(generation.registry.service, type) +
    fields({
      ...headers,
      'X-Request-Id': requestId(),
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': noStore,
      Connection: 'close'
    })
  socket.write(`HTTP/1.1 ${status}\r\n${head}\r\n${hasBody ? body : ''}`)
  // Node sets no time limit for a connection that it could not read or that asked for a tunnel.
  closeSoon(socket)
}

/**
 * Whether what follows an answer on its connection gets none: the answer was the last one, or was given before its
 * request had arrived whole (RFC 9112 §9.6).
 */
const isOver = (answer: ServerResponse): boolean =>
  answer.writableEnded && (!answer.shouldKeepAlive || !answer.req.complete)

type ServerHooks = Readonly<{
  /** Answers what is no surface (probes), and then returns true. */
  before?: (req: IncomingMessage, res: ServerResponse) => boolean
  /** Answers all others within something of its own, such as the span of a trace. */
  around?: ((req: IncomingMessage, res: ServerResponse, answer: () => void) => void) | undefined
}>

/**
 * An HTTP/1.1 server for an app. `Expect: 100-continue` goes through the app, which asks for the body only when it
 * wants it.
 */
export function createSurfaceServer(
  app: SurfaceApp,
  { before, around }: ServerHooks = {},
  limits: Partial<ServerLimits> = {}
): Server {
  const listener = app.callback()
  /** The last answer that was begun on a connection. */
  const answers = new WeakMap<Duplex, ServerResponse>()
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    answers.set(req.socket, res)
    // Node drops what came with a request that asks for another protocol. The client is told that nothing more is
    // answered here (RFC 9110 §7.8, RFC 9112 §9.3.1).
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    if (before?.(req, res) === true) return
    if (around === undefined) void listener(req, res)
    else
      around(req, res, () => {
        void listener(req, res)
      })
  }
  const { idleTimeout, ...times } = { ...defaults, ...limits }
  // A request without a host is refused by the app, in the shape of all errors; Node's own refusal has no body.
  const server = createServer({ ...times, joinDuplicateHeaders: true, requireHostHeader: false }, handle)
  server.setTimeout(idleTimeout)
  // Node drops further fields silently: one more than are allowed lets the app see that there are too many.
  server.maxHeadersCount = mostHeaders + 1
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('connect', (_req, socket) => {
    refuse(app, socket, tunnel, { headers: { Allow: 'GET, HEAD, OPTIONS' } })
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
    const say = (): void => {
      if (before !== undefined && isOver(before)) closeSoon(socket)
      else refuse(app, socket, refusals[error.code ?? ''] ?? malformed, { hasBody })
    }
    // Requests that arrived whole before it get their answers first, and so does one that was answered before it
    // arrived whole.
    if (
      before !== undefined &&
      (before.req.complete || before.writableEnded) &&
      !before.writableFinished &&
      !before.destroyed
    )
      before.once('close', say)
    else say()
  })
  return server
}

/**
 * Milliseconds in which a client of an open connection may send one more request: what is on its way when a server
 * stops is answered.
 */
const lastRequestMs = 500

/**
 * Takes the connections that have reached the system, and then listens no more. The system gives one in each turn of
 * the event loop: it has no others when a turn brought none. While clients ask without a pause this ends after
 * `lastRequestMs`.
 */
function closeWhenTaken(server: Server, closed: ((error?: Error) => void) | undefined): void {
  const end = performance.now() + lastRequestMs
  // What came in the turn that had begun when the server was to stop says nothing.
  let hasTaken = true
  const take = (): void => {
    hasTaken = true
  }
  const look = (): void => {
    if (hasTaken && performance.now() < end) {
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
 * Stops a server: no new connections, open ones closed with their next answer or when none is asked for, all of them
 * after `graceMs`. Every answer given while draining says `Connection: close`.
 */
export async function stopServer(server: Server, app: { draining: boolean }, graceMs: number): Promise<void> {
  app.draining = true
  // `close` of an HTTP server ends idle connections at once, whatever is on its way on them. A cluster closes the
  // server of a worker as well.
  server.close = closed => {
    closeWhenTaken(server, closed)
    return server
  }
  const closed = new Promise<void>(resolve => {
    server.close(() => {
      resolve()
    })
  })
  let sweep: NodeJS.Timeout | undefined
  const idle = setTimeout(() => {
    sweep = setInterval(() => {
      server.closeIdleConnections()
    }, 100)
  }, lastRequestMs)
  const hard = setTimeout(() => {
    server.closeAllConnections()
  }, graceMs)
  await closed
  clearTimeout(idle)
  clearTimeout(hard)
  clearInterval(sweep)
  // What else an HTTP server keeps.
  HttpServer.prototype.close.call(server)
}
