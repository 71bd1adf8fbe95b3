import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import Koa from 'koa'
import { mount } from 'pantry'
import t, { type Test } from 'tap'
import { SurfaceApp } from '../../../core/http/server.ts'
import { SurfaceRouter } from '../../../core/http/surface-router.ts'
import { serveKoa } from '../../support/serve-koa.ts'
import { generationOf, library, serveGeneration } from '../../support/serve-root.ts'
import { createLendingDesk } from './mount-example.ts'

type Get = (path: string, init?: RequestInit) => Promise<Response>

async function listening(t: Test, app: Koa): Promise<Get> {
  const origin = await serveKoa(t, app)
  return (path, init) => fetch(origin + path, init)
}

const desk = async (t: Test): Promise<Get> =>
  listening(t, createLendingDesk(new SurfaceRouter({ generation: await generationOf(t, [library]) })))

t.test('the package opens the surfaces of roots for an application', async t => {
  const pantry = await mount({
    roots: [library],
    config: { dataDir: t.testdirName, logLevel: 'silent', baseUrl: 'https://desk.example' }
  })
  t.teardown(() => pantry.stop())
  const get = await listening(t, createLendingDesk(pantry))
  t.match(await (await get('/api/v1/library/books?genre=novel')).json(), { data: { returned: 2 } })
  t.match(await (await get('/api/openapi.json')).json(), { servers: [{ url: 'https://desk.example' }] })
  t.match(await (await get('/desk/front')).json(), { desk: 'front' })
  await t.rejects(mount({ roots: [t.testdir({ manifests: { 'a.yaml': 'kind: [' } })] }), /errors/)
})

const note = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: '{"isbn":"9780141439518","note":" x "}'
}

t.test('surfaces are answered behind the middleware of the application, which sees their answers', async t => {
  const get = await desk(t)
  const books = await get('/api/v1/library/books?genre=novel')
  t.equal(books.headers.get('x-desk'), `200 ${books.headers.get('content-length')}`)
  t.match(await books.json(), { data: { returned: 2 }, _meta: { request_id: books.headers.get('x-request-id') } })
  t.equal(
    (await get('/api/v1/library/books', { headers: { 'If-None-Match': books.headers.get('etag') ?? '' } })).status,
    200,
    'another representation'
  )
  const known = (await get('/api/v1/library/books')).headers.get('etag') ?? ''
  t.match(await get('/api/v1/library/books', { headers: { 'If-None-Match': known } }), { status: 304 })
  const head = await get('/api/v1/library/books', { method: 'HEAD' })
  t.ok(Number(head.headers.get('content-length')) > 1000)
  t.match(
    (await get('/api/openapi.json', { headers: { 'Accept-Encoding': 'br' } })).headers.get('content-encoding'),
    'br'
  )
  t.match(await (await get('/api/v1/library/reading-note', note)).json(), { data: { echo: { note: 'x' } } })
  t.match(await get('/api/v1/library/books?genre=poem'), { status: 400 })
})

t.test("what no surface claims is the application's", async t => {
  const get = await desk(t)
  t.equal(await (await get('/welcome')).text(), 'Welcome to the lending desk.')
  t.match(await (await get('/')).text(), '<h1>River Street Library</h1>', 'the front page')
  t.match(await (await get('/api/v1/library/opening-hours')).json(), { open: '9 to 5' })
  t.match(await (await get('/desk/front')).json(), { desk: 'front' }, 'a route that was added to Pantry')
  const missing = await get('/api/v1/library/bookz')
  t.equal(missing.status, 404)
  t.equal(await missing.text(), 'Not Found', 'as Koa says it')
})

t.test('allowedMethods answers other methods of the paths of surfaces, and no other path', async t => {
  const get = await desk(t)
  const wrong = await get('/api/v1/library/books', { method: 'DELETE' })
  t.equal(wrong.status, 405)
  t.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS')
  t.match(await wrong.json(), { error: { code: 'METHOD_NOT_ALLOWED' } })
  t.match(await get('/api/v1/library/books', { method: 'OPTIONS' }), { status: 204 })
  t.equal((await get('/api/v1/library/nothing', { method: 'DELETE' })).status, 404)
  t.equal((await get('/desk/front', { method: 'DELETE' })).status, 405, 'of added routes as well')
})

t.test('what an answer depends on is joined with what the middleware before it says', async t => {
  const app = new Koa()
  app.use(async (ctx, next) => {
    ctx.vary('Origin')
    await next()
  })
  const get = await listening(
    t,
    app.use(new SurfaceRouter({ generation: await generationOf(t, [library]) }).routes() as Koa.Middleware)
  )
  t.equal((await get('/api/v1/library/books')).headers.get('vary'), 'Origin, Accept, Accept-Encoding')
})

t.test('a route is looked up once, whatever it leads to', async t => {
  const generation = await generationOf(t, [library])
  let lookups = 0
  const counted = {
    ...generation,
    index: {
      find: (...asked: Parameters<typeof generation.index.find>) => ((lookups += 1), generation.index.find(...asked))
    }
  }
  const router = new SurfaceRouter({ generation: counted })
  const mounted = new Koa()
    .use(router.routes() as Koa.Middleware)
    .use(router.allowedMethods() as Koa.Middleware)
    .use(router.unclaimed() as Koa.Middleware)
  const direct = await serveGeneration(t, counted)
  for (const get of [await listening(t, mounted), direct.get]) {
    for (const [method, path, status] of [
      ['GET', '/api/v1/library/books', 200],
      ['GET', '/api/v1/library/bookz', 404],
      ['DELETE', '/api/v1/library/books', 405]
    ] as const) {
      lookups = 0
      t.match(await get(path, { method }), { status })
      t.equal(lookups, 1, `${method} ${path}`)
    }
  }
})

const readWhole = async (req: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
const utf8Without = (bytes: Buffer): string => new TextDecoder().decode(bytes)

/** What others put before Pantry, and whether what was sent is known after it. */
const readers: Readonly<Record<string, readonly [knows: 'bytes' | 'nothing', read: (ctx: Koa.Context) => unknown]>> = {
  'keeps the bytes': ['bytes', async ctx => Object.assign(ctx.request, { rawBody: await readWhole(ctx.req) })],
  'looks at the headers': ['bytes', ctx => ctx.is('json')],
  'has paused it': ['bytes', ctx => ctx.req.pause()],
  'keeps what it parsed, as koa-body does': [
    'nothing',
    async ctx =>
      Object.assign(ctx.request, { body: JSON.parse(JSON.stringify(utf8Without(await readWhole(ctx.req)))) as unknown })
  ],
  'keeps the text, as koa-bodyparser does': [
    'nothing',
    async ctx => Object.assign(ctx.request, { rawBody: utf8Without(await readWhole(ctx.req)) })
  ],
  'keeps the text in another encoding': [
    'nothing',
    async ctx => Object.assign(ctx.request, { rawBody: (await readWhole(ctx.req)).toString('latin1') })
  ],
  'makes text of what is read later': ['nothing', ctx => ctx.req.setEncoding('utf8')],
  'makes bytes of its text': [
    'nothing',
    async ctx =>
      Object.assign(ctx.request, { rawBody: Buffer.from(` ${(await readWhole(ctx.req)).toString('latin1')}`) })
  ],
  'reads a part': [
    'nothing',
    async ctx => {
      await once(ctx.req, 'readable')
      ctx.req.read(1)
    }
  ],
  'leaves in the middle': [
    'nothing',
    async ctx => {
      for await (const chunk of ctx.req) if (chunk !== undefined) break
    }
  ],
  'sends it elsewhere': [
    'nothing',
    async ctx => {
      await finished(ctx.req.pipe(new PassThrough().resume()))
    }
  ]
}

t.test('behind whatever reads bodies, what is hashed was sent, or nothing is', async t => {
  const generation = await generationOf(t, [library])
  const direct = await listening(t, new Koa().use(new SurfaceRouter({ generation }).routes() as Koa.Middleware))
  const dataOf = async (answer: Response): Promise<{ echo?: unknown; content_hash?: unknown } | null> =>
    ((await answer.json()) as { data: object | null }).data
  const send = (body: string | Buffer): RequestInit => ({ ...note, body: body as string })
  const bodies = [
    note.body,
    '{"isbn":"9780141439518","note":"caf\u00e9 \u{1f600}"}',
    Buffer.from('{"isbn":"9780141439518","note":"a\xff\xfe"}', 'latin1'),
    '\ufeff{"isbn":"9780141439518","note":"mark"}',
    Buffer.from('{"isbn":"9780141439518","note":"\xf0\x9f\x98"}', 'latin1')
  ]
  for (const [name, [knows, read]] of Object.entries(readers)) {
    const app = new Koa()
    app.use(async (ctx, next) => {
      await read(ctx)
      await next()
    })
    const get = await listening(t, app.use(new SurfaceRouter({ generation }).routes() as Koa.Middleware))
    for (const [index, body] of bodies.entries()) {
      const [wanted, found] = [
        await direct('/api/v1/library/reading-note', send(body)),
        await get('/api/v1/library/reading-note', send(body))
      ]
      if (knows === 'bytes') {
        t.equal(found.status, wanted.status, `${name}: ${index}`)
        const [is, was] = [await dataOf(found), await dataOf(wanted)]
        t.strictSame([is?.echo, is?.content_hash], [was?.echo, was?.content_hash], `${name}: ${index}`)
      } else {
        t.equal(found.status, 503, `${name}: ${index}`)
        t.match(
          await found.json(),
          {
            data: null,
            error: {
              code: 'SOURCE_UNAVAILABLE',
              message: /has read the body and kept no bytes of it/,
              details: { subsystem: 'bodies' }
            }
          },
          name
        )
      }
    }
    if (name === 'keeps the bytes') {
      t.equal((await get('/api/v1/library/reading-note', send('{"isbn":1,"isbn":2}'))).status, 400)
      t.equal((await get('/api/v1/library/reading-note', send(`"${'x'.repeat(5000)}"`))).status, 413)
    }
    t.equal((await get('/api/v1/library/reading-note', { ...note, body: '' })).status, 400, `${name}: no body`)
    t.equal((await get('/api/v1/library/books')).status, 200, `${name}: what takes no body`)
  }
})

t.test('a SurfaceApp that is extended passes every request through what was added', async t => {
  const app = new SurfaceApp({ generation: await generationOf(t, [library]) })
  app.use(async (ctx, next) => {
    await next()
    ctx.set('X-Seen', 'yes')
  })
  app.router.get('/own', ctx => {
    ctx.body = 'own'
  })
  const get = await listening(t, app)
  t.equal((await get('/api/v1/library/books')).headers.get('x-seen'), 'yes')
  t.equal(await (await get('/own')).text(), 'own')
  const missing = await get('/api/v1/library/bookz')
  t.equal(missing.headers.get('x-seen'), 'yes')
  t.match(await missing.json(), { data: { suggestions: { did_you_mean: ['/api/v1/library/books'] } } })
})

t.test('bodies() reads for the routes of the application, and leaves what surfaces claim to them', async t => {
  const pantry = new SurfaceRouter({ generation: await generationOf(t, [library]) })
  const app = new Koa()
  app.use(async (ctx, next) => {
    if (ctx.get('X-Catches') === '') await next()
    else
      await next().catch((error: unknown) => {
        ctx.status = (error as { status: number }).status
        ctx.body = 'caught'
      })
  })
  // A second reader finds what the first has read.
  for (let times = 0; times < 2; times += 1) app.use(pantry.bodies({ limitBytes: 100 }) as Koa.Middleware)
  app.use(pantry.routes() as Koa.Middleware)
  app.use(ctx => {
    ctx.body = { body: (ctx.request as { body?: unknown }).body ?? 'not read', left: !ctx.req.readableDidRead }
  })
  const get = await listening(t, app)
  const post = async (
    body: string | Uint8Array<ArrayBuffer> | FormData,
    type?: string,
    headers = {},
    method = 'POST'
  ) => {
    const answer = await get('/notes', {
      method,
      body,
      headers: { ...headers, ...(type === undefined ? {} : { 'Content-Type': type }) }
    })
    const text = await answer.text()
    return { status: answer.status, text, closes: answer.headers.get('connection') === 'close' }
  }
  const read = (body: unknown): object => ({ status: 200, text: JSON.stringify({ body, left: false }) })
  const json = 'application/json; charset=utf-8'
  const form = 'application/x-www-form-urlencoded'
  t.match(await post('{"note":"caf\u00e9"}', json), read({ note: 'café' }))
  t.match(await post('note=caf%C3%A9&tag=a&tag=b', form), read({ note: 'café', tag: ['a', 'b'] }))
  for (const type of [form, json]) t.match(await post('', type), { status: 200, text: /not read/ }, 'there is none')
  t.match(await post('{"note":1}', json, {}, 'DELETE'), read({ note: 1 }), 'whatever the method')
  t.match(await post('note=1--', form, {}, 'DELETE'), read({ note: '1--' }))
  const left = { status: 200, text: JSON.stringify({ body: 'not read', left: true }) }
  t.match(await post('hello', 'text/plain'), left)
  t.match(await post(new FormData()), left, 'files are for who takes them')
  for (const [body, type, status, text, headers] of [
    ['{"a":1,"a":2}', json, 400, /"a" occurs twice/],
    [new Uint8Array([0x22, 0xff, 0x22]), json, 400, /UTF-8/],
    [' ', json, 400, /./],
    ['note=%ff', form, 400, /`note`/],
    [`"${'a'.repeat(100)}"`, json, 413, /100 bytes/],
    ['{}', json, 415, /content coding/, { 'Content-Encoding': 'gzip' }],
    ['{}', 'application/json; charset=utf-16', 415, /UTF-8/],
    [`"${'a'.repeat(100)}"`, json, 413, 'caught', { 'X-Catches': 'yes' }]
  ] as const)
    t.match(await post(body, type, headers), { status, text, closes: true }, String(body).slice(0, 40))
  t.throws(() => pantry.bodies({ limitBytes: Infinity }), /`limitBytes` is Infinity/)
  const claimed = await get('/api/v1/library/reading-note', {
    method: 'POST',
    body: JSON.stringify({ isbn: '9780141439518', note: 'a'.repeat(200) }),
    headers: { 'Content-Type': json }
  })
  t.match(await claimed.json(), { data: {} }, 'with the limit of the surface')
  t.equal(claimed.status, 200)
})
