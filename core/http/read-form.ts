import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { KoaBodyMiddlewareOptions } from 'koa-body'
import { bodyTooLarge, SurfaceError } from '../handler/errors.ts'
import { closing, isMultipart, mediaTypeOf } from '../plan/read.ts'
import type { FormPart, PartHead, SentForm } from '../plan/request.ts'
import { formType, jsonType, multipartType } from '../vocabulary/words.ts'

const refused = (message: string): SurfaceError => new SurfaceError('INVALID_INPUT', message, closing)

export const endedEarly = (): SurfaceError => refused('The body ended before it was complete.')

export const tooLarge = (limitBytes: number, field?: string): SurfaceError =>
  bodyTooLarge(limitBytes, closing.headers, field)

/**
 * Returns a stream of the bytes of a body, which fails with 413 above `limitBytes` and with 400 at an early end. `end`
 * returns the last 8 bytes.
 */
function limited(source: Readable, limitBytes: number): Readonly<{ bytes: PassThrough; end: () => string }> {
  let length = 0
  let last = ''
  const bytes = new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length
      last = (last + chunk.toString('latin1', Math.max(0, chunk.length - 8))).slice(-8)
      if (length > limitBytes) done(tooLarge(limitBytes))
      else done(null, chunk)
    }
  })
  const onGone = (): void => {
    if (!source.readableEnded) bytes.destroy(endedEarly())
  }
  source.once('close', onGone).once('error', onGone)
  bytes.once('close', () => {
    source.off('close', onGone).off('error', onGone).unpipe(bytes).pause()
  })
  source.pipe(bytes)
  // If the client has disconnected already, no further `close` event comes.
  if (source.destroyed) onGone()
  return { bytes, end: () => last }
}

/** A part of a form as formidable emits it. */
type Part = Readonly<{
  name: string | null
  originalFilename: string | null
  mimetype: string | null
  transferEncoding?: string
  on: (event: 'data' | 'end', listener: (chunk: Buffer) => void) => unknown
}>

/**
 * Collects the parts that `opens` accepts. After an error, `stop` is called with the first one, because formidable
 * would lose it; `parts` throws that error.
 */
function collect(
  opens: (head: PartHead) => number,
  stop: (error: Error) => void
): Readonly<{ parts: () => readonly FormPart[]; onPart: (part: Part) => void }> {
  const parts: FormPart[] = []
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
      else fail(tooLarge(most, Buffer.from(head.name, 'latin1').toString()))
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

/** Returns the file name in a `Content-Disposition` as it was sent (RFC 7578 §4.2), or null. */
const fileNameIn = (disposition: string): string | null => {
  const [, quoted, bare] = /;[ \t]*filename=(?:"([^"]*)"|([^\s";]+))/i.exec(disposition) ?? []
  return quoted ?? bare ?? null
}

/** A formidable plugin that replaces its file name parser, which takes quadratic time and changes the names. */
const withFileNames = <Form extends object>(form: Form): Form => Object.assign(form, { _getFileName: fileNameIn })

/** Configures koa-body to keep every byte: text as latin1, and parts without temporary files. */
async function readerOf(onPart: (part: Part) => void) {
  const [{ koaBody }, { multipart }] = await Promise.all([import('koa-body'), import('formidable')])
  const formidable = { encoding: 'binary', enabledPlugins: [multipart, withFileNames], onPart }
  return koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: [formType, jsonType],
    // `limited` enforces the size limit.
    textLimit: Number.MAX_SAFE_INTEGER,
    encoding: 'latin1',
    multipart: true,
    multipartTypes: [multipartType],
    // The types of koa-body know only the encodings of Node, and no plugins.
    formidable: formidable as NonNullable<KoaBodyMiddlewareOptions['formidable']>
  })
}

/**
 * Reads a form with koa-body, which here only reads the bytes and splits the parts: its parsers would replace invalid
 * UTF-8. Nothing is written to disk.
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
  // What koa-body uses of a Koa context. The real transfer coding and length were checked before.
  const ctx = {
    method: 'POST',
    is: (types: readonly string[]) => types.includes(mediaTypeOf(type)),
    req: Object.assign(bytes, { headers: { 'content-type': type, 'transfer-encoding': 'chunked' } }),
    request
  }
  const isRead = finished(bytes)
  try {
    const isCut = read(ctx as never, () => Promise.resolve()) as Promise<unknown>
    // After a refusal, do not wait for koa-body.
    await Promise.race([isCut, isRead.then(() => isCut)])
    bytes.resume()
    await isRead
  } catch (error) {
    bytes.destroy()
    throw error instanceof SurfaceError ? error : refused('The parts of the form cannot be read.')
  }
  const { body = '' } = request
  if (typeof body === 'string' && !isMultipart(source.headers)) return { pairs: Buffer.from(body, 'latin1') }
  // Formidable accepts a form that ends after any boundary, not only the closing one (RFC 2046 §5.1.1).
  if (!end().trimEnd().endsWith('--')) throw refused('The form does not end with its last boundary.')
  return { parts: parts() }
}
