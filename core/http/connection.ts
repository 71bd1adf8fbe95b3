// How the body of a request is read, how an answer is sent in one write if Node allows it, and how a connection is
// closed.
import { isUtf8 } from 'node:buffer'
import { ServerResponse, STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline, Readable, Writable, type Duplex } from 'node:stream'
import { unavailable, type SurfaceError } from '../handler/errors.ts'
import { parseFields } from '../plan/head.ts'
import { invalidIn, unsupported } from '../plan/read.ts'
import type { Answer, BodyReaders, SentForm } from '../plan/request.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { hasBody } from './arrival.ts'
import { endedEarly, readForm, tooLarge } from './read-form.ts'

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Checks the Content-Encoding and Content-Type of a JSON body; throws 415 before any of the body is read. */
export function checkType(req: IncomingMessage): void {
  const coding = req.headers['content-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
    throw unsupported('The body must not have a content coding.', ['identity'])
  if (!jsonType.test(req.headers['content-type'] ?? ''))
    throw unsupported('The body must be `application/json`, in UTF-8.', ['application/json'])
}

/** Checks the transfer coding (415), then the declared size (413), before any of the body is read. */
function checkArrival(req: IncomingMessage, limitBytes: number): void {
  const transfer = req.headers['transfer-encoding']
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked')
    throw unsupported('The body must not have a transfer coding other than `chunked`.', ['chunked'])
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

/** Reads the body. Rejects with 413 above the limit, and with 400 if the body ends early; both close the connection. */
function receive(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const stop = (): void => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limitBytes) {
        chunks.push(chunk)
        return
      }
      stop()
      req.pause()
      reject(tooLarge(limitBytes))
    }
    const onEnd = (): void => {
      stop()
      resolve(Buffer.concat(chunks, length))
    }
    const onGone = (): void => {
      stop()
      reject(endedEarly())
    }
    // If the client has disconnected already, no further `close` event comes.
    if (req.destroyed && !req.readableEnded) {
      onGone()
      return
    }
    // `resume`, because a middleware may have paused the request.
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone).resume()
  })
}

/**
 * Tells whether a middleware has read some of the body, set a text encoding, or destroyed the request: what is left is
 * not what was sent.
 */
const wasRead = (req: IncomingMessage): boolean =>
  req.readableDidRead || req.readableEnded || req.destroyed || req.readableEncoding !== null

let isWarned = false

/**
 * Returns the 503 for a body that a middleware has read without keeping its bytes, and warns once. The text that the
 * middleware made may have lost invalid bytes.
 */
function refuseRead(): SurfaceError {
  const fix =
    'Put `app.use(pantry.routes())` before it, or let it keep the bytes as they came in `ctx.request.rawBody`, as a Buffer.'
  if (!isWarned)
    process.emitWarning(`A middleware before Pantry reads bodies and keeps no bytes of them. ${fix}`, {
      code: 'PANTRY_BODIES'
    })
  isWarned = true
  return unavailable(
    'The application around this service has read the body and kept no bytes of it, so that what was sent is not known. The operator has to change that.',
    300,
    { subsystem: 'bodies' }
  )
}

/**
 * Returns the bytes that a middleware has kept in `rawBody`. Throws 503 if they are not those that were sent, 413 above
 * the limit.
 */
function kept(req: IncomingMessage, koaRequest: object, limitBytes: number): Uint8Array {
  if (!hasBody(req)) return new Uint8Array()
  const bytes = 'rawBody' in koaRequest ? koaRequest.rawBody : undefined
  const { 'content-length': length, 'content-encoding': coding = 'identity' } = req.headers
  // If the length differs, a middleware has decoded the body.
  if (
    !(bytes instanceof Uint8Array) ||
    coding.trim().toLowerCase() !== 'identity' ||
    (length !== undefined && Number(length) !== bytes.length)
  )
    throw refuseRead()
  if (bytes.length > limitBytes) throw tooLarge(limitBytes)
  return bytes
}

/**
 * Returns the readers for the body of a request. If a middleware has read the body, they use `rawBody` of `koaRequest`.
 */
export function bodyOf(req: IncomingMessage, res: ServerResponse, koaRequest?: object): BodyReaders {
  const readOnce = async <Content>(
    limitBytes: number,
    fromKept: (bytes: Uint8Array) => Content | Promise<Content>,
    fromRequest: () => Promise<Content>
  ): Promise<Content> => {
    checkArrival(req, limitBytes)
    if (koaRequest !== undefined && wasRead(req)) return await fromKept(kept(req, koaRequest, limitBytes))
    // An HTTP/1.0 client does not wait for 100 Continue and does not know it (RFC 9110 §10.1.1).
    if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue()
    return await fromRequest()
  }
  const readBytes = (limitBytes: number): Promise<Uint8Array> =>
    readOnce<Uint8Array>(
      limitBytes,
      bytes => bytes,
      () => receive(req, limitBytes)
    )
  return {
    readBytes,
    readForm: (limitBytes, opens) =>
      readOnce<SentForm>(
        limitBytes,
        bytes => readForm(Object.assign(Readable.from([bytes]), { headers: req.headers }), limitBytes, opens),
        () => readForm(req, limitBytes, opens)
      ),
    readBody: async limitBytes => {
      checkType(req)
      const parsed = parseStrictJson(await readBytes(limitBytes))
      if (!parsed.ok) throw invalidIn('body', parsed.message, { offset: parsed.offset })
      return parsed.value
    }
  }
}

/** Properties of ServerResponse that its type does not declare. */
type Inner = {
  _header: string | null
  readonly _keepAliveTimeout?: number
  readonly _maxRequestsPerSocket?: number | null
}

/**
 * Sends an answer through `_header`, which Node writes as it is. A `latin1` text or a short buffer is appended to it,
 * so that all goes out in one write.
 */
function put(res: ServerResponse, head: string, body: Answer['body'], encoding: Answer['encoding']): void {
  const inner = res as ServerResponse & Inner
  if (typeof body === 'string' ? encoding === 'latin1' : body.length < maxCopied) {
    inner._header = head + (typeof body === 'string' ? body : body.toString('latin1'))
    res.end()
    return
  }
  inner._header = head
  res.end(body, encoding)
}

/** Bytes below which a buffer is copied, to go out in one write with the header. */
const maxCopied = 65_536

/** Tells whether `put` works in this version of Node, that is, sends each answer once, unchanged and in order. */
function testPut(): boolean {
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

const isPutSupported = testPut()

let second = 0
let date = ''

function dateOf(now: Date): string {
  const current = Math.floor(now.getTime() / 1000)
  if (current !== second) {
    second = current
    date = now.toUTCString()
  }
  return date
}

/**
 * Sends an answer with its ready-made header text: to check and join the fields, Node would take a fifth of the time of
 * a fixed answer. Returns false and does nothing if that is impossible.
 */
export function sendWhole(
  req: IncomingMessage,
  res: ServerResponse,
  { status, head, body, encoding }: Answer,
  now: Date
): boolean {
  if (!isPutSupported || !res.shouldKeepAlive || !res.sendDate || req.httpVersionMinor !== 1) return false
  if (req.headers.expect !== undefined || res.headersSent || res.getHeaderNames().length > 0) return false
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

/** Returns the body for Koa: a string is sent in one write with the headers, a buffer in two. */
export function contentOf({ body, encoding }: Answer): string | Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body
  return bytes.length <= maxCopied && isUtf8(bytes) ? bytes.toString() : bytes
}

/**
 * Sends an answer while it is made, no faster than the client reads it. A fault destroys the connection, so that the
 * client sees that something is missing; if the client leaves, the stream is destroyed.
 */
export function sendStream(res: ServerResponse, { status, head }: Answer, stream: Readable): void {
  setFields(res, head)
  res.writeHead(status)
  pipeline(stream, res, () => undefined)
}

/** Joins the names of two `Vary` fields, each once (RFC 9110 §12.5.5). */
const joinVary = (one: string, other: string): string => {
  const names = `${one}, ${other}`.split(',').map(name => name.trim())
  return [...new Map(names.map(name => [name.toLowerCase(), name])).values()].join(', ')
}

/**
 * Sets the header fields of an answer, and returns their names. `Vary` and `Set-Cookie` are added to those of
 * middleware; other fields replace theirs.
 */
export function setFields(res: ServerResponse, head: string): ReadonlySet<string> {
  const vary = res.getHeader('Vary')
  const sent = new Set<string>()
  for (const [name, value] of parseFields(head)) {
    if (name === 'Vary' && vary !== undefined) res.setHeader(name, joinVary(String(vary), value))
    else if (sent.has(name) || name === 'Set-Cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
    sent.add(name)
  }
  return sent
}

/** Milliseconds that a client has to read its answer before the socket is destroyed. */
const lingerMs = 1_000

/**
 * Closes the server's side of a connection, and destroys it when the client has closed or after `lingerMs`. If it were
 * destroyed at once, a client that is still sending would lose the answer (RFC 9112 §9.6).
 */
export function closeSoon(socket: Duplex): void {
  const cut = setTimeout(() => {
    socket.destroy()
  }, lingerMs)
  socket.once('close', () => {
    clearTimeout(cut)
  })
  socket.end()
}

/** Makes Node close the connection with `closeSoon`, because the request was not read to the end. */
export function lingerAfter(req: IncomingMessage): void {
  const socket = req.socket as Socket | null
  if (socket === null) return
  // Node does not drain a request that was partly read, so the unread rest stays with the client.
  req.pause().read(0)
  socket.destroySoon = () => {
    closeSoon(socket)
  }
}

const restMs = 250

/**
 * Stops reading from a connection for a quarter of a second after a 503 for too many requests, so that a client that
 * ignores Retry-After gets at most four such answers a second on it (RFC 9293 §3.8.6).
 */
export function throttleReading(res: ServerResponse): void {
  const { socket } = res
  // Wait for `finish`: earlier, Node itself would resume reading.
  res.once('finish', () => {
    socket?.pause()
    setTimeout(() => {
      socket?.resume()
    }, restMs).unref()
  })
}
