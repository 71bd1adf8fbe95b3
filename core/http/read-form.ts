import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import Koa from 'koa'
import { bodyTooLarge, SurfaceError } from '../handler/errors.ts'
import type { PartHead, SentForm } from '../plan/request.ts'
import { formType, jsonType, partsType } from '../vocabulary/words.ts'

const closing = { Connection: 'close' }

const refused = (message: string): SurfaceError => new SurfaceError('INVALID_INPUT', message, { headers: closing })

const koa = new Koa()

/** The bytes of a request, at most so many: where there are more, they end with 413. `end`: the last of them. */
function limited(
  req: IncomingMessage,
  limitBytes: number
): Readonly<{ bytes: PassThrough & Pick<IncomingMessage, 'headers'>; end: () => string }> {
  let length = 0
  let last = ''
  const bytes = new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length
      last = (last + chunk.toString('latin1', Math.max(0, chunk.length - 8))).slice(-8)
      if (length > limitBytes) done(bodyTooLarge(limitBytes, closing))
      else done(null, chunk)
    }
  })
  const onGone = (): void => {
    if (!req.readableEnded) bytes.destroy(refused('The body ended before it was complete.'))
  }
  req.once('close', onGone).once('error', onGone)
  bytes.once('close', () => {
    req.off('close', onGone).off('error', onGone).unpipe(bytes).pause()
  })
  return { bytes: Object.assign(req.pipe(bytes), { headers: req.headers }), end: () => last }
}

/** A part as formidable cuts it: a stream of its bytes. */
type Part = Readonly<{
  name: string | null
  originalFilename: string | null
  mimetype: string | null
  transferEncoding?: string
  on: (event: 'data' | 'end', listener: (chunk: Buffer) => void) => unknown
}>

/**
 * Holds what parts bring, as far as `opens` lets it in. `stop` hears why the others are not read: formidable would lose
 * what is thrown.
 */
function collect(
  opens: (head: PartHead) => number,
  stop: (error: Error) => void
): Readonly<{ parts: () => readonly (PartHead & { bytes: Uint8Array })[]; onPart: (part: Part) => void }> {
  const parts: (PartHead & { bytes: Uint8Array })[] = []
  let failure: Error | undefined
  const fail = (error: Error): void => {
    failure ??= error
    stop(failure)
  }
  const onPart = (part: Part): void => {
    if (failure !== undefined) return
    const { name, originalFilename, mimetype, transferEncoding } = part
    const head = { name: name ?? '', fileName: originalFilename ?? undefined, type: mimetype ?? '' }
    const chunks: Buffer[] = []
    let [length, most] = [0, 0]
    try {
      if (transferEncoding !== 'binary') throw refused('The parts of a form must have no transfer encoding.')
      most = opens(head)
    } catch (error) {
      fail(error as Error)
    }
    part.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= most) chunks.push(chunk)
      else fail(bodyTooLarge(most, closing, head.name))
    })
    part.on('end', () => {
      parts.push({ ...head, bytes: Buffer.concat(chunks) })
    })
  }
  return {
    onPart,
    parts: () => {
      if (failure !== undefined) throw failure
      return parts
    }
  }
}

/**
 * Reads a form with koa-body, which is loaded with the first one. It takes the bytes off the connection and cuts the
 * parts. What they mean, and whether they may be there, is for who asks to say: its own parsers replace what is no
 * UTF-8. Parts are held in memory, and nothing is written.
 */
export async function readForm(
  req: IncomingMessage,
  res: ServerResponse,
  limitBytes: number,
  opens: (head: PartHead) => number
): Promise<SentForm> {
  const { koaBody } = await import('koa-body')
  const { bytes, end } = limited(req, limitBytes)
  const { parts, onPart } = collect(opens, error => bytes.destroy(error))
  const ctx = Object.assign(koa.createContext(req, res), { req: bytes })
  const read = koaBody({
    json: false,
    urlencoded: false,
    // Text in latin1 has each byte as it came.
    text: true,
    textTypes: [formType, jsonType],
    textLimit: limitBytes,
    encoding: 'latin1',
    multipart: true,
    multipartTypes: [partsType],
    formidable: { encoding: 'binary', onPart }
  })
  const isRead = finished(bytes)
  try {
    const isCut = read(ctx, () => Promise.resolve()) as Promise<unknown>
    // A form that was refused is not waited for.
    await Promise.race([isCut, isRead.then(() => isCut)])
    bytes.resume()
    await isRead
  } catch (error) {
    bytes.destroy()
    throw error instanceof SurfaceError ? error : refused('The parts of the form cannot be read.')
  }
  const { body } = ctx.request as { body?: unknown }
  if (typeof body === 'string') return { pairs: Buffer.from(body, 'latin1') }
  // Formidable takes a form that ends where another part could begin (RFC 2046 §5.1.1).
  if (!end().trimEnd().endsWith('--')) throw refused('The form has no end: its last boundary is missing.')
  return { parts: parts() }
}
