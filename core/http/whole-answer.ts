import { isUtf8 } from 'node:buffer'
import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http'
import { Writable } from 'node:stream'
import { fieldsOf } from '../plan/headers.ts'
import type { Answer } from '../plan/request.ts'

/**
 * Undeclared properties of Node's ServerResponse: the status line and headers as text, and how long a connection is
 * kept open.
 */
type Inner = {
  _header: string | null
  readonly _keepAliveTimeout?: number
  readonly _maxRequestsPerSocket?: number | null
}

/**
 * Sends an answer through `_header`, which Node then writes instead of building a header; a short body is appended to
 * it, so that both go out in one write.
 */
function put(res: ServerResponse, head: string, body: Answer['body'], encoding: Answer['encoding']): void {
  const inner = res as ServerResponse & Inner
  if (typeof body === 'string' ? encoding === 'latin1' : body.length < mostCopied) {
    inner._header = head + (typeof body === 'string' ? body : body.toString('latin1'))
    res.end()
    return
  }
  inner._header = head
  res.end(body, encoding)
}

/** Maximum bytes of a body that is copied to go out in one write with the header: copying more is not worth it. */
const mostCopied = 65_536

/** Tests whether this version of Node supports `put`: each answer is sent once, unchanged and in order. */
function isKnown(): boolean {
  let sent = ''
  const socket = new Writable({
    write: (chunk: Buffer, _encoding, written) => {
      sent += chunk.toString('latin1')
      written()
    }
  }) as never
  const asked = { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never
  const [first, second] = [new ServerResponse(asked), new ServerResponse(asked)]
  try {
    put(second, 'two ', 'é', 'utf8')
    first.assignSocket(socket)
    put(first, 'one ', Buffer.from('\xe9 ', 'latin1'), 'latin1')
    first.detachSocket(socket)
    second.assignSocket(socket)
    return sent === 'one \xe9 two \xc3\xa9' && first.headersSent && second.writableEnded
  } catch {
    return false
  }
}

const known = isKnown()

let second = 0
let date = ''

/** Returns the time as a `Date` header field (RFC 9110 §5.6.7). */
function dateOf(now: Date): string {
  const wanted = Math.floor(now.getTime() / 1000)
  if (wanted !== second) {
    second = wanted
    date = now.toUTCString()
  }
  return date
}

/**
 * Sends an answer in one write with its ready-made header text; otherwise Node checks and joins the fields of each
 * answer, which takes a fifth of the time of a fixed answer. Returns false and does nothing if the connection closes
 * with this answer, for HTTP/1.0 and `Expect`, if headers were set on `res`, or if this version of Node does not
 * support it: the caller then sends the answer the usual way.
 */
export function sendWhole(
  req: IncomingMessage,
  res: ServerResponse,
  { status, head, body, encoding }: Answer,
  now: Date
): boolean {
  if (!known || !res.shouldKeepAlive || !res.sendDate || req.httpVersionMinor !== 1 || req.headers.expect !== undefined)
    return false
  if (res.headersSent || res.getHeaderNames().length > 0) return false
  const { _keepAliveTimeout: kept = 0, _maxRequestsPerSocket: most } = res as ServerResponse & Inner
  if (most !== undefined && most !== null && most > 0) return false
  const keepAlive = kept > 0 ? `Keep-Alive: timeout=${Math.floor(kept / 1000)}\r\n` : ''
  res.statusCode = status
  put(
    res,
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}Date: ${dateOf(now)}\r\nConnection: keep-alive\r\n${keepAlive}\r\n`,
    req.method === 'HEAD' ? '' : body,
    req.method === 'HEAD' ? 'latin1' : encoding
  )
  return true
}

/** Returns the body of an answer for Koa: a string is sent in one write with the headers, a buffer in two. */
export function contentOf({ body, encoding }: Answer): string | Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body
  return bytes.length <= mostCopied && isUtf8(bytes) ? bytes.toString() : bytes
}

/** Joins the names of two `Vary` fields, each once (RFC 9110 §12.5.5). */
const joinVary = (one: string, other: string): string => {
  const names = `${one}, ${other}`.split(',').map(name => name.trim())
  return [...new Map(names.map(name => [name.toLowerCase(), name])).values()].join(', ')
}

/**
 * Sets the header fields of an answer and keeps those that middleware has set: names in `Vary` are joined, cookies are
 * added. Returns the names that were set.
 */
export function setFields(res: ServerResponse, head: string): ReadonlySet<string> {
  const vary = res.getHeader('Vary')
  const sent = new Set<string>()
  for (const [name, value] of fieldsOf(head)) {
    if (name === 'Vary' && vary !== undefined) res.setHeader(name, joinVary(String(vary), value))
    else if (sent.has(name) || name === 'Set-Cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
    sent.add(name)
  }
  return sent
}
