import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createSurfaceServer, stopServer, type ServerLimits } from '../../../core/http/server.ts'
import { SurfaceApp } from '../../../core/http/surface-app.ts'
import { generationOf, library } from '../../support/serve-root.ts'

async function listening (t: Test, limits: Partial<ServerLimits>): Promise<{ port: number, app: SurfaceApp, server: ReturnType<typeof createSurfaceServer> }> {
  const app = new SurfaceApp({ generation: await generationOf(t, [library]) })
  const server = createSurfaceServer(app, undefined, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections() })
  return { port: (server.address() as AddressInfo).port, app, server }
}

/** Everything the server sends on a connection until it closes it. */
async function talk (port: number, text: string, then?: (write: (more: string) => void) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let out = ''
  socket.on('data', data => { out += data.toString() })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  then?.(more => { socket.write(more) })
  await once(socket, 'close')
  return out
}

t.test('a header section that never ends is given up', async t => {
  const { port, server } = await listening(t, { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => talk(port, 'GET /api/v1/ HTTP/1.1\r\nHost: a\r\nX-Slow: ')))
  for (const answer of answers) t.match(answer, /^(HTTP\/1\.1 408 |$)/)
  server.close()
})

t.test('a body that never ends is given up', async t => {
  const { port, server } = await listening(t, { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 })
  const answer = await talk(port, 'POST /api/v1/library/reading-note HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{')
  t.notMatch(answer, /^HTTP\/1\.1 [25]00 /)
  server.close()
})

t.test('a header section that is too large is refused in the shape of all errors', async t => {
  const { port, server } = await listening(t, {})
  const answer = await talk(port, `GET /api/v1/ HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`)
  t.match(answer, /^HTTP\/1\.1 431 /)
  t.match(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''), { error: { code: 'INVALID_INPUT', status: 431 } })
  server.close()
})

t.test('a stopping server finishes what it has begun and says that it closes', async t => {
  const { port, app, server } = await listening(t, {})
  const body = JSON.stringify({ isbn: '9780141439518', note: 'kept going' })
  let stopped: Promise<void> | undefined
  const answer = await talk(port, `POST /api/v1/library/reading-note HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`, write => {
    setTimeout(() => {
      stopped = stopServer(server, app, 5000)
      write(body.slice(5))
    }, 100)
  })
  t.match(answer, /^HTTP\/1\.1 200 /)
  t.match(answer, /connection: close/i)
  t.match(answer, 'kept going')
  await stopped
  await t.rejects(talk(port, 'GET / HTTP/1.1\r\n\r\n'), 'nothing listens any more')
})
