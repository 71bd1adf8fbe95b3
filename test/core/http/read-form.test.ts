import { readdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { SurfaceError } from '../../../core/handler/errors.ts'
import { bodyOf, lingerAfter } from '../../../core/http/connection.ts'
import { readForm } from '../../../core/http/read-form.ts'
import { hasUnreadBody } from '../../../core/http/arrival.ts'
import { checkFormType, compileForm } from '../../../core/plan/read.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { eventually } from '../../support/eventually.ts'

// Where formidable would put files.
const scratch = t.testdir()
const { TMPDIR: before } = process.env
process.env['TMPDIR'] = scratch
t.teardown(() => {
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
})

const read = compileForm(
  {
    schema: { type: 'object', properties: { note: { type: 'string' }, stars: { type: 'integer' } } },
    limitBytes: 2_000
  },
  { list: { types: ['text/plain', 'text/csv'], limitBytes: 100_000 }, photo: { types: ['image/png'], limitBytes: 10 } }
)

let reading = 0

/** A server that answers with what it read. */
const server = createServer((req, res) => {
  reading += 1
  const answer = async (): Promise<unknown> => {
    checkFormType(req.headers, ['application/x-www-form-urlencoded', 'multipart/form-data'])
    const { body, files } = await read({ headers: req.headers, readForm: bodyOf(req, res, {}).readForm })
    const shown = Object.entries(files).map(([name, file]) => [
      name,
      { name: file?.name, type: file?.type, hex: Buffer.from(file?.bytes ?? []).toString('hex') }
    ])
    return { body, files: Object.fromEntries(shown) as unknown }
  }
  void answer()
    .then(
      found => [200, found] as const,
      (error: unknown) => {
        if (!(error instanceof SurfaceError)) throw error
        return [error.status, { code: error.code, message: error.message, ...error.details }] as const
      }
    )
    .finally(() => (reading -= 1))
    .then(([status, found]) => {
      if (hasUnreadBody(req)) {
        lingerAfter(req)
        res.shouldKeepAlive = false
      }
      res.writeHead(status ?? 500).end(JSON.stringify(found))
    })
})
await new Promise<void>(resolve => {
  server.listen(0, '127.0.0.1', resolve)
})
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/`

type Told = Readonly<{ status: number; connection: string | null; found: Record<string, unknown> }>

const post = async (
  body: FormData | Uint8Array<ArrayBuffer> | URLSearchParams | string,
  headers = {}
): Promise<Told> => {
  const answer = await fetch(url, { method: 'POST', body, headers })
  return {
    status: answer.status,
    connection: answer.headers.get('connection'),
    found: (await answer.json()) as Record<string, unknown>
  }
}
/** Parts as they are written, each with its head. */
const sent = async (...parts: readonly (readonly [head: string, content: string | Buffer])[]): Promise<Told> =>
  await post(
    Buffer.concat([
      ...parts.flatMap(([head, content]) => [
        Buffer.from(`--xyz\r\n${head}\r\n\r\n`),
        Buffer.from(content),
        Buffer.from('\r\n')
      ]),
      Buffer.from('--xyz--\r\n')
    ]),
    { 'content-type': 'multipart/form-data; boundary=xyz' }
  )
const field = (name: string): string => `Content-Disposition: form-data; name="${name}"`
const file = (name: string, fileName: string, type = 'text/plain'): string =>
  `${field(name)}; filename="${fileName}"\r\nContent-Type: ${type}`

t.test('fields and files are read as they were sent, each byte of them', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: anyCharacter, maxLength: 300 }).map(one => one.toWellFormed().replaceAll('\0', '')),
      fc.uint8Array({ maxLength: 2_000 }),
      async (note, bytes) => {
        const form = new FormData()
        form.set('note', note)
        form.set('stars', '3')
        form.set('list', new File([bytes], 'cards.txt', { type: 'text/plain; charset=utf-8' }))
        const { status, found } = await post(form)
        t.match({ status, found }, { status: 200 })
        // A browser ends lines with CR LF, whatever ended them before, and counts one character for each.
        t.same(found, {
          body: { note: note.replaceAll(/\r\n?/g, '\n'), stars: 3 },
          files: { list: { name: 'cards.txt', type: 'text/plain', hex: Buffer.from(bytes).toString('hex') } }
        })
      }
    ),
    { numRuns: 60 }
  )
  const empty = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  t.same(await empty.json(), { body: {}, files: {} }, 'a form of nothing')
  t.same((await post(new URLSearchParams({ note: 'a b', stars: '4' }))).found, {
    body: { note: 'a b', stars: 4 },
    files: {}
  })
  t.same((await sent([field('note'), 'A form without files'])).found['files'], {})
  t.same((await sent([file('list', '', 'application/octet-stream'), ''])).found, { body: {}, files: {} }, 'no choice')
})

t.test('what is no text, what is not declared, and what comes twice is refused by name', async t => {
  const cases: readonly (readonly [string, Promise<Told>, object])[] = [
    [
      'a text that is no UTF-8',
      sent([field('note'), Buffer.from([0xff, 0xfe])]),
      { status: 400, found: { field: 'note' } }
    ],
    ['U+0000', sent([field('note'), 'a\0b']), { status: 400, found: { field: 'note' } }],
    ['a name that is no UTF-8', sent([field('n\xff'), 'a']), { status: 400 }],
    ['another field', sent([field('price'), '3']), { status: 400, found: { field: 'price', message: /no field/ } }],
    [
      'a field without a name',
      sent(['Content-Disposition: form-data', '3']),
      { status: 400, found: { message: /no field/ } }
    ],
    ['__proto__', sent([field('__proto__'), '3']), { status: 400, found: { field: '__proto__' } }],
    ['a field twice', sent([field('note'), 'a'], [field('note'), 'b']), { status: 400, found: { message: /2 times/ } }],
    [
      'a file twice',
      sent([file('list', 'a'), 'a'], [file('list', 'b'), 'b']),
      { status: 400, found: { field: 'list' } }
    ],
    [
      'a file for a text',
      sent([file('note', 'a.txt'), 'a']),
      { status: 400, found: { field: 'note', message: /a text/ } }
    ],
    ['a text for a file', sent([field('list'), 'a']), { status: 400, found: { field: 'list', message: /a file/ } }],
    ['a coded part', sent([`${field('note')}\r\nContent-Transfer-Encoding: base64`, 'YQ==']), { status: 400 }],
    ['an unknown coding', sent([`${field('note')}\r\nContent-Transfer-Encoding: x-own`, 'a']), { status: 400 }],
    ['a coding that is none', sent([`${field('note')}\r\nContent-Transfer-Encoding: 7bit`, 'a']), { status: 400 }],
    [
      'a file of another type',
      sent([file('list', 'a.exe', 'application/x-msdownload'), 'MZ']),
      { status: 415, found: { field: 'list', allowed: ['text/plain', 'text/csv'] } }
    ],
    [
      'a form without an end',
      post('--xyz\r\n', { 'content-type': 'multipart/form-data; boundary=xyz' }),
      { status: 400 }
    ],
    ['no form at all', post('hello', { 'content-type': 'multipart/form-data; boundary=xyz' }), { status: 400 }],
    ['no boundary', post('hello', { 'content-type': 'multipart/form-data' }), { status: 415 }],
    [
      'gzip',
      post(gzipSync('note=a'), { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }),
      { status: 415 }
    ],
    [
      'JSON',
      post('{}', { 'content-type': 'application/json' }),
      { status: 415, found: { allowed: ['application/x-www-form-urlencoded', 'multipart/form-data'] } }
    ]
  ]
  for (const [name, told, expected] of cases) t.match(await told, expected, name)
})

t.test('what is too large is refused with 413, and the connection ends', async t => {
  const large = 'a'.repeat(101_000)
  t.match(await sent([file('list', 'a.txt'), large]), { status: 413, found: { field: 'list', limit_bytes: 100_000 } })
  t.match(await sent([file('photo', 'a.png', 'image/png'), Buffer.alloc(11)]), {
    status: 413,
    found: { field: 'photo', limit_bytes: 10 }
  })
  t.match(await sent([file('list', '', 'text/plain'), 'a']), { status: 413 }, 'a file without a name is empty')
  t.match(await sent([field('note'), 'a'.repeat(2_001)]), { status: 413, found: { field: 'note' } })
  t.match(await post(`note=${'a'.repeat(2_000)}`, { 'content-type': 'application/x-www-form-urlencoded' }), {
    status: 413
  })
  t.match(await sent([`${field('note')}\r\nX-Long: ${'a'.repeat(200_000)}`, 'a']), { status: 413 }, 'a long head')
  // A client that says nothing of the length, and never stops.
  const endless = request(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=xyz' } })
  const answered = new Promise<readonly [number, string]>((resolve, reject) => {
    endless.once('error', reject)
    endless.once('response', response => {
      void text(response).then(() => {
        resolve([response.statusCode ?? 0, response.headers.connection ?? ''])
      }, reject)
    })
  })
  endless.write(`--xyz\r\n${file('list', 'a.txt')}\r\n\r\n`)
  const more = setInterval(() => endless.write('a'.repeat(16_384)), 1)
  t.same(await answered, [413, 'close'])
  clearInterval(more)
  endless.destroy()
})

t.test('ten thousand parts are refused at the first that is not declared', async t => {
  const parts = Array.from({ length: 10_000 }, (_, at) => [field(`f${at}`), 'a'] as const)
  t.match(await sent(...parts), { status: 413 }, 'more than all that is declared can have')
  t.match(await sent(...parts.slice(0, 100)), { status: 400, found: { field: 'f0' } })
  t.match(await sent(...Array.from({ length: 100 }, () => [field('note'), 'a'] as const)), { status: 400 })
})

t.test('a head of a part takes no longer than its length', async t => {
  const head = `Content-Disposition: form-data; name="note"; ${'filename="'.repeat(9_000)}a`
  t.match(await sent([head, 'a']), { status: 400 })
})

t.test('a client that has left is not waited for', async t => {
  const gone = new PassThrough()
  gone.destroy()
  const leaving = Object.assign(gone, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  await t.rejects(
    readForm(leaving, 10, () => 0),
    { status: 400, message: /before it was complete/ }
  )
})

t.test('a body that was kept whole is read as if it came now', async t => {
  const kept = Buffer.from(`--xyz\r\n${file('list', 'a.txt')}\r\n\r\nOP01-001\r\n--xyz--\r\n`)
  const headers = { 'content-type': 'multipart/form-data; boundary=xyz', 'content-length': String(kept.length) }
  const request = Object.assign(new PassThrough(), { headers })
  request.end('read before')
  await text(request)
  const { readForm: again } = bodyOf(request as never, {} as never, { rawBody: kept })
  t.match(await read({ headers, readForm: again }), { body: {}, files: { list: { name: 'a.txt' } } })
})

t.test('a file name leads nowhere', async t => {
  for (const [name, shown] of [
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['..', '..'],
    ['a\tb', 'ab'],
    ['/', '']
  ] as const)
    t.match(await sent([file('list', name), 'a']), { status: 200, found: { files: { list: { name: shown } } } }, name)
  t.same(readdirSync(scratch), [])
})

t.test('a client that leaves ends the reading, and nothing was written at any time', async t => {
  const open = (content: string): ReturnType<typeof connect> => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=xyz\r\nContent-Length: 90000\r\n\r\n${content}`
    )
    return socket
  }
  const clients = [
    '',
    `--xyz\r\n${field('note')}`,
    `--xyz\r\n${file('list', 'a.txt')}\r\n\r\n${'a'.repeat(50_000)}`
  ].map(open)
  await eventually(() => {
    if (reading < 3) throw new Error(`${reading} are being read.`)
  })
  t.same(readdirSync(scratch), [], 'while it is read')
  for (const client of clients) client.destroy()
  await eventually(() => {
    if (reading > 0) throw new Error(`${reading} are being read.`)
  })
  t.same(readdirSync(scratch), [])
  t.match(await post(new URLSearchParams({ note: 'a' })), { status: 200 }, 'others are answered')
})

t.test('a form that stalls is given up at the limit of the server, and nothing of it is kept', async t => {
  const limits = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 }
  const strict = createServer(limits, server.listeners('request')[0] as Parameters<typeof createServer>[1])
  await new Promise<void>(resolve => {
    strict.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    strict.closeAllConnections()
    strict.close()
  })
  const answers = await Promise.all(
    ['', `--xyz\r\n${field('note')}`, `--xyz\r\n${file('list', 'a.txt')}\r\n\r\n${'a'.repeat(50_000)}`].map(
      async content => {
        const socket = connect((strict.address() as AddressInfo).port, '127.0.0.1')
        socket.write(
          `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=xyz\r\nContent-Length: 90000\r\n\r\n${content}`
        )
        return await text(socket)
      }
    )
  )
  for (const answer of answers) t.notMatch(answer, /^HTTP\/1\.1 [25]/)
  await eventually(() => {
    if (reading > 0) throw new Error(`${reading} are being read.`)
  })
  t.same(readdirSync(scratch), [])
})
