import type { IncomingMessage } from 'node:http'
import { holdsKey } from '../access/key.ts'
import { routeOf, type Route } from '../plan/dispatch.ts'
import type { Generation } from '../plan/generation.ts'
import { splitTarget, type Target } from '../plan/query.ts'

/** A request as it came over HTTP: where it leads, or why it is no request that can be answered. */
export type Arrival = Readonly<{ method: string; target: Target; refused: string | undefined; route: Route }>

/**
 * Path and query of a request target in origin form or absolute form (RFC 9112 §3.2); an empty path is `/` (RFC 9110
 * §4.2.3).
 */
function targetOf(url: string): Target | undefined {
  const given = url.startsWith('/') ? url : /^https?:\/\/[^/?#]+((?:[/?].*)?)$/i.exec(url)?.[1]
  return given === undefined ? undefined : splitTarget(given.startsWith('/') ? given : `/${given}`)
}

const nowhere: Target = { path: '/', search: '' }

export function readArrival(generation: Generation, req: IncomingMessage): Arrival {
  const method = req.method ?? ''
  // What holds a key is given back nowhere.
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

/** The most header fields a request may have. */
export const mostHeaders = 100

// RFC 3986 §3.2.2 and §3.2.3, without the comma: Node joins two fields with it. Empty where the target has no
// authority.
const hostForm = /^[\w.\-~%!$&'()*+;=:[\]]*$/

/**
 * What no request of HTTP/1.1 may do; RFC 9112 §3.2 on `Host`, §6.1 on chunks of HTTP/1.0, RFC 9110 §10.1.1 on
 * `Expect`.
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
