import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SurfaceApp } from './surface-app.ts'

/** Time limits in milliseconds, so that a slow client cannot hold a connection; looked at every second. */
const defaults = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384
} as const

export type ServerLimits = Readonly<{ [Name in keyof typeof defaults]: number }>

const refusals: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The header section is too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.']
}

/** Answers what the HTTP parser refused, in the service's error shape, and closes. */
function refuse (error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, message] = refusals[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP/1.1.']
  const body = JSON.stringify({ error: { code: 'INVALID_INPUT', status: Number.parseInt(status, 10), message, docs: '/api/v1/diagnostic#INVALID_INPUT' } })
  socket.end(`HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`)
}

/**
 * An HTTP/1.1 server for an app. `Expect: 100-continue` goes through the app, which asks for the body only when it wants it.
 * `before` may answer what is no surface (probes) and then returns true.
 */
export function createSurfaceServer (app: SurfaceApp, before?: (req: IncomingMessage, res: ServerResponse) => boolean, limits: Partial<ServerLimits> = {}): Server {
  const listener = app.callback()
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    if (before?.(req, res) !== true) void listener(req, res)
  }
  const server = createServer({ ...defaults, ...limits, joinDuplicateHeaders: true }, handle)
  server.maxHeadersCount = 100
  server.on('checkContinue', handle)
  server.on('clientError', refuse)
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
