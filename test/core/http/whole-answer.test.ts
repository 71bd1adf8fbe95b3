import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { generationOf, library, serveGeneration } from '../../support/serve-root.ts'

type Message = Readonly<{ status: string; fields: readonly string[]; body: string }>

/** The answers in what a server sent, the bytes of each as long as it says. */
function messagesIn(text: string, methods: readonly string[]): Message[] {
  const found: Message[] = []
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\r\n\r\n', at)
    const [status = '', ...fields] = text.slice(at, end).split('\r\n')
    const length = Number(fields.find(field => /^content-length:/i.test(field))?.slice(16) ?? 0)
    const hasBody = methods[found.length] !== 'HEAD' && !/ (204|304) /.test(status)
    at = end + 4 + (hasBody ? length : 0)
    const body = hasBody ? text.slice(end + 4, at) : ''
    const isPacked = fields.some(field => /^content-encoding: gzip/i.test(field))
    found.push({ status, fields, body: isPacked ? gunzipSync(Buffer.from(body, 'latin1')).toString('latin1') : body })
  }
  return found
}

/** Without what differs from one answer to the next, and in no order: Node's own fields come elsewhere. */
const stable = ({ status, fields, body }: Message): unknown => ({
  status,
  fields: fields
    .map(field =>
      field
        .replace(/req_[\w-]{16}/, 'ID')
        .replace(/^(date|ratelimit-\w+): .*$/i, '$1')
        .toLowerCase()
    )
    .sort(),
  body: body.replace(/req_[\w-]{16}/g, 'ID').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
})

t.test('what is sent in one write is what Node would send', async t => {
  const generation = await generationOf(t, [library])
  // Through Koa, Node makes the header of each answer.
  const [direct, chained] = [
    await serveGeneration(t, generation),
    await serveGeneration(t, generation, { direct: false })
  ]
  const etag = (await direct.get('/api/v1/library/books')).headers.get('etag') ?? ''
  const ask = (line: string, ...fields: string[]): string => [line, 'Host: a', ...fields, '', ''].join('\r\n')
  const books = 'GET /api/v1/library/books HTTP/1.1'
  const note = '{"isbn":"9780141439518","note":"é"}'
  const post =
    ask(
      'POST /api/v1/library/reading-note HTTP/1.1',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(note)}`
    ) + note
  const conversations: Record<string, readonly string[]> = {
    'five at once': Array.from({ length: 5 }, () => ask(books)),
    'a 304 and then a 200': [ask(books, `If-None-Match: ${etag}`), ask(books)],
    'HEAD between': [
      ask(books),
      ask('HEAD /api/v1/library/books HTTP/1.1'),
      ask('HEAD /api/v1/nothing HTTP/1.1'),
      ask(books)
    ],
    'gzip and identity': [
      ask(books, 'Accept-Encoding: gzip'),
      ask(books),
      ask('GET /api/openapi.json HTTP/1.1', 'Accept-Encoding: gzip'),
      ask(books, 'Accept-Encoding: gzip')
    ],
    'POST with a letter beyond ASCII, and then GET': [post, ask(books), post],
    'a chunked POST, and then GET': [
      ask(
        'POST /api/v1/library/reading-note HTTP/1.1',
        'Content-Type: application/json',
        'Transfer-Encoding: chunked'
      ) +
        '24\r\n' +
        note +
        '\r\n0\r\n\r\n',
      ask(books)
    ],
    'no such path, no such method, OPTIONS, a slash too many': [
      ask('GET /api/v1/bo%C3%B6ks HTTP/1.1'),
      ask('DELETE /api/v1/library/books HTTP/1.1'),
      ask('OPTIONS /api/v1/library/books HTTP/1.1'),
      ask('GET /api/v1/library/books/ HTTP/1.1')
    ],
    'the connection ends': [ask(books), ask(books, 'Connection: close')],
    'HTTP/1.0': ['GET /api/v1/library/books HTTP/1.0\r\n\r\n'],
    'HTTP/1.0 that stays': ['GET /api/v1/library/books HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', ask(books)],
    'no host': [ask(books), 'GET /api/v1/library/books HTTP/1.1\r\n\r\n'],
    'a body that is expected and not wanted': [
      ask('GET /api/v1/library/books HTTP/1.1', 'Expect: 100-continue'),
      ask(books)
    ]
  }
  for (const [name, requests] of Object.entries(conversations)) {
    const methods = requests.map(request => request.split(' ')[0] ?? '')
    const [ours, nodes] = (
      await Promise.all([direct, chained].map(server => server.raw(Buffer.from(requests.join(''), 'utf8'), 1_000)))
    ).map(text => messagesIn(text, methods))
    t.ok((ours?.length ?? 0) > 0, name)
    t.same(ours?.map(stable), nodes?.map(stable), name)
  }
})

t.test('what somebody else set is sent as well', async t => {
  const { server, raw } = await serveGeneration(t, await generationOf(t, [library]))
  server.prependListener('request', (_req, res) => {
    res.setHeader('X-Shelf', 'seven')
  })
  t.match(
    await raw('GET /api/v1/library/books HTTP/1.1\r\nHost: a\r\n\r\n'),
    /^HTTP\/1\.1 200 OK\r\n(.+\r\n)*X-Shelf: seven\r\n/i
  )
})

t.test('no field can be smuggled into a header', async t => {
  const { raw } = await serveGeneration(t, await generationOf(t, [library]))
  for (const target of ['/api/v1/x%0d%0aX-Evil:%201', '/api/v1/library/books/%0d%0aX-Evil:%201/', '/api/v1/\u00e9']) {
    t.notMatch((await raw(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).split('\r\n\r\n')[0], /^x-evil/im)
  }
})
