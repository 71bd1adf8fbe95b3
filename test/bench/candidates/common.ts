import { readFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { linkFor, type Answered, type Sample } from '../sample.ts'

export const sample = JSON.parse(readFileSync(process.env['BENCH_SAMPLE'] ?? '', 'utf8')) as Sample

/** Other routes of a service of this size, so that routing costs what it would. */
export const otherPaths: readonly string[] = Array.from({ length: 160 }, (_, index) =>
  index % 4 === 0 ? `/api/v1/area-${index}/thing/:key` : `/api/v1/area-${index}/list`
)

export type Document = Readonly<Record<string, unknown>>

export const parsed = ({ bodies }: Answered): ReadonlyMap<string, Document> =>
  new Map(Object.entries(bodies).map(([key, body]) => [key, JSON.parse(body) as Document]))

/** The only example of an answer from the database. */
export const exampleOf = (answered: Answered): Document => parsed(answered).get('') ?? {}

let count = 0
export const nextId = (): string => `req_${(count += 1).toString(36).padStart(16, '0')}`

/** The headers of an answer to one request: its path, its id, and what remains of the minute. */
export function headersOf({ headers }: Answered, path: string, id: string): Record<string, string> {
  const { link } = headers
  return {
    ...headers,
    ...(link === undefined ? {} : { link: linkFor(link, path) }),
    'X-Request-Id': id,
    'RateLimit-Remaining': String(60 - (count % 60)),
    'RateLimit-Reset': String(60 - (Math.floor(Date.now() / 1000) % 60))
  }
}

/**
 * A document with the stamps of a request, as an ordinary handler would build it; with its path where that is not known
 * before.
 */
export function stamped(document: Document, id: string, path?: string): Document {
  const { _meta: meta } = document as { _meta?: Document }
  if (meta === undefined) return document
  const time = new Date().toISOString()
  return {
    ...document,
    _meta: {
      ...meta,
      retrieved_at: time,
      ...('as_of' in meta ? { as_of: time } : {}),
      ...(path === undefined ? {} : { endpoint: path }),
      request_id: id
    }
  }
}

/** Tells the bench the port. */
export function report(server: Server): void {
  process.send?.({ port: (server.address() as AddressInfo).port })
  process.on('disconnect', () => process.exit(0))
}
