import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '../vocabulary/error-codes.ts'
import { commonHeaders, noStore } from '../plan/headers.ts'
import { diagnosticPath } from '../vocabulary/words.ts'
import { requestId } from './request-id.ts'
import { mostHeaders } from './arrival.ts'
import type { SurfaceApp } from './surface-app.ts'

/**
 * Time limits in milliseconds, so that a slow client cannot hold a connection; looked at every second. `idleTimeout` is for the
 * one the others leave out: a client that does not take its answer.
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

type Refusal = Readonly<{ status: string, code: ErrorCode, message: string }>

const malformed: Refusal = { status: '400 Bad Request', code: 'INVALID_INPUT', message: 'The request is not valid HTTP/1.1.' }
const tunnel: Refusal = { status: '405 Method Not Allowed', code: 'METHOD_NOT_ALLOWED', message: 'This server opens no tunnels.' }
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_URL: { status: '400 Bad Request', code: 'INVALID_INPUT', message: 'The address has a character that must be percent-encoded, such as `%E3%83%AB` for `ル`.' },
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', code: 'INVALID_INPUT', message: 'The header section is too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', code: 'INVALID_INPUT', message: 'The request did not arrive in time.' }
}

/** Answers what never became a request, in the service's error shape and with the headers of every answer, and closes. */
function refuse ({ generation }: SurfaceApp, socket: Duplex, { status, code, message }: Refusal, { headers = [], hasBody = true }: { headers?: readonly string[], hasBody?: boolean } = {}): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({ error: { code, status: Number.parseInt(status, 10), message, docs: `${diagnosticPath}#${code}` } })
  const fields = [
    ...commonHeaders(generation.registry.service, 'application/json; charset=utf-8'), ...headers, 'X-Request-Id', requestId(),
    'Content-Length', String(Buffer.byteLength(body)), 'Cache-Control', noStore, 'Connection', 'close'
  ]
  const lines = fields.flatMap((name, index) => index % 2 === 0 ? [`${name}: ${fields[index + 1] ?? ''}\r\n`] : [])
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${hasBody ? body : ''}`)
}

/**
 * An HTTP/1.1 server for an app. `Expect: 100-continue` goes through the app, which asks for the body only when it wants it.
 * `before` may answer what is no surface (probes) and then returns true.
 */
export function createSurfaceServer (app: SurfaceApp, before?: (req: IncomingMessage, res: ServerResponse) => boolean, limits: Partial<ServerLimits> = {}): Server {
  const listener = app.callback()
  /** The last answer that was begun on a connection. */
  const answers = new WeakMap<Duplex, ServerResponse>()
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    answers.set(req.socket, res)
    // Node drops what came with a request that asks for another protocol. The client is told that nothing more is answered here (RFC 9110 §7.8, RFC 9112 §9.3.1).
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false
    if (before?.(req, res) !== true) void listener(req, res)
  }
  const { idleTimeout, ...times } = { ...defaults, ...limits }
  // A request without a host is refused by the app, in the shape of all errors; Node's own refusal has no body.
  const server = createServer({ ...times, joinDuplicateHeaders: true, requireHostHeader: false }, handle)
  server.setTimeout(idleTimeout)
  // Node drops further fields silently: one more than are allowed lets the app see that there are too many.
  server.maxHeadersCount = mostHeaders + 1
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('connect', (_req, socket) => { refuse(app, socket, tunnel, { headers: ['Allow', 'GET, HEAD, OPTIONS'] }) })
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const hasBody = error.rawPacket?.subarray(0, 5).toString('latin1') !== 'HEAD '
    const say = (): void => { refuse(app, socket, refusals[error.code ?? ''] ?? malformed, { hasBody }) }
    // Requests that arrived whole before it get their answers first.
    const before = answers.get(socket)
    if (before?.req.complete === true && !before.writableFinished && !before.destroyed) before.once('close', say)
    else say()
  })
  return server
}

/**
 * Stops a server: no new connections, idle ones closed at once, the others when their answer is out, all of them after `graceMs`.
 * Every answer given while draining says `Connection: close`.
 */
export function stopServer (server: Server, app: { draining: boolean }, graceMs: number): Promise<void> {
  app.draining = true
  return new Promise(resolve => {
    const sweep = setInterval(() => { server.closeIdleConnections() }, 100)
    const hard = setTimeout(() => { server.closeAllConnections() }, graceMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(hard)
      resolve()
    })
    server.closeIdleConnections()
  })
}
