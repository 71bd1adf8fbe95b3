// test: slow.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { library } from '../support/command-line.ts'
import { startService, stopService, type Service } from '../support/service.ts'

const serving = (t: Test, env: NodeJS.ProcessEnv = {}): Promise<Service> =>
  startService(t, { args: ['--root', library], env, isLogRead: false })

async function half(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

t.test('SIGTERM ends the process although clients have sent half of a request, on every port', async t => {
  const { child, url, adminUrl } = await serving(t)
  const sockets = await Promise.all([
    half(adminUrl, 'GET /metrics HTTP/1.1\r\nHost: x\r\n'),
    half(url, 'GET / HTTP/1.1\r\nHost: x\r\n'),
    half(
      url,
      'POST /api/v1/library/books HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
    ),
    half(url, ''),
    half(adminUrl, '')
  ])
  t.equal(await stopService({ child }), 0)
  for (const socket of sockets) socket.destroy()
})

t.test('a log that nobody reads keeps no answer, and no process that is asked to stop', async t => {
  const { child, url } = await serving(t, { LOG_LEVEL: 'debug' })
  // A line is about 170 bytes, a pipe holds 64 KiB.
  for (let round = 0; round < 30; round++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${url}/api/v1/library/books`, { signal: AbortSignal.timeout(20_000) }))
    )
    for (const answer of answers) await answer.body?.cancel()
  }
  t.equal((await fetch(`${url}/api/v1/library/books`)).status, 200)
  t.equal(await stopService({ child }), 0)
})
