// test: faults. Processes are started and ended, some of them under limits.
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { requestOf } from '../../bin/promises/examples.ts'
import { Client } from '../endurance/client.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { testDatabase } from '../support/database.ts'
import { times } from '../support/effort.ts'
import { eventually } from '../support/eventually.ts'
import { registryOf } from '../support/registry.ts'
import { scratchFolder } from '../support/scratch.ts'
import { serving, talking } from './serving.ts'

const books = '/api/v1/library/books'
const note = JSON.stringify({ isbn: '9780141439518', note: 'kept going' })
const halfNote = `POST /api/v1/library/reading-note HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${note.length}\r\n\r\n${note.slice(0, 9)}`

/** Loaded before Pantry: on SIGUSR2 the process meets a fault that nothing catches. */
const planted = (kind: string): string =>
  `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${kind} })`)}`

for (const [name, kind] of [
  ['an exception', "setTimeout(() => { throw new Error('planted') })"],
  ['a rejected promise', "void Promise.reject(new Error('planted'))"]
] as const) {
  t.test(`${name} that nothing catches ends the service in good order, and is told once`, async t => {
    for (let round = 0; round < times(20); round += 1) {
      const { child, port, words } = await serving(t, { node: ['--import', planted(kind)] })
      const { socket, all } = await talking(port, halfNote)
      const ended = once(child, 'exit')
      await sleep(100)
      child.kill('SIGUSR2')
      await eventually(() => {
        if (!words().includes('stopping')) throw new Error('not yet')
      })
      socket.write(note.slice(9))
      t.match(await all, /^HTTP\/1\.1 200 [^]*connection: close[^]*kept going/i, 'what was begun is answered')
      t.same(await ended, [3, null])
      const lines = words()
        .split('\n')
        .filter(line => line.includes('planted'))
      t.equal(lines.length, 1)
      t.match(JSON.parse(lines[0] ?? ''), { level: 'fatal', err: { message: 'planted' } })
    }
  })
}

t.test('a second SIGTERM ends the process at once', async t => {
  for (let round = 0; round < times(20); round += 1) {
    const { child, port, words, ended } = await serving(t)
    const { socket } = await talking(port, halfNote)
    await sleep(50)
    child.kill('SIGTERM')
    await eventually(() => {
      if (!words().includes('stopping')) throw new Error('not yet')
    })
    t.equal(await ended('SIGTERM'), 'SIGTERM')
    socket.destroy()
  }
})

t.test('closed standard output and error keep no answer, and no end', async t => {
  for (let round = 0; round < times(20); round += 1) {
    const { child, status, ended } = await serving(t, { env: { LOG_LEVEL: 'debug' } })
    child.stdout?.destroy()
    child.stderr?.destroy()
    for (let asked = 0; asked < 50; asked += 1) t.equal(await status(books), 200)
    t.equal(await ended('SIGTERM'), 0)
  }
})

t.test(
  'with 128 descriptors more connections than that neither end the service nor keep it from answering afterwards',
  async t => {
    const { url } = await bundledDatabase(t)
    for (const root of [undefined, '.'] as const) {
      const { port, status, ended } = await serving(t, {
        shell: 'ulimit -n 128 && exec "$@"',
        ...(root === undefined ? {} : { root, env: { DATABASE_URL: url, PANTRY_DATA_DIR: scratchFolder(t) } })
      })
      for (let round = 0; round < 3; round += 1) {
        const flood = await Promise.all(
          Array.from({ length: 300 }, () => talking(port, 'GET /api/v1/ HTTP/1.1\r\nHost: x\r\n'))
        )
        await sleep(300)
        for (const { socket } of flood) socket.destroy()
        t.equal(await eventually(() => status(root === undefined ? books : '/api/v1/universal/games')), 200)
      }
      t.equal(await ended('SIGTERM'), 0)
    }
  }
)

t.test('distinct request lines to every surface do not fill a heap of 192 MB', async t => {
  const { url } = await bundledDatabase(t)
  const {
    registry: { surfaces }
  } = await registryOf(['.'])
  const paths = surfaces.flatMap(({ route, strict = false, examples }) =>
    route.methods.includes('GET') && !strict
      ? examples
          .filter(({ method, as, expect }) => method === 'GET' && as === undefined && expect.status === 200)
          .map(({ url: target }) => target)
      : []
  )
  const { port, status, ended } = await serving(t, {
    root: '.',
    node: ['--max-old-space-size=192'],
    env: { DATABASE_URL: url, PANTRY_DATA_DIR: scratchFolder(t) }
  })
  // How long an answer takes beside 23 others depends on the machine.
  const client = new Client(port, 24, 60_000)
  const codings = ['gzip', 'br', 'identity']
  let number = 0
  const lost: string[] = []
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      while (number < 26_000) {
        const at = number++
        const target = paths[at % paths.length] ?? '/'
        const { status: found, reason = '' } = await client.send({
          surface: '',
          method: 'GET',
          target: `${target}${target.includes('?') ? '&' : '?'}z=${at}`,
          headers: { 'Accept-Encoding': codings[at % 3] ?? '' }
        })
        if (found !== 200 && found !== 503) lost.push(`${found} ${target} ${reason}`)
      }
    })
  )
  client.close()
  t.same(lost, [], 'every request is answered')
  t.equal(await status('/api/v1/universal/games'), 200)
  t.equal(await ended('SIGTERM'), 0)
})

t.test('a start that is ended while it loads leaves whole sources, and the next one completes it', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const env = { DATABASE_URL: url, PANTRY_DATA_DIR: scratchFolder(t) }
  const counts = async (): Promise<readonly unknown[]> =>
    (
      await database.bulk.raw<{ rows: object[] }>(
        "select r.source, r.rows_read from runs r where status = 'succeeded' order by 1"
      )
    ).rows
  for (const wait of [1_000, 3_000, 5_000]) {
    const { ended } = await serving(t, { root: '.', env, waits: false })
    await sleep(wait)
    // Before it has begun to listen to signals, one has its usual effect.
    t.ok([0, 'SIGTERM'].includes((await ended('SIGTERM')) as string), `after ${wait} ms`)
  }
  const { status, ended } = await serving(t, { root: '.', env })
  await eventually(async () => {
    if ((await status('/readyz')) !== 200) throw new Error('not ready')
  })
  const whole = await counts()
  t.ok(whole.length >= 2, JSON.stringify(whole))
  t.equal(await ended('SIGTERM'), 0)
  // Other tests have databases on the same server.
  const { rows } = await database.bulk.raw<{ rows: { count: number }[] }>(
    "select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and datname = current_database()"
  )
  t.same(rows, [{ count: 0 }], 'no lock is left')
})

t.test('without the right to write any file the service reads and answers as ever', async t => {
  const { url } = await bundledDatabase(t)
  const {
    registry: { surfaces }
  } = await registryOf(['.'])
  const folder = scratchFolder(t)
  const env = { DATABASE_URL: url, PANTRY_DATA_DIR: join(folder, 'data') }
  const free = await serving(t, { root: '.', env })
  const shut = await serving(t, { root: '.', env, node: ['--experimental-permission', '--allow-fs-read=*'] })
  const all = surfaces.flatMap(({ examples }) =>
    examples.map(example => ({ target: example.url, init: requestOf(example) }))
  )
  for (const { status } of [free, shut])
    await eventually(async () => {
      if ((await status('/readyz')) !== 200) throw new Error('not ready')
    })
  for (const { target, init } of all) {
    const [wanted, found] = [await free.status(target, init), await shut.status(target, init)]
    if (wanted !== found) t.equal(found, wanted, target)
  }
  t.ok(all.length > 200, `${all.length} requests`)
  t.equal(await shut.ended('SIGTERM'), 0)
  t.equal(await free.ended('SIGTERM'), 0)
})
