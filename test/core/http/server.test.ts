import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { createSurfaceServer, stopServer, SurfaceApp, type ServerLimits } from '../../../core/http/server.ts'
import { generationOf, library } from '../../support/serve-root.ts'

async function listening(
  t: Test,
  limits: Partial<ServerLimits>
): Promise<{ port: number; app: SurfaceApp; server: ReturnType<typeof createSurfaceServer> }> {
  const app = new SurfaceApp({ generation: await generationOf(t, [library]) })
  const server = createSurfaceServer(app, {}, limits)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, app, server }
}

/** Everything the server sends on a connection until it closes it. */
async function talk(port: number, text: string, then?: (write: (more: string) => void) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let out = ''
  socket.on('data', data => {
    out += data.toString()
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  then?.(more => {
    socket.write(more)
  })
  await once(socket, 'close')
  return out
}

t.test('a header section that never ends is given up', async t => {
  const { port, server } = await listening(t, {
    headersTimeout: 300,
    requestTimeout: 600,
    connectionsCheckingInterval: 50
  })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => talk(port, 'GET /api/v1/ HTTP/1.1\r\nHost: a\r\nX-Slow: '))
  )
  for (const answer of answers) t.match(answer, /^(HTTP\/1\.1 408 |$)/)
  server.close()
})

t.test('a body that never ends is given up', async t => {
  const { port, server } = await listening(t, {
    headersTimeout: 300,
    requestTimeout: 600,
    connectionsCheckingInterval: 50
  })
  const answer = await talk(
    port,
    'POST /api/v1/library/reading-note HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{'
  )
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

/** Status and body of the first answer that is not an interim one, and whether it has the headers of every answer. */
function first(text: string): { status: number; code: string | undefined; complete: boolean } {
  const [head = '', body = ''] = text.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n)+/, '').split('\r\n\r\n')
  const { error } = JSON.parse(body) as { error?: { code: string } }
  const complete =
    [
      'Access-Control-Allow-Origin: *',
      'X-Content-Type-Options: nosniff',
      'X-Request-Id: req_',
      'Cache-Control: no-store'
    ].every(field => head.includes(field)) && head.match(/^connection:/gim)?.length === 1
  return { status: Number(head.split(' ')[1]), code: error?.code, complete }
}

t.test(
  'whatever is refused before it is a request has one shape, the headers of every answer, and one Connection field',
  async t => {
    const { port, server } = await listening(t, {})
    const many = Array.from({ length: 100 }, (_, index) => `X-${index}: 1\r\n`).join('')
    const post = 'POST /api/v1/library/reading-note HTTP/1.1\r\nContent-Type: application/json\r\n'
    const cases: [string, string, number, string][] = [
      ['no host', 'GET /api/v1/ HTTP/1.1\r\n\r\n', 400, 'INVALID_INPUT'],
      ['a host that is none', 'GET /api/v1/ HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'INVALID_INPUT'],
      [
        'a second host behind many fields',
        `GET /api/v1/ HTTP/1.1\r\nHost: a\r\n${many}Host: b\r\n\r\n`,
        400,
        'INVALID_INPUT'
      ],
      [
        'a coding behind many fields',
        `${post}Host: a\r\n${many}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
        400,
        'INVALID_INPUT'
      ],
      [
        'an expectation that is not met',
        `${post}Host: a\r\nExpect: all\r\nContent-Length: 2\r\n\r\n{}`,
        400,
        'INVALID_INPUT'
      ],
      [
        'a transfer coding',
        `${post}Host: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
        415,
        'UNSUPPORTED_MEDIA_TYPE'
      ],
      [
        'a type',
        'POST /api/v1/library/reading-note HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}',
        415,
        'UNSUPPORTED_MEDIA_TYPE'
      ],
      [
        'a length and chunks',
        `${post}Host: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        400,
        'INVALID_INPUT'
      ],
      ['a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
      [
        'a long path',
        `GET /api/v1/${'"'.repeat(8000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        400,
        'INVALID_INPUT'
      ],
      ['nonsense', 'nonsense\r\n\r\n', 400, 'INVALID_INPUT']
    ]
    for (const [name, text, status, code] of cases) {
      const answer = await talk(port, text)
      t.strictSame(first(answer), { status, code, complete: true }, name)
      t.ok(answer.indexOf('\r\n\r\n') < 16_384, `${name}: the header section fits common clients`)
    }
    server.close()
  }
)

t.test('a client of HTTP/1.0 gets no interim answer and needs no host', async t => {
  const { port, server } = await listening(t, {})
  const body = JSON.stringify({ isbn: '9780141439518', note: 'old' })
  t.match(
    await talk(
      port,
      `POST /api/v1/library/reading-note HTTP/1.0\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    ),
    /^HTTP\/1\.1 200 /
  )
  server.close()
})

t.test('a client that is still sending gets its answer', async t => {
  const { port, server } = await listening(t, {})
  const body = ' '.repeat(4 * 1024 * 1024)
  for (const path of ['/api/v1/library/reading-note', '/api/v1/library/loans', '/api/v1/library/books']) {
    for (let times = 0; times < 5; times += 1) {
      const status = await new Promise<number | string | undefined>(resolve => {
        const sent = request(
          { port, path, method: 'POST', headers: { 'Content-Type': 'application/json' } },
          response => {
            response.resume().on('end', () => {
              resolve(response.statusCode)
            })
          }
        )
        sent.on('error', (error: NodeJS.ErrnoException) => {
          resolve(error.code)
        })
        sent.end(body)
      })
      t.ok([413, 503, 405].includes(Number(status)), `${path}: ${status ?? 'nothing'}`)
    }
  }
  server.close()
})

t.test('a client that does not take its answer is given up', async t => {
  const { port, server } = await listening(t, { idleTimeout: 300 })
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500))
  const closed = once(server, 'timeout')
  await closed
  socket.destroy()
  t.pass('the server saw the time pass')
  server.close()
})

t.test('a stopping server finishes what it has begun and says that it closes', async t => {
  const { port, app, server } = await listening(t, {})
  const body = JSON.stringify({ isbn: '9780141439518', note: 'kept going' })
  let stopped: Promise<void> | undefined
  const answer = await talk(
    port,
    `POST /api/v1/library/reading-note HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    write => {
      server.once('request', () => {
        stopped = stopServer(server, app, 5000)
        write(body.slice(5))
      })
    }
  )
  t.match(answer, /^HTTP\/1\.1 200 /)
  t.match(answer, /connection: close/i)
  t.match(answer, 'kept going')
  await stopped
  await t.rejects(talk(port, 'GET / HTTP/1.1\r\n\r\n'), 'nothing listens any more')
})

const get = (path: string, fields = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`
const statuses = (text: string): readonly string[] => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []

/** Sends a request on each of several connections, counts those that the system has taken, and returns the answers. */
const clients = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, count, request, taken } } = require('node:worker_threads')
const talks = Array.from({ length: count }, () => new Promise(resolve => {
  let out = ''
  const socket = connect(port, '127.0.0.1', () => {
    Atomics.add(taken, 0, 1)
    Atomics.notify(taken, 0)
    socket.write(request)
  })
  socket.on('data', data => { out += data }).on('error', error => { out += error.code }).on('close', () => resolve(out))
}))
Promise.all(talks).then(answers => parentPort.postMessage(answers))
`

t.test('a stopping server takes every connection that had reached the system', async t => {
  const { port, app, server } = await listening(t, {})
  const [count, taken] = [20, new Int32Array(new SharedArrayBuffer(4))]
  const worker = new Worker(clients, {
    eval: true,
    workerData: { port, count, taken, request: get('/api/v1/library/books') }
  })
  const answered = once(worker, 'message') as Promise<[string[]]>
  // This thread sleeps, so that the system has all connections and the server none.
  for (let seen = 0; seen < count; seen = Atomics.load(taken, 0)) Atomics.wait(taken, 0, seen, 10_000)
  await stopServer(server, app, 5000)
  const [answers] = await answered
  t.same(
    answers.map(answer => answer.split('\r\n')[0]),
    Array.from({ length: count }, () => 'HTTP/1.1 200 OK')
  )
})

t.test('a malformed request takes no answer from those before it', async t => {
  const { port, server } = await listening(t, {})
  const books = '/api/v1/library/books'
  for (const whole of [1, 2, 5]) {
    t.same(
      statuses(await talk(port, `${get(books).repeat(whole)}G@T / HTTP/1.1\r\n\r\n`)),
      [...Array.from({ length: whole }, () => '200'), '400'],
      `${whole} before it`
    )
  }
  t.same(
    statuses(
      await talk(
        port,
        `${get(books)}POST /api/v1/library/reading-note HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxx\r\n`
      )
    ).at(-1),
    '400',
    'half a request waits for nothing'
  )
  server.close()
})

t.test(
  'who asks for another protocol is told that the connection ends, so that no request behind it is lost unseen',
  async t => {
    const { port, server } = await listening(t, {})
    for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
      const answer = await talk(
        port,
        get('/api/v1/library/books', `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`) + get('/api/v1/library/books')
      )
      t.same(statuses(answer), ['200'], protocol)
      t.match(answer, /^connection: close\r$/im, protocol)
    }
    server.close()
  }
)

t.test('a connection that is refused ends, whatever its client does', async t => {
  const { port, server } = await listening(t, {
    headersTimeout: 300,
    requestTimeout: 600,
    connectionsCheckingInterval: 50
  })
  const refused = [
    'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
    'G@T / HTTP/1.1\r\n\r\n',
    get('/', `X-Large: ${'x'.repeat(20_000)}\r\n`),
    'GET / HTTP/1.1\r\nX-Slow: '
  ]
  await Promise.all(
    refused.flatMap(text =>
      ['', 'more'].map(async behind => {
        // This client never closes its own side.
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume()
        socket.on('error', () => {})
        socket.write(text)
        await once(socket, 'end')
        socket.write(behind)
      })
    )
  )
  server.close()
  await once(server, 'close')
  t.pass('no connection is left')
})

t.test('the refusal of a HEAD request has no body', async t => {
  const { port, server } = await listening(t, {})
  const answer = await talk(port, `HEAD /api/v1/ HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`)
  t.match(answer, /^HTTP\/1\.1 431 /)
  t.equal(answer.split('\r\n\r\n')[1], '')
  server.close()
})

t.test('an address with a character beyond ASCII is told how to write it', async t => {
  const { port, server } = await listening(t, {})
  t.match(
    await talk(port, 'GET /api/v1/?q=ル HTTP/1.1\r\nHost: a\r\n\r\n'),
    /^HTTP\/1\.1 400 [^]*"code":"INVALID_INPUT"[^]*must be percent-encoded, such as `%E3%83%AB`/
  )
  server.close()
})
