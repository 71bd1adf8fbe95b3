import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonValue } from '../canonical/json.ts'
import { bodyTooLarge, SurfaceError } from '../handler/errors.ts'
import type { PlanRequest } from '../plan/request.ts'
import { parseStrictJson } from '../source/strict-json.ts'

const closing = { headers: { Connection: 'close' } }

const tooLarge = (limitBytes: number): SurfaceError => bodyTooLarge(limitBytes, closing.headers)

const unsupported = (message: string, allowed: string): SurfaceError =>
  new SurfaceError('UNSUPPORTED_MEDIA_TYPE', message, { ...closing, details: { allowed: [allowed] } })

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** What the header section must say of a body of JSON: 415, before a byte of it is asked for. */
function checkType (req: IncomingMessage): void {
  const coding = req.headers['content-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') throw unsupported('The body must not have a content coding.', 'identity')
  if (!jsonType.test(req.headers['content-type'] ?? '')) throw unsupported('The body must be `application/json`, in UTF-8.', 'application/json')
}

/** How a body may arrive: transfer coding first (415), then size (413), before a byte of it is asked for. */
function checkArrival (req: IncomingMessage, limitBytes: number): void {
  const transfer = req.headers['transfer-encoding']
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') throw unsupported('The body must not have a transfer coding other than `chunked`.', 'chunked')
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
}

/** The bytes of the body, counted as they arrive: at the limit reading stops and the connection is given up. */
function receive (req: IncomingMessage, limitBytes: number): Promise<Buffer> {
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
    const onEnd = (): void => { finish(() => { resolve(Buffer.concat(chunks, length)) }) }
    const onGone = (): void => { finish(() => { reject(new SurfaceError('INVALID_INPUT', 'The body ended before it was complete.', closing)) }) }
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

const parsed = (bytes: Uint8Array): JsonValue => {
  const found = parseStrictJson(bytes)
  if (found.ok) return found.value
  throw new SurfaceError('INVALID_INPUT', found.message, { details: { in: 'body', offset: found.offset } })
}

/** The bytes of a body that a middleware has read before, as common body parsers leave it: its text in `rawBody`. */
function kept (given: object, limitBytes: number): Uint8Array {
  const text = 'rawBody' in given ? given.rawBody : undefined
  if (typeof text !== 'string') throw new TypeError('A middleware before Pantry reads bodies and keeps no `rawBody`: put it after Pantry, or let it keep the text.')
  const bytes = Buffer.from(text)
  if (bytes.length > limitBytes) throw tooLarge(limitBytes)
  return bytes
}

/**
 * The readers of a request's body. `given` is the request of Koa, where a middleware may have read the body before. Both reject with
 * SurfaceError: 415 before anything is read, 413 while reading. `readBody` takes strict JSON (RFC 8259 in fatal UTF-8, one value, no
 * duplicate names, depth at most 64) and rejects with 400 for what cannot be parsed; `readBytes` takes any content.
 */
export function bodyOf (req: IncomingMessage, res: ServerResponse, given?: object): Pick<PlanRequest, 'readBody' | 'readBytes'> {
  const readBytes = async (limitBytes: number): Promise<Uint8Array> => {
    checkArrival(req, limitBytes)
    if (given !== undefined && req.readableEnded) return kept(given, limitBytes)
    // A client of HTTP/1.0 does not wait and knows no interim answer (RFC 9110 §10.1.1).
    if (req.headers.expect !== undefined && req.httpVersionMinor > 0) res.writeContinue()
    return await receive(req, limitBytes)
  }
  return {
    readBytes,
    readBody: async limitBytes => {
      checkType(req)
      return parsed(await readBytes(limitBytes))
    }
  }
}
