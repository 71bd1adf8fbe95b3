import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { run } from '../../bin/commands/run.ts'
import { capture, library, libraryIn, pantry } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'

const env = { LOG_LEVEL: 'silent' }

t.test('listens, answers, and stops when asked, with 0', async t => {
  const { io, stdout } = capture(env)
  const ended = run(['serve', '--root', library, '--port', '0'], io)
  await once(io.stdout, 'data')
  const url = /^listening on (http:\/\/\S+)\n$/.exec(stdout())?.[1] ?? ''
  t.equal((await fetch(`${url}/api/v1/library/books`)).status, 200)
  io.signals.emit('SIGTERM')
  t.equal(await ended, 0)
  t.equal(io.signals.listenerCount('SIGINT'), 0, 'a second signal has its usual effect')
  await t.rejects(fetch(`${url}/api/v1/library/books`))
})

t.test('a correct edit is served under --watch, a wrong one is reported and changes nothing', async t => {
  const root = libraryIn(t.testdir())
  const { io, stdout, stderr } = capture(env)
  const ended = run(['serve', '--watch', '--root', root, '--port', '0'], io)
  await once(io.stdout, 'data')
  const url = /^listening on (http:\/\/\S+)\n$/.exec(stdout())?.[1] ?? ''
  const status = async (): Promise<number> => (await fetch(`${url}/api/v1/about`)).status

  t.equal(await status(), 404)
  t.equal((await pantry(['new', 'document', 'about', '--root', root])).code, 0)
  await eventually(async () => {
    assert.equal(await status(), 200)
  })
  writeFileSync(join(root, 'manifests/about.yaml'), 'kind: [')
  await eventually(() => {
    assert.match(stderr(), /about\.yaml:1:\d+: error\[M\d+\]/)
  })
  t.equal(await status(), 200)
  io.signals.emit('SIGINT')
  t.equal(await ended, 0)
})

t.test('a handler knows the origin that is served, which is known after its services are open', async t => {
  const root = libraryIn(t.testdir())
  writeFileSync(
    join(root, 'manifests/origin.yaml'),
    `
kind: handler
path: /api/v1/origin
summary: The origin of the service.
tags: [library]
access: public
carries_pii: false
requires_consent: false
freshness: status
license: CC0-1.0
sources: [self]
provenance: computed
since: 2026-11-20
contract: envelope
examples:
  - title: It says where it is
    expect: { shows: { /data/has_origin: true } }
`
  )
  mkdirSync(join(root, 'surfaces/handlers'), { recursive: true })
  writeFileSync(
    join(root, 'surfaces/handlers/origin.js'),
    `
import { defineHandler, reply, Type } from 'pantry/handler'
export default defineHandler({ reply: Type.Object({ has_origin: Type.Boolean(), origin: Type.String() }), handle: ({ service }) => reply({ has_origin: true, origin: service.base_url }) })`
  )
  for (const origin of [undefined, 'https://api.example.org']) {
    const { io, stdout } = capture({ ...env, ...(origin === undefined ? {} : { PANTRY_BASE_URL: origin }) })
    const ended = run(['serve', '--root', root, '--port', '0'], io)
    await once(io.stdout, 'data')
    const url = /^listening on (http:\/\/\S+)\n$/.exec(stdout())?.[1] ?? ''
    const { data } = (await (await fetch(`${url}/api/v1/origin`)).json()) as { data: { origin: string } }
    t.equal(data.origin, origin ?? url)
    io.signals.emit('SIGTERM')
    t.equal(await ended, 0)
  }
})

t.test(
  'an address that means every address is in no link: they say localhost, with a warning, or what is configured',
  async t => {
    for (const [given, origin] of [
      [{}, undefined],
      [{ PANTRY_BASE_URL: 'https://api.example.org' }, 'https://api.example.org']
    ] as const) {
      const { io, stdout, stderr } = capture({ ...env, ...given, HOST: '0.0.0.0' })
      const ended = run(['serve', '--root', library, '--port', '0'], io)
      await once(io.stdout, 'data')
      const port = /^listening on http:\/\/0\.0\.0\.0:(\d+)\n$/.exec(stdout())?.[1] ?? ''
      const linked = origin ?? `http://localhost:${port}`
      const { servers } = (await (await fetch(`http://127.0.0.1:${port}/api/openapi.json`)).json()) as {
        servers: { url: string }[]
      }
      t.same(
        servers.map(({ url }) => url),
        [linked]
      )
      await eventually(() => {
        assert.match(stderr(), new RegExp(`start at ${linked}/api/v1/\\n$`))
      })
      t.equal(
        /warning: links say (\S+), because HOST is 0\.0\.0\.0\. Set PANTRY_BASE_URL/.exec(stderr())?.[1],
        origin === undefined ? linked : undefined
      )
      io.signals.emit('SIGTERM')
      t.equal(await ended, 0)
    }
  }
)

t.test('on a terminal a start is told in sentences', async t => {
  const root = libraryIn(t.testdir())
  mkdirSync(join(root, 'surfaces'))
  writeFileSync(
    join(root, 'surfaces/services.js'),
    `
    export default async ({ log }) => ({ services: {}, prepare: async () => { log.info({ rows: 2 }, 'Two rows were read.') }, health: async () => ({}), close: async () => {} })`
  )
  const { io, stderr } = capture()
  Object.assign(io.stderr, { isTTY: true })
  const ended = run(['serve', '--root', root, '--port', '0'], io)
  await eventually(() => {
    assert.match(stderr(), /^Two rows were read\.\nstart at http:\/\/127\.0\.0\.1:\d+\/api\/v1\/\n$/)
  })
  io.signals.emit('SIGTERM')
  t.equal(await ended, 0)
})

/** What was written to stderr, each line of it. Throws where one is no JSON. */
const linesOf = (text: string): readonly unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown)

t.test('on a pipe each line of stderr is JSON: the log, and what the service says of itself', async t => {
  const root = libraryIn(t.testdir())
  mkdirSync(join(root, 'surfaces'))
  writeFileSync(
    join(root, 'surfaces/services.js'),
    `
    export default async () => ({ services: {}, prepare: async progress => { progress({ label: 'books', done: 2, total: 2 }) } })`
  )
  const { io, stdout, stderr } = capture({ LOG_LEVEL: 'error', HOST: '0.0.0.0', PANTRY_ADMIN_PROT: '0' })
  const ended = run(['serve', '--root', root, '--port', '0', '--admin-port', '0'], io)
  await eventually(() => {
    assert.match(stderr(), /"start at /)
  })
  writeFileSync(join(root, 'manifests/about.yaml'), 'kind: [')
  io.signals.emit('SIGHUP')
  await eventually(() => {
    assert.match(stderr(), /the last good manifests keep serving/)
  })
  io.signals.emit('SIGTERM')
  t.equal(await ended, 0)
  t.match(stdout(), /^listening on http:\/\/\S+\n$/, 'which scripts wait for')
  t.match(linesOf(stderr()), [
    { level: 'warn', msg: /PANTRY_ADMIN_PROT/ },
    { level: 'info', msg: /^admin port on http:\/\/\S+$/ },
    { level: 'warn', msg: /^links say http:\/\/localhost:/ },
    { level: 'info', time: String, msg: /^start at http:/ },
    { level: 'error', code: /^M\d{3}$/, place: /manifests\/about\.yaml:1:\d+$/, msg: String },
    { level: 'info', msg: /refused: the last good/ },
    { level: 'info', msg: /^stopping: / }
  ])
})

t.test('so is the progress of a start, and why a start ended', async t => {
  const root = libraryIn(t.testdir())
  mkdirSync(join(root, 'surfaces'))
  writeFileSync(
    join(root, 'surfaces/services.js'),
    `
    export default async () => ({
      services: {},
      prepare: async progress => { progress({ label: 'books', done: 2, total: 2 }); throw new Error('no room') }
    })`
  )
  const { code, stderr } = await pantry(['serve', '--root', root, '--port', '0'])
  t.equal(code, 3)
  t.match(linesOf(stderr), [
    { level: 'info', msg: 'books: 100 %' },
    { level: 'fatal', code: 'O901', fix: /^Thrown at .*services\.js/, msg: 'Error: no room' }
  ])
  writeFileSync(join(root, 'manifests/about.yaml'), 'kind: [')
  t.match(linesOf((await pantry(['serve', '--root', root, '--port', '0'])).stderr), [
    { level: 'error', code: /^M/ },
    { level: 'fatal', msg: 'The manifests have errors.' }
  ])
})

t.test('manifests with errors are findings', async t => {
  const root = libraryIn(t.testdir())
  writeFileSync(join(root, 'manifests/about.yaml'), 'kind: [')
  t.match(await pantry(['serve', '--root', root, '--port', '0'], env), {
    code: 1,
    stdout: '',
    stderr: /about\.yaml:1:\d+: error\[[^]*The manifests have errors\.\n$/
  })
})

t.test('a port in use is trouble of the environment, told before anything is opened', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => {
    taken.close()
  })
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const inUse = (variable: string): RegExp =>
    new RegExp(
      `^error\\[O501\\]: Port ${port} on 127\\.0\\.0\\.1 is in use\\.\\nStop what uses it, or set ${variable} to another port; 0 takes any free one\\.\\n$`
    )
  t.match(await pantry(['serve', '--root', library, '--port', String(port)], env), {
    code: 3,
    stdout: '',
    stderr: inUse('PORT')
  })
  t.match(await pantry(['serve', '--root', library, '--port', '0', '--admin-port', String(port)], env), {
    code: 3,
    stdout: '',
    stderr: inUse('PANTRY_ADMIN_PORT')
  })
})

t.test('a start that fails closes what it opened', async t => {
  const root = libraryIn(t.testdir())
  mkdirSync(join(root, 'surfaces'))
  const closed = join(root, 'closed')
  writeFileSync(
    join(root, 'surfaces/services.js'),
    `
    import { writeFileSync } from 'node:fs'
    export default async () => ({
      services: {},
      prepare: async () => { throw new Error('no room') },
      health: async () => ({}),
      close: async () => { writeFileSync(${JSON.stringify(closed)}, '') }
    })`
  )
  t.match(await pantry(['serve', '--root', root, '--port', '0'], env), { code: 3, stdout: '', stderr: /no room/ })
  t.ok(existsSync(closed))
})

t.test('asked to stop while a named server is away it stops, and tries no more', async t => {
  const { io, stdout } = capture({ ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  const ended = run(['serve', '--port', '0'], io)
  await once(io.stdout, 'data')
  t.match(stdout(), /^listening on /)
  io.signals.emit('SIGTERM')
  t.equal(await ended, 0)
})
