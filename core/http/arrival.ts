// What is known of a request when it arrives: its target and route, its id, and how many its client has left.

import type { IncomingMessage } from 'node:http'
import { holdsKey } from '../access/key.ts'
import { routeOf, type PlanRoute } from '../plan/dispatch.ts'
import type { Generation } from '../plan/generation.ts'
import { splitTarget, type RequestTarget } from '../plan/query.ts'

/** The target and route of an HTTP request, or in `refused` why it cannot be answered. */
export type Arrival = Readonly<{ method: string; target: RequestTarget; refused: string | undefined; route: PlanRoute }>

/**
 * Returns the path and query of a request target in origin form or absolute form (RFC 9112 §3.2); an empty path is `/`
 * (RFC 9110 §4.2.3).
 */
function targetOf(url: string): RequestTarget | undefined {
  const given = url.startsWith('/') ? url : /^https?:\/\/[^/?#]+((?:[/?].*)?)$/i.exec(url)?.[1]
  return given === undefined ? undefined : splitTarget(given.startsWith('/') ? given : `/${given}`)
}

const nowhere: RequestTarget = { path: '/', search: '' }

export function readArrival(generation: Generation, req: IncomingMessage): Arrival {
  const method = req.method ?? ''
  // A target that contains an access key must not appear in any answer.
  const target = holdsKey(req.url ?? '') ? nowhere : targetOf(req.url ?? '')
  if (target !== undefined)
    return { method, target, refused: refusal(req), route: routeOf(generation, method, target.path) }
  // `OPTIONS *` asks about the server as a whole (RFC 9110 §9.3.7).
  return {
    method,
    target: nowhere,
    refused:
      refusal(req) ?? (req.url === '*' && method === 'OPTIONS' ? undefined : 'The request target is not a path.'),
    route: undefined
  }
}

/** Maximum number of header fields of a request. */
export const mostHeaders = 100

// RFC 3986 §3.2.2 and §3.2.3, without the comma, with which Node joins two fields. Empty if the target has no
// authority.
const hostForm = /^[\w.\-~%!$&'()*+;=:[\]]*$/

/**
 * Returns why a request is invalid in HTTP/1.1, if it is: RFC 9112 §3.2 on `Host`, §6.1 on chunks in HTTP/1.0, RFC 9110
 * §10.1.1 on `Expect`.
 */
function refusal(req: IncomingMessage): string | undefined {
  const { host, expect } = req.headers
  if (req.httpVersionMajor !== 1) return 'This connection speaks HTTP/1.1.'
  if (holdsKey(req.url ?? ''))
    return 'A key was sent in the URL, where logs keep it. Please revoke it, and send a new one in the header.'
  if (host === undefined ? req.httpVersionMinor > 0 : !hostForm.test(host)) return 'A request names exactly one host.'
  if (req.httpVersionMinor === 0 && req.headers['transfer-encoding'] !== undefined)
    return 'A request of HTTP/1.0 has no transfer coding.'
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return 'The only expectation met here is `100-continue`.'
  if (req.rawHeaders.length > 2 * mostHeaders) return `A request has at most ${mostHeaders} header fields.`
  return undefined
}

export const hasUnreadBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined ||
    (headers['content-length'] !== undefined && headers['content-length'] !== '0'))
