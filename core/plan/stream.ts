// Answers that are sent while they are read, in memory that does not grow with them.
import { pipeline, Readable } from 'node:stream'
import { quotedList } from '../diagnostics/diagnostic.ts'
import type { FormatModule } from '../format/format.ts'
import { formatModules, streamable, type Format } from '../format/index.ts'
import { SurfaceError, unavailable } from '../handler/errors.ts'
import type { Surface } from '../manifest/surface.ts'
import { compressor } from './codings.ts'
import type { FailureResponder } from './failure.ts'
import { stamps, type HeadWriter } from './head.ts'
import type { EntryStream, Result } from './kind.ts'
import type { Answer, PlanRequest } from './request.ts'
import { both, codingFor, levels } from './write.ts'

/** Streams of a process at a time: fewer than the connections of a pool, so that some are left for other requests. */
const mostOpen = 3
/** Milliseconds after which a stream is cut, so that a slow client does not keep the place of others. */
const mostMs = 600_000
const retryAfterSeconds = 10

const modules: Readonly<Record<Format, FormatModule>> = formatModules

let open = 0

/** Hears an error that was reported, or that only says that the client has left. */
const ignore = (): void => undefined

const allOpen = (): SurfaceError =>
  unavailable('As many lists as possible are sent as a whole now. Please try again in a moment.', retryAfterSeconds, {
    subsystem: 'streams'
  })

const refuse = (field: string, message: string, allowed?: readonly string[]): never => {
  throw new SurfaceError('INVALID_INPUT', message, {
    details: { in: 'query', field, ...(allowed === undefined ? {} : { allowed }) }
  })
}

type Parts = NonNullable<FormatModule['parts']>

type Batch = IteratorResult<Parameters<Parts['write']>[0], unknown>

/** Writes entries as the bytes of a format. `next` returns some more; it has given `first` already. */
async function* bytesOf(
  { begin, write }: Parts,
  columns: EntryStream['columns'],
  first: Batch,
  next: () => Promise<Batch>
): AsyncGenerator<Buffer> {
  const head = begin(columns)
  if (head !== '') yield Buffer.from(head)
  for (let batch = first; batch.done !== true; batch = await next()) yield Buffer.from(write(batch.value, columns))
}

type StreamWriter = (result: Result, stream: EntryStream, format: Format, request: PlanRequest) => Promise<Answer>

/**
 * Returns a function that begins to send all entries of a list. It rejects with 400 for a format that cannot be written
 * in parts, with 503 while too many streams are open, and with what the first entries reject with: nothing has been
 * sent until then. What fails later destroys the stream.
 */
export function compileStream(surface: Surface, headsOf: HeadWriter, failure: FailureResponder): StreamWriter {
  const offered = surface.formats.filter(name => streamable.includes(name))

  /** Opens the stream of the bytes, which has its place until it is closed. */
  async function openBytes(stream: EntryStream, parts: Parts, request: PlanRequest): Promise<Readable> {
    if (open >= mostOpen) throw allOpen()
    open += 1
    try {
      await stream.check()
      const batches = stream.read()[Symbol.asyncIterator]()
      const next = async (): Promise<Batch> => {
        try {
          return await batches.next()
        } catch (error) {
          // What fails after the client has left, nobody misses.
          if (!bytes.destroyed) failure.ofCut(error, request, surface)
          throw error
        }
      }
      const bytes = Readable.from(bytesOf(parts, stream.columns, await batches.next(), next), { objectMode: false })
      const timer = setTimeout(() => {
        const late = new Error(`It took longer than ${mostMs / 1000} seconds.`)
        failure.ofCut(late, request, surface)
        bytes.destroy(late)
      }, mostMs).unref()
      return bytes.on('error', ignore).once('close', () => {
        clearTimeout(timer)
        open -= 1
      })
    } catch (error) {
      open -= 1
      throw error
    }
  }

  return async (result, stream, format, request) => {
    const { mediaType, parts } = modules[format] ?? formatModules.json
    if (parts === undefined)
      return refuse('format', `All entries can be had as ${quotedList(offered, ' or ')}.`, offered)
    if (request.depth !== undefined) return refuse('all', 'A surface cannot ask another one for all entries.')
    const coding = codingFor(request, both)
    const headers = { ...result.headers, 'Content-Disposition': `attachment; filename="${stream.name}.${format}"` }
    const text = { mediaType, etag: () => undefined }
    const { control, head } = headsOf({ ...result, headers }, text, request.path, request.method)
    const answer = {
      status: result.status,
      head: head + stamps(request, control) + (coding === 'identity' ? '' : `Content-Encoding: ${coding}\r\n`),
      body: '',
      encoding: 'latin1'
    } as const
    if (request.method === 'HEAD') {
      await stream.check()
      return { ...answer, stream: Readable.from([]) }
    }
    const bytes = await openBytes(stream, parts, request)
    if (coding === 'identity') return { ...answer, stream: bytes }
    // Each end of the pipeline, when it is destroyed, destroys the other.
    return { ...answer, stream: pipeline(bytes, compressor(coding, levels), ignore).on('error', ignore) }
  }
}
