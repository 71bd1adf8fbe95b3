// What goes over the connection of a request: its body, read within its limits, and its answer, in one write where Node
// allows it. Last, how a connection is closed, and how one rests after a refusal.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { JsonValue } from '../canonical/json.ts'
import { bodyTooLarge, SurfaceError, unavailable } from '../handler/errors.ts'
import type { PlanRequest, SentForm } from '../plan/request.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { readForm } from './read-form.ts'

const closing = { headers: { Connection: 'close' } }

const tooLarge = (limitBytes: number): SurfaceError => bodyTooLarge(limitBytes, closing.headers)

const unsupported = (message: string, allowed: string): SurfaceError =>
  new SurfaceError('UNSUPPORTED_MEDIA_TYPE', message, { ...closing, details: { allowed: [allowed] } })

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** Checks the Content-Encoding and Content-Type of a JSON body; throws 415 before any of the body is read. */
export function checkType(req: IncomingMessage): void {
  const coding = req.headers['content-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity')
    throw unsupported('The body must not have a content coding.', 'identity')
  if (!jsonType.test(req.headers['content-type'] ?? ''))
    throw unsupported('The body must be `application/json`, in UTF-8.', 'application/json')
}

/** Checks the transfer coding (415), then the declared size (413), before any of the body is read. */
function checkArrival(req: IncomingMessage, limitBytes: number): void {
  const transfer = req.headers['transfer-encoding']
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked')
    throw unsupported('The body must not have a transfer coding other than `chunked`.', 'chunked')
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

/**
 * Reads the body and counts its bytes; above the limit it stops reading and rejects with 413, which closes the
 * connection.
 */
function receive(req: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = (settle: () => void): void => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      settle()
    }
    const onData = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= limitBytes) {
        chunks.push(chunk)
        return
      }
      finish(() => {
        req.pause()
        reject(tooLarge(limitBytes))
      })
    }
    const onEnd = (): void => {
      finish(() => {
        resolve(Buffer.concat(chunks, length))
      })
    }
    const onGone = (): void => {
      finish(() => {
        reject(new SurfaceError('INVALID_INPUT', 'The body ended before it was complete.', closing))
      })
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

const parsed = (bytes: Uint8Array): JsonValue => {
  const found = parseStrictJson(bytes)
  if (found.ok) return found.value
  throw new SurfaceError('INVALID_INPUT', found.message, { details: { in: 'body', offset: found.offset } })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Tells whether an earlier middleware has read some of the body or set a text encoding: what could be read now is not
 * what was sent.
 */
const wasRead = (req: IncomingMessage): boolean =>
  req.readableDidRead || req.readableEnded || req.destroyed || req.readableEncoding !== null

let isWarned = false

/**
 * Returns the 503 for a body that a middleware has read without keeping its bytes. Its text cannot be used: bytes that
 * are invalid in the middleware's encoding are lost without notice.
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

/** Returns the bytes of a body that a middleware has read and kept in `rawBody`. */
function kept(req: IncomingMessage, given: object, limitBytes: number): Uint8Array {
  if (!hasBody(req)) return new Uint8Array()
  const bytes = 'rawBody' in given ? given.rawBody : undefined
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
 * Returns the readers of a request's body. `given` is Koa's request: if a middleware has read the body, its `rawBody`
 * is used. They reject with a SurfaceError: 415 before reading, 413 for too many bytes. `readBody` parses strict JSON
 * (RFC 8259, valid UTF-8, one value, no duplicate names, depth at most 64) and rejects with 400 if that fails;
 * `readBytes` takes any content; `readForm` takes a form.
 */
export function bodyOf(
  req: IncomingMessage,
  res: ServerResponse,
  given?: object
): Pick<PlanRequest, 'readBody' | 'readBytes' | 'readForm'> {
  /** Takes the body from the middleware that has read it, or else reads it now. */
  const readOnce = async <Content>(
    limitBytes: number,
    before: (given: object) => Content | Promise<Content>,
    now: () => Promise<Content>
  ): Promise<Content> => {
    checkArrival(req, limitBytes)
    if (given !== undefined && wasRead(req)) return await before(given)
    // An HTTP/1.0 client does not wait for 100 Continue and does not know it (RFC 9110 §10.1.1).
    if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue()
    return await now()
  }
  const readBytes = (limitBytes: number): Promise<Uint8Array> =>
    readOnce(
      limitBytes,
      request => kept(req, request, limitBytes),
      () => receive(req, limitBytes)
    )
  return {
    readBytes,
    readForm: (limitBytes, opens) =>
      readOnce<SentForm>(
        limitBytes,
        async request => {
          const bytes = kept(req, request, limitBytes)
          return await readForm(Object.assign(Readable.from([bytes]), { headers: req.headers }), limitBytes, opens)
        },
        () => readForm(req, limitBytes, opens)
      ),
    readBody: async limitBytes => {
      checkType(req)
      return parsed(await readBytes(limitBytes))
    }
  }
}
