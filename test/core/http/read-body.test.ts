import { connect } from 'node:net'
import t from 'tap'
import { serveLibrary } from '../../support/serve-root.ts'

const path = '/api/v1/library/reading-note'
const good = JSON.stringify({ isbn: '9780141439518', note: 'good' })
const limit = 4096

t.test('a body in every way it can be wrong', async t => {
  const { get } = await serveLibrary(t)
  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = { 'Content-Type': 'application/json' }
  ): Promise<Response> => get(path, { method: 'POST', body, headers })
  const codeOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { error: { code: string } }).error.code
  const cases: [string, () => Promise<Response>, number, string][] = [
    ['no content type', () => post(Buffer.from(good), {}), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['another content type', () => post(good, { 'Content-Type': 'text/plain' }), 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'another charset',
      () => post(good, { 'Content-Type': 'application/json; charset=latin1' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'a content coding',
      () => post(good, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE'
    ],
    [
      'too large by its bytes, whose length was not said',
      () =>
        get(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: new Blob([' '.repeat(limit + 1)]).stream(),
          duplex: 'half'
        }),
      413,
      'BODY_TOO_LARGE'
    ],
    ['too large by its length', () => post(' '.repeat(limit + 1)), 413, 'BODY_TOO_LARGE'],
    ['empty', () => post(''), 400, 'INVALID_INPUT'],
    ['not JSON', () => post('{'), 400, 'INVALID_INPUT'],
    ['invalid UTF-8', () => post(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'INVALID_INPUT'],
    ['a byte order mark', () => post(`\ufeff${good}`), 400, 'INVALID_INPUT'],
    ['a duplicate name', () => post('{"isbn":"9780141439518","note":"a","note":"b"}'), 400, 'INVALID_INPUT'],
    ['a lone surrogate', () => post('{"isbn":"9780141439518","note":"\\ud800"}'), 400, 'INVALID_INPUT'],
    ['too deep', () => post('['.repeat(65) + ']'.repeat(65)), 400, 'INVALID_INPUT'],
    ['of another shape', () => post('[]'), 400, 'INVALID_INPUT']
  ]
  for (const [name, send, status, code] of cases) {
    const response = await send()
    t.equal(response.status, status, name)
    t.equal(await codeOf(response), code, name)
    t.equal(response.headers.get('cache-control'), 'no-store', name)
  }
  t.equal((await post(good, { 'Content-Type': 'application/json; charset="UTF-8"' })).status, 200, 'a quoted charset')
  t.equal((await post(good.padEnd(limit))).status, 200, 'exactly the limit')
})

t.test('an endless body is cut off at the limit', async t => {
  const { server } = await serveLibrary(t)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const sent = await new Promise<{ bytes: number; answer: string }>(resolve => {
    let bytes = 0
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
      )
      const chunk = `1000\r\n${' '.repeat(4096)}\r\n`
      const more = (): void => {
        while (!socket.destroyed && bytes < 64 * 1024 * 1024) {
          bytes += 4096
          if (!socket.write(chunk)) return
        }
      }
      socket.on('drain', more)
      more()
    })
    socket.on('data', data => {
      answer += data.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      resolve({ bytes, answer })
    })
  })
  t.match(sent.answer, /^HTTP\/1\.1 413 /)
  t.match(sent.answer, /connection: close/i)
  t.ok(sent.bytes < 64 * 1024 * 1024, 'the connection closed long before the end')
})

t.test('100 Continue is sent when the body is wanted, and only then', async t => {
  const { raw } = await serveLibrary(t)
  const expecting = (to: string, type: string): string =>
    `POST ${to} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${good.length}\r\nExpect: 100-continue\r\n\r\n`
  t.match(await raw(expecting(path, 'application/json')), /^HTTP\/1\.1 100 Continue/)
  const refused = await raw(expecting(path, 'text/plain'))
  t.match(refused, /^HTTP\/1\.1 415 /)
  const paused = await raw(expecting('/api/v1/library/loans', 'application/json'))
  t.match(paused, /^HTTP\/1\.1 503 /)
  t.notMatch(paused, /100 Continue/)
  t.match(paused, /connection: close/i)
})
