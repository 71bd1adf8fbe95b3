/** Bare node:http that sends the bytes Pantry would send, held in memory: the most that Node can do. */
import { createServer } from 'node:http'
import { linkFor, type Answered } from '../sample.ts'
import { report, sample } from './common.ts'

type Held = Readonly<{ status: number; headers: string[]; body: string }>

const held = ({ status, headers, etag = '' }: Answered, path: string, body: string): Held => ({
  status,
  body,
  headers: [
    ...Object.entries(headers).flatMap(([name, value]) => [
      name,
      name === 'link' && path !== '' ? linkFor(value, path) : value
    ]),
    'Content-Type',
    'application/json; charset=utf-8',
    'ETag',
    etag,
    'X-Request-Id',
    'req_0000000000000000',
    'RateLimit-Remaining',
    '59',
    'RateLimit-Reset',
    '59',
    'Content-Length',
    String(Buffer.byteLength(body))
  ]
})
const byPath = new Map(
  sample.fixed.flatMap(answered =>
    Object.entries(answered.bodies).map(([key, body]) => {
      const path = answered.route.replace(':key', key)
      return [path, held(answered, path, body)]
    })
  )
)
/** Any card is the same here, but for the links that name it. */
const card = held(sample.card, '', sample.card.bodies[''] ?? '')
const linkAt = card.headers.indexOf('link') + 1
const cardAt = (path: string): Held => ({
  ...card,
  headers: card.headers.with(linkAt, linkFor(card.headers[linkAt] ?? '', path))
})

const server = createServer((req, res) => {
  const { status, headers, body } = byPath.get(req.url ?? '') ?? cardAt(req.url ?? '')
  res.writeHead(status, headers)
  res.end(body)
})
server.listen(0, '127.0.0.1', () => {
  report(server)
})
