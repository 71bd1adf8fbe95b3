/** Bare node:http that sends the bytes Pantry would send, held in memory: the most that Node can do. */
import { createServer } from 'node:http'
import { keyOf, report, sample } from './common.ts'

const headers = sample.headers.flat()
const bodies = new Map(Object.entries(sample.bodies))
const [firstKey = ''] = bodies.keys()

const server = createServer((req, res) => {
  const body = sample.status === 304 ? '' : bodies.get(sample.scenario === 'card' ? firstKey : keyOf(req.url ?? '')) ?? ''
  res.writeHead(sample.status, body === '' ? headers : [...headers, 'Content-Length', String(Buffer.byteLength(body))])
  res.end(body)
})
server.listen(0, '127.0.0.1', () => { report(server) })
