import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { holdsKey, type Counted } from '../access/access.ts'
import { splitTarget, type RequestTarget } from '../plan/dispatch.ts'
import { routeOf, type Generation, type PlanRoute } from '../plan/generation.ts'
import { networkOf } from './client.ts'

/** The target and route of an HTTP request. `refused`: why the request is invalid; undefined if it is valid. */
export type Arrival = Readonly<{
  generation: Generation
  method: string
  url: string
  target: RequestTarget
  refused: string | undefined
  route: PlanRoute
}>

/**
 * Returns the path and query of a target in origin form or absolute form (RFC 9112 §3.2); undefined for another form.
 */
function targetOf(url: string): RequestTarget | undefined {
  const given = url.startsWith('/') ? url : /^https?:\/\/[^/?#]+((?:[/?].*)?)$/i.exec(url)?.[1]
  return given === undefined ? undefined : splitTarget(given.startsWith('/') ? given : `/${given}`)
}

const nowhere: RequestTarget = { path: '/', search: '' }

export function readArrival(generation: Generation, req: IncomingMessage): Arrival {
  const method = req.method ?? ''
  const url = req.url ?? ''
  // A target that contains a key must not appear in any answer.
  const hasKey = holdsKey(url)
  const refused = refusal(req, hasKey)
  const target = hasKey ? nowhere : targetOf(url)
  if (target !== undefined)
    return { generation, method, url, target, refused, route: routeOf(generation, method, target.path) }
  // `OPTIONS *` asks about the server as a whole (RFC 9110 §9.3.7).
  const isForServer = url === '*' && method === 'OPTIONS'
  const reason = refused ?? (isForServer ? undefined : 'The request target is not a path.')
  return { generation, method, url, target: nowhere, refused: reason, route: undefined }
}

export const maxHeaderFields = 100

// The form of `Host` (RFC 3986 §3.2.2, §3.2.3), without the comma with which Node joins two fields. It may be empty.
const hostForm = /^[\w.\-~%!$&'()*+;=:[\]]*$/

/**
 * Returns why a request is refused: RFC 9112 §3.2 on `Host`, §6.1 on transfer codings in HTTP/1.0, RFC 9110 §10.1.1 on
 * `Expect`, a key in the URL, or too many header fields.
 */
function refusal(req: IncomingMessage, hasKey: boolean): string | undefined {
  const { host, expect } = req.headers
  if (req.httpVersionMajor !== 1) return 'This connection speaks HTTP/1.1.'
  if (hasKey)
    return 'A key was sent in the URL, where logs keep it. Please revoke it, and send a new one in the header.'
  if (host === undefined ? req.httpVersionMinor > 0 : !hostForm.test(host)) return 'A request names exactly one host.'
  if (req.httpVersionMinor === 0 && req.headers['transfer-encoding'] !== undefined)
    return 'A request of HTTP/1.0 has no transfer coding.'
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return 'The only expectation met here is `100-continue`.'
  if (req.rawHeaders.length > 2 * maxHeaderFields) return `A request has at most ${maxHeaderFields} header fields.`
  return undefined
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export const hasUnreadBody = (req: IncomingMessage): boolean => !req.complete && hasBody(req)

const length = 16
let pool = ''
let at = 0

/** Returns a new request id: `req_` and 16 URL-safe characters, which are 96 random bits. */
export function requestId(): string {
  if (at === pool.length) {
    pool = randomBytes(512 * 12).toString('base64url')
    at = 0
  }
  at += length
  return `req_${pool.slice(at - length, at)}`
}

/** The most clients that are counted in a window. The count of the oldest is then forgotten. */
const mostClients = 100_000

/**
 * Returns a function that counts the requests of a client in fixed windows; with `counts: false` it only looks. Whoever
 * calls it refuses what is over the limit. A client is counted by a hash with a random salt of the process, computed
 * once for each connection and value of `client`.
 */
export function createRateWindow(
  most = mostClients
): (
  socket: Socket,
  nowMs: number,
  policy: Readonly<{ limit: number; window_seconds: number }>,
  client?: string,
  counts?: boolean
) => Counted {
  const salt = randomBytes(32)
  const keys = new WeakMap<Socket, Readonly<{ client: string | undefined; key: string }>>()
  let counts = new Map<string, number>()
  let windowEnds = 0
  return (socket, nowMs, { limit, window_seconds: windowSeconds }, client, isCounted = true) => {
    // A new window also begins if the clock was set back: no window may be longer than declared.
    if (nowMs >= windowEnds || nowMs < windowEnds - windowSeconds * 1000) {
      counts = new Map()
      windowEnds = (Math.floor(nowMs / 1000 / windowSeconds) + 1) * windowSeconds * 1000
    }
    let known = keys.get(socket)
    if (known === undefined || known.client !== client) {
      known = {
        client,
        key: createHmac('sha256', salt)
          .update(networkOf(client ?? socket.remoteAddress))
          .digest('base64')
      }
      keys.set(socket, known)
    }
    const count = (counts.get(known.key) ?? 0) + (isCounted ? 1 : 0)
    if (isCounted) counts.set(known.key, count)
    if (counts.size > most) counts.delete(counts.keys().next().value ?? '')
    return {
      isAllowed: count <= limit,
      limit,
      windowSeconds,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.ceil((windowEnds - nowMs) / 1000)
    }
  }
}
