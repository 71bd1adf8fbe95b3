import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { mayBeAsked } from '../../../core/http/public-address.ts'
import { safeFetch, type Reach } from '../../../core/http/safe-fetch.ts'
import { pantry } from '../../support/command-line.ts'
import { otherServer } from '../../support/other-server.ts'

// Where a connection goes, and what is made of answers that lie, is tried in test/surfaces/sources/read-public.test.ts.
const near: Reach = {
  protocol: 'http:',
  allows: address => address === '127.0.0.1',
  resolve: () => Promise.reject(new Error('No name is known.'))
}

t.test('what is sent arrives, and every status comes back with its body', async t => {
  const got: unknown[] = []
  const { url, port } = await otherServer(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { host, 'x-id': id, 'content-length': length } = request.headers
      got.push({ method: request.method, host, id, length, body: Buffer.concat(chunks).toString() })
      response.writeHead(410, { 'x-why': 'moved away' }).end('gone')
    })
  })
  const answer = await safeFetch(
    `${url}/hook`,
    { method: 'POST', body: '{"a":1}', headers: { 'X-Id': '7', Host: 'inside.example' } },
    near
  )
  t.match(answer, { state: 'answered', status: 410, headers: { 'x-why': 'moved away' } })
  t.equal(answer.state === 'answered' && answer.bytes.toString(), 'gone')
  t.same(got, [{ method: 'POST', host: `127.0.0.1:${port}`, id: '7', length: '7', body: '{"a":1}' }])
})

t.test('an answer has 64 KB at most unless more is asked for', async t => {
  const { url } = await otherServer(t, (_, response) => {
    response.writeHead(500).end('x'.repeat(65_537))
  })
  t.same(await safeFetch(url, {}, near), { state: 'too-large', status: 500 })
  t.match(await safeFetch(url, { maxBytes: 65_537 }, near), { state: 'answered', status: 500 })
})

t.test('a signal ends a request, before it begins or while it waits', async t => {
  const { url, seen } = await otherServer(t, () => undefined)
  t.same(await safeFetch(url, { signal: AbortSignal.abort() }, near), { state: 'failed', code: 'ABORTED' })
  const stop = new AbortController()
  const asked = safeFetch(url, { signal: stop.signal, timeoutMs: 60_000 }, near)
  stop.abort()
  t.same(await asked, { state: 'failed', code: 'ABORTED' })
  t.ok(seen.length <= 1)
})

t.test('by itself it asks public addresses by HTTPS alone', async t => {
  const { url, seen } = await otherServer(t, (_, response) => response.end())
  for (const address of [url, url.replace('http:', 'https:'), url.replace('http://127.0.0.1', 'https://localhost')])
    t.same(await safeFetch(address), { state: 'refused' }, address)
  t.same(await safeFetch('https://[::ffff:127.0.0.1]/'), { state: 'refused' })
  t.same(await safeFetch('https://name@example.org/'), { state: 'refused' })
  t.match(await safeFetch('http://127.0.0.1:1/', {}, near), { state: 'failed', code: 'ECONNREFUSED' })
  t.strictSame(seen, [])
})

t.test('the operator lists the private networks that may be asked', async t => {
  const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    delete process.env['PANTRY_OUTGOING_NETWORKS']
  })
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  t.same(await safeFetch(address), { state: 'refused' })
  process.env['PANTRY_OUTGOING_NETWORKS'] = '127.0.0.0/8, fd00:1::/32'
  const reached = once(server, 'connection')
  t.match(await safeFetch(address), { state: 'failed' }, 'the server speaks no TLS')
  await reached
  for (const [one, may] of [
    ['fd00:1:2::3', true],
    ['fd00:2::3', false],
    ['::ffff:127.0.0.9', true],
    ['10.0.0.1', false],
    ['9.9.9.9', true],
    ['localhost', false]
  ] as const)
    t.equal(mayBeAsked(one), may, one)
})

t.test('a network that is none is told at start', async t => {
  t.match(await pantry(['config'], { PANTRY_OUTGOING_NETWORKS: '10.0.0.0/8,10.0.0/8' }), {
    code: 2,
    stderr: /PANTRY_OUTGOING_NETWORKS must be addresses, networks such as 10\.0\.0\.0\/8, .* but it has `10\.0\.0\/8`/
  })
})
