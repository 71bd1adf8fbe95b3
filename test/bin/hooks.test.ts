import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Koa from 'koa'
import { mount, serve } from 'pantry'
import type { Hooks } from 'pantry/handler'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { libraryIn } from '../support/command-line.ts'
import { serveKoa } from '../support/serve-koa.ts'

/** A library whose root has hooks, and the file in which they note what they heard. */
function hooked(t: Test): Readonly<{ root: string; heard: () => readonly Record<string, unknown>[] }> {
  const root = libraryIn(t.testdir())
  const file = join(root, 'heard')
  writeFileSync(file, '')
  mkdirSync(join(root, 'surfaces'), { recursive: true })
  writeFileSync(
    join(root, 'surfaces/hooks.js'),
    `
    import { appendFileSync } from 'node:fs'
    import { SurfaceError } from 'pantry/handler'
    export default {
      before: (req, res) => {
        res.setHeader('X-Desk', 'open')
        res.setHeader('Vary', 'Origin')
        res.setHeader('Set-Cookie', 'desk=open')
        if (req.headers['x-fault'] === 'thrown') throw new Error('no harbour')
        if (req.headers['x-fault'] === 'refused') throw new SurfaceError('FORBIDDEN', 'The desk is closed.')
        if (req.headers['x-fault'] === 'async') return Promise.reject(new Error('too late'))
        if (req.headers['x-fault'] === 'begun') {
          res.writeHead(202)
          throw new Error('in the middle')
        }
        if (req.url === '/left') res.writeHead(202)
        if (req.url === '/desk') res.end('The desk answers.')
        if (req.url !== '/later') return
        setTimeout(() => res.end('Later.'), 10)
        return true
      },
      after: answered => {
        if (answered.path.endsWith('/branches')) throw new Error('after all')
        if (answered.path.endsWith('/manifest')) return Promise.reject(new Error('after that'))
        appendFileSync(${JSON.stringify(file)}, JSON.stringify(answered) + '\\n')
      }
    }`
  )
  return {
    root,
    heard: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as Record<string, unknown>)
  }
}

const config = { port: 0, host: '127.0.0.1', logLevel: 'silent', baseUrl: undefined } as const

async function served(t: Test, root: string): Promise<string> {
  const { url, stop } = await serve({ roots: [root], config: { ...config, dataDir: t.testdirName } })
  t.teardown(stop)
  return url
}

async function mounted(t: Test, root: string): Promise<string> {
  const pantry = await mount({ roots: [root], config: { ...config, dataDir: t.testdirName } })
  t.teardown(() => pantry.stop())
  const app = new Koa().use(pantry.routes() as Koa.Middleware).use(pantry.unclaimed() as Koa.Middleware)
  return await serveKoa(t, app)
}

for (const [way, start] of Object.entries({ served, mounted }))
  t.test(`${way}: a hook sets fields, answers, refuses, and hears of each answer`, async t => {
    const { root, heard } = hooked(t)
    const url = await start(t, root)
    const books = await fetch(`${url}/api/v1/library/books`)
    t.equal(books.status, 200)
    t.equal(books.headers.get('x-desk'), 'open')
    t.match(await books.json(), { data: {} }, 'the body is whole')
    const own = await fetch(`${url}/desk`)
    t.match([own.status, await own.text()], [200, 'The desk answers.'])
    t.equal(await (await fetch(`${url}/later`)).text(), 'Later.')
    const left = await fetch(`${url}/left`, { signal: AbortSignal.timeout(10_000) })
    t.match([left.status, await left.text()], [202, ''], 'what it has begun and left')
    t.equal(books.headers.get('vary'), 'Origin, Accept, Accept-Encoding')
    t.match(books.headers.getSetCookie(), ['desk=open'])
    const fault = await fetch(`${url}/api/v1/library/books`, { headers: { 'X-Fault': 'thrown' } })
    t.match([fault.status, await fault.json()], [500, { error: { code: 'INTERNAL' } }])
    const late = await fetch(`${url}/api/v1/library/books`, { headers: { 'X-Fault': 'async' } })
    t.equal(late.status, 500, 'what is async cannot be waited for')
    const begun = await fetch(`${url}/api/v1/library/books`, { headers: { 'X-Fault': 'begun' } })
    t.match([begun.status, await begun.text()], [202, ''], 'what was begun is ended')
    t.match(await fetch(`${url}/api/v1/manifest`), { status: 200 })
    const refused = await fetch(`${url}/api/v1/library/books`, { headers: { 'X-Fault': 'refused' } })
    t.match([refused.status, await refused.json()], [403, { error: { message: 'The desk is closed.' } }])
    t.equal((await fetch(`${url}/api/v1/library/branches`)).status, 200, 'what throws after an answer changes nothing')
    t.equal((await fetch(`${url}/api/v1/library/bookz`)).status, 404)
    const told = (): readonly string[] => heard().map(({ path, status }) => `${String(status)} ${String(path)}`)
    await eventually(() => {
      if (heard().length < 9) throw new Error(`It heard of ${told().join(', ')}.`)
    })
    t.match(heard()[0], { method: 'GET', surface: 'books', status: 200, requestId: /^req_/, ms: Number })
    const path = '/api/v1/library/books'
    t.same(
      [...told()].sort(),
      [
        `200 ${path}`,
        '200 /desk',
        '200 /later',
        '202 /left',
        `202 ${path}`,
        `403 ${path}`,
        '404 /api/v1/library/bookz',
        `500 ${path}`,
        `500 ${path}`
      ].sort()
    )
  })

for (const [text, message] of [
  ['export const before = () => undefined', /hooks\.js: TypeError: The default export must have `before`/],
  ['export default { befor: () => undefined }', /it has `befor`/],
  ['export default { before: true }', /it has `before`/]
] as const)
  t.test(`\`${text}\` is refused at the start, with its file`, async t => {
    const { root } = hooked(t)
    writeFileSync(join(root, 'surfaces/hooks.js'), text)
    await t.rejects(serve({ roots: [root], config: { ...config, dataDir: t.testdirName } }), { message })
  })

t.test('the types of hooks say what a hook is given', t => {
  const hooks: Hooks = {
    before: (req, res) => req.url === '/' && res.headersSent,
    after: ({ surface, status, ms }) => {
      t.comment(surface?.length, status + ms)
    }
  }
  t.ok(hooks)
  t.end()
})
