import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Koa from 'koa'
import { mount, serve } from 'pantry'
import type { Hooks } from 'pantry/handler'
import t, { type Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { libraryIn } from '../support/command-line.ts'

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
        if (req.headers['x-fault'] === 'thrown') throw new Error('no harbour')
        if (req.headers['x-fault'] === 'refused') throw new SurfaceError('FORBIDDEN', 'The desk is closed.')
        if (req.url !== '/desk') return
        res.end('The desk answers.')
        return true
      },
      after: answered => {
        if (answered.path.endsWith('/branches')) throw new Error('after all')
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
  const app = new Koa()
  app.silent = true
  const answer = app
    .use(pantry.routes() as Koa.Middleware)
    .use(pantry.unclaimed() as Koa.Middleware)
    .callback()
  const server = createServer((req, res) => {
    void answer(req, res)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
    t.equal(await own.text(), 'The desk answers.')
    const fault = await fetch(`${url}/api/v1/library/books`, { headers: { 'X-Fault': 'thrown' } })
    t.match([fault.status, await fault.json()], [500, { error: { code: 'INTERNAL' } }])
    const refused = await fetch(`${url}/api/v1/library/books`, { headers: { 'X-Fault': 'refused' } })
    t.match([refused.status, await refused.json()], [403, { error: { message: 'The desk is closed.' } }])
    t.equal((await fetch(`${url}/api/v1/library/branches`)).status, 200, 'what throws after an answer changes nothing')
    t.equal((await fetch(`${url}/api/v1/library/bookz`)).status, 404)
    await eventually(() => {
      if (heard().length < 4) throw new Error(`It heard of ${heard().length} answers.`)
    })
    t.match(heard(), [
      { method: 'GET', path: '/api/v1/library/books', surface: 'books', status: 200, requestId: /^req_/, ms: Number },
      { path: '/api/v1/library/books', status: 500 },
      { path: '/api/v1/library/books', status: 403 },
      { path: '/api/v1/library/bookz', status: 404 }
    ])
    t.notOk('surface' in (heard()[3] ?? {}))
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
