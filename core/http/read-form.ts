import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { KoaBodyMiddlewareOptions } from 'koa-body'
import { bodyTooLarge, SurfaceError } from '../handler/errors.ts'
import { hasParts, mediaTypeOf } from '../plan/form.ts'
import type { PartHead, SentForm } from '../plan/request.ts'
import { formType, jsonType, partsType } from '../vocabulary/words.ts'

const closing = { Connection: 'close' }

const refused = (message: string): SurfaceError => new SurfaceError('INVALID_INPUT', message, { headers: closing })

/** The bytes of a body, at most so many: where there are more, they end with 413. `end`: the last of them. */
function limited(source: Readable, limitBytes: number): Readonly<{ bytes: PassThrough; end: () => string }> {
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
    if (!source.readableEnded) bytes.destroy(refused('The body ended before it was complete.'))
  }
  source.once('close', onGone).once('error', onGone)
  bytes.once('close', () => {
    source.off('close', onGone).off('error', onGone).unpipe(bytes).pause()
  })
  source.pipe(bytes)
  // Whoever has left before says so no more.
  if (source.destroyed) onGone()
  return { bytes, end: () => last }
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
      else fail(bodyTooLarge(most, closing, Buffer.from(head.name, 'latin1').toString()))
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

/** The file name in a `Content-Disposition` as it was sent (RFC 7578 §4.2); null where there is none. */
const fileNameIn = (disposition: string): string | null => {
  const [, quoted, bare] = /;[ \t]*filename=(?:"([^"]*)"|([^\s";]+))/i.exec(disposition) ?? []
  return quoted ?? bare ?? null
}

/** Formidable reads file names in quadratic time, and changes them. This plugin of it has ours read instead. */
const withFileNames = <Form extends object>(form: Form): Form => Object.assign(form, { _getFileName: fileNameIn })

/** koa-body, as it takes each byte as it came: text in latin1, and parts without the stores of formidable. */
async function readerOf(onPart: (part: Part) => void) {
  const [{ koaBody }, { multipart }] = await Promise.all([import('koa-body'), import('formidable')])
  const formidable = { encoding: 'binary', enabledPlugins: [multipart, withFileNames], onPart }
  return koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: [formType, jsonType],
    // How much may come is our matter.
    textLimit: Number.MAX_SAFE_INTEGER,
    encoding: 'latin1',
    multipart: true,
    multipartTypes: [partsType],
    // Its types know the encodings of Node, and no plugins.
    formidable: formidable as NonNullable<KoaBodyMiddlewareOptions['formidable']>
  })
}

/**
 * Reads a form with koa-body, which is loaded with the first one. It takes the bytes off the connection and cuts the
 * parts. What they mean, and whether they may be there, is for who asks to say: its own parsers replace what is no
 * UTF-8. A body without parts is given as its bytes. Parts are held in memory, and nothing is written.
 */
export async function readForm(
  source: Readable & Readonly<{ headers: IncomingHttpHeaders }>,
  limitBytes: number,
  opens: (head: PartHead) => number
): Promise<SentForm> {
  const { parts, onPart } = collect(opens, error => {
    bytes.destroy(error)
  })
  const read = await readerOf(onPart)
  const { bytes, end } = limited(source, limitBytes)
  const type = source.headers['content-type'] ?? ''
  const request: { body?: unknown } = {}
  // What koa-body asks of a context. How the body came, and how long it said it was, was judged before.
  const ctx = {
    method: 'POST',
    is: (types: readonly string[]) => types.includes(mediaTypeOf(type)),
    req: Object.assign(bytes, { headers: { 'content-type': type, 'transfer-encoding': 'chunked' } }),
    request
  }
  const isRead = finished(bytes)
  try {
    const isCut = read(ctx as never, () => Promise.resolve()) as Promise<unknown>
    // A form that was refused is not waited for.
    await Promise.race([isCut, isRead.then(() => isCut)])
    bytes.resume()
    await isRead
  } catch (error) {
    bytes.destroy()
    throw error instanceof SurfaceError ? error : refused('The parts of the form cannot be read.')
  }
  const { body = '' } = request
  if (typeof body === 'string' && !hasParts(source.headers)) return { pairs: Buffer.from(body, 'latin1') }
  // Formidable takes a form that ends where another part could begin (RFC 2046 §5.1.1).
  if (!end().trimEnd().endsWith('--')) throw refused('The form does not end with its last boundary.')
  return { parts: parts() }
}
