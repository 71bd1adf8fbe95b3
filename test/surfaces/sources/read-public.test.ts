import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import type { Reach } from '../../../core/http/safe-fetch.ts'
import { fetchPublic } from '../../../surfaces/sources/read-public.ts'
import { otherServer } from '../../support/other-server.ts'

const bounds = { timeoutMs: 10_000, maxBytes: 1000, accept: 'application/json' }
const near: Reach = {
  protocol: 'http:',
  allows: address => address === '127.0.0.1',
  resolve: () => Promise.reject(new Error('No name is known.'))
}
const json = { 'content-type': 'application/json; charset=utf-8' }
const serving =
  (text: string | Buffer, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse): void => {
    response.writeHead(200, { ...json, ...headers }).end(text)
  }

/** A server below HTTP, which sends these bytes to whoever connects. */
async function speaking(
  t: Readonly<{ teardown: (after: () => void) => void }>,
  bytes: string,
  ends = true
): Promise<string> {
  const sockets: Socket[] = []
  const server = createTcpServer(socket => {
    sockets.push(socket)
    socket
      .on('error', () => undefined)
      .once('data', () => {
        if (ends) socket.end(bytes)
        else socket.write(bytes)
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

t.test('an answer is read, at both sides of the limit', async t => {
  const { url } = await otherServer(t, (request, response) => {
    response.writeHead(200, json).end('x'.repeat(Number(request.url?.slice(1))))
  })
  t.same(await fetchPublic(`${url}/1000`, bounds, near), { state: 'read', text: 'x'.repeat(1000) })
  t.same(await fetchPublic(`${url}/1001`, bounds, near), { state: 'unusable' })
})

t.test('only one protocol is allowed, and no user name in the address', async t => {
  const server = await otherServer(t, serving('{}'))
  for (const address of [
    server.url.replace('http:', 'https:'),
    server.url.replace('//', '//user:word@'),
    'file:///etc/hostname',
    'data:application/json,{}',
    'not an address',
    ''
  ])
    t.same(await fetchPublic(address, bounds, near), { state: 'failed' }, address)
  t.same(await fetchPublic(server.url, bounds), { state: 'failed' }, 'without a test, https alone')
  t.same(
    await fetchPublic(server.url.replace('http:', 'https:'), bounds),
    { state: 'failed' },
    'and public addresses alone'
  )
  t.strictSame(server.seen, [])
})

t.test('a name is resolved once, and the connection goes where the check looked', async t => {
  const server = await otherServer(t, serving('{}'))
  const canary = await otherServer(t, serving('{}'), '127.0.0.2')
  let asked = 0
  const turning: Reach = {
    ...near,
    resolve: () => {
      asked += 1
      return Promise.resolve([{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }])
    }
  }
  t.same(await fetchPublic(`http://gallery.example:${server.port}/feed`, bounds, turning), {
    state: 'read',
    text: '{}'
  })
  t.equal(asked, 1)
  t.strictSame(server.seen, [`GET /feed gallery.example:${server.port}`], 'under its own name')
  t.same(
    await fetchPublic(`http://gallery.example:${canary.port}/feed`, bounds, turning),
    { state: 'failed' },
    'the second lookup leads inward'
  )
  const both: Reach = {
    ...near,
    resolve: () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 }
      ])
  }
  t.same(
    await fetchPublic(`http://gallery.example:${server.port}/feed`, bounds, both),
    { state: 'failed' },
    'one of two addresses leads inward'
  )
  t.same(
    await fetchPublic(`http://gallery.example:${server.port}/feed`, bounds, {
      ...near,
      resolve: () => Promise.resolve([])
    }),
    { state: 'failed' },
    'no address at all'
  )
  t.same(
    await fetchPublic(`http://gallery.example:${server.port}/feed`, bounds, near),
    { state: 'failed' },
    'an unknown name'
  )
  t.strictSame(canary.seen, [])
})

t.test('addresses in disguise are seen through', async t => {
  const canary = await otherServer(t, serving('{}'), '127.0.0.2')
  for (const host of [
    '127.0.0.2',
    '127.2',
    '0x7f000002',
    '2130706434',
    '0177.0.0.2',
    '[::ffff:127.0.0.2]',
    '[::ffff:7f00:2]'
  ])
    t.same(await fetchPublic(`http://${host}:${canary.port}/`, bounds, near), { state: 'failed' }, host)
  t.strictSame(canary.seen, [])
})

t.test('a redirect is a status and is not followed', async t => {
  const canary = await otherServer(t, serving('{}'))
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [`${canary.url}/inside`, 'http://169.254.169.254/latest/meta-data', '/elsewhere']) {
      const { url, seen } = await otherServer(t, (_, response) => {
        response.writeHead(status, { location }).end()
      })
      t.same(await fetchPublic(url, bounds, near), { state: 'status', status })
      t.equal(seen.length, 1)
    }
  }
  t.strictSame(canary.seen, [])
})

t.test('every status but 200 is told', async t => {
  for (const status of [201, 204, 206, 304, 400, 401, 404, 429, 500, 503]) {
    const { url } = await otherServer(t, (_, response) => {
      response.writeHead(status, json).end()
    })
    t.same(await fetchPublic(url, bounds, near), { state: 'status', status })
  }
})

t.test('a server that lies about length, type or coding is not believed', async t => {
  const ask = async (text: string | Buffer, headers: Record<string, string>) =>
    fetchPublic((await otherServer(t, serving(text, headers))).url, bounds, near)
  t.same(await ask('{}', { 'content-type': 'text/html' }), { state: 'unusable' })
  t.same(await ask(gzipSync('{}'), { 'content-encoding': 'gzip' }), { state: 'unusable' })
  t.same(await ask(Buffer.from([0x22, 0xff, 0x22]), {}), { state: 'unusable' })
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  t.same(
    await fetchPublic(await speaking(t, `${head}content-length: 100\r\n\r\n{}`), bounds, near),
    { state: 'failed' },
    'less than was declared'
  )
  // Whether the parser complains before or after the declared end has been handed over is a matter of timing.
  const more = await fetchPublic(
    await speaking(t, `${head}content-length: 2\r\n\r\n{}${'x'.repeat(5000)}`),
    bounds,
    near
  )
  t.ok(more.state === 'failed' || (more.state === 'read' && more.text === '{}'), 'more than was declared is not read')
  t.same(
    await fetchPublic(await speaking(t, `${head}content-length: 1000000000\r\n\r\n{}`, false), bounds, near),
    { state: 'unusable' },
    'a gigabyte is declared, and not waited for'
  )
  t.same(
    await fetchPublic(await speaking(t, `${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`), bounds, near),
    { state: 'failed' },
    'the last chunk is missing'
  )
  t.same(
    await fetchPublic(await speaking(t, `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`), bounds, near),
    { state: 'failed' },
    'two lengths'
  )
  t.same(await fetchPublic(await speaking(t, 'SSH-2.0-no\r\n'), bounds, near), { state: 'failed' }, 'another protocol')
  t.same(await fetchPublic(await speaking(t, ''), bounds, near), { state: 'failed' }, 'nothing')
})

t.test('a gigabyte is cut off where the limit is', async t => {
  let sent = 0
  const { url } = await otherServer(t, (_, response) => {
    response.writeHead(200, json)
    const chunk = 'x'.repeat(65_536)
    const write = (): void => {
      while (!response.destroyed && sent < 1_073_741_824) {
        sent += chunk.length
        if (!response.write(chunk)) return
      }
    }
    response.on('drain', write)
    write()
  })
  t.same(await fetchPublic(url, { ...bounds, maxBytes: 1_048_576 }, near), { state: 'unusable' })
  t.ok(sent < 100_000_000, `${sent} bytes were sent`)
})

t.test('the time limit covers silence, drops and a lookup without end', async t => {
  const short = { ...bounds, timeoutMs: 100 }
  const silent = await otherServer(t, () => undefined)
  t.same(await fetchPublic(silent.url, short, near), { state: 'timeout' })
  const dripping = await otherServer(t, (_, response) => {
    response.writeHead(200, json)
    const timer = setInterval(() => {
      response.write(' ')
    }, 10)
    response.on('close', () => {
      clearInterval(timer)
    })
  })
  t.same(await fetchPublic(dripping.url, short, near), { state: 'timeout' })
  t.same(
    await fetchPublic('http://gallery.example/', short, { ...near, resolve: () => new Promise(() => undefined) }),
    { state: 'timeout' }
  )
  t.same(await fetchPublic('http://127.0.0.1:1/', bounds, near), { state: 'failed' }, 'nobody listens')
})
