// test: slow.
import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { addressOf, bulkLimits, silent } from '../../../core/database/connection.ts'
import { startEmbedded } from '../../../core/database/embedded.ts'
import { openPool } from '../../../core/database/pool.ts'
import { query, startElsewhere, startServer } from '../../support/embedded.ts'
import { scratchFolder } from '../../support/scratch.ts'

// Each test makes a cluster, which a busy machine takes its time for.

const isRoot = process.getuid?.() === 0

t.test('data outlives the server, which listens on a private socket only', async t => {
  // Longer than a socket address can be.
  const dataDir = join(scratchFolder(t), 'deep'.repeat(30))
  const first = await startEmbedded({ dataDir, log: silent })
  t.ok(existsSync(first.connection.host))
  t.equal(statSync(first.connection.host).mode & 0o777, 0o700)
  t.same(
    await query(
      first,
      `select current_setting('listen_addresses') addresses, current_setting('fsync') as sync, current_setting('server_encoding') as encoding`
    ),
    [{ addresses: '', sync: 'on', encoding: 'UTF8' }]
  )
  await query(first, 'create table kept as select 7 as value')
  await first.stop()
  t.throws(() => process.kill(first.pid(), 0), 'the server is gone')
  t.notOk(existsSync(first.connection.host), 'and so is its socket')
  t.same(await query(await startServer(t, dataDir), 'select value from kept'), [{ value: 7 }])
})

t.test('a second Pantry on the same folder is refused and told who holds it', async t => {
  const dataDir = scratchFolder(t)
  await startServer(t, dataDir)
  const error = await startEmbedded({ dataDir, log: silent }).catch((error: unknown) => error)
  t.match(error, { code: 'O205', message: `process ${process.pid}` })
})

t.test('where there are no programs of PostgreSQL, the way out is told', async t => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
  t.teardown(() => Object.defineProperty(process, 'platform', platform))
  await t.rejects(startEmbedded({ dataDir: scratchFolder(t), log: silent }), { code: 'O201', fix: /DATABASE_URL/ })
})

t.test('a data folder that cannot be made is told, and nothing waits for ever', async t => {
  await t.rejects(startEmbedded({ dataDir: '/proc/none/data', log: silent }), { code: 'O204', message: /ENOENT/ })
})

t.test('work beside a running Pantry shares its server, and leaves it running', async t => {
  const dataDir = scratchFolder(t)
  const { process: owner, connection } = await startElsewhere(t, dataDir)
  const shared = await startEmbedded({ dataDir, log: silent, share: true })
  t.equal(shared.pid(), owner.pid)
  await query(shared, 'create table kept (value int)')
  await shared.stop()
  t.same(await query({ connection }, 'select count(*)::int as rows from kept'), [{ rows: 0 }])
})

t.test(
  "as root, a folder that the server's user cannot enter gets its cluster elsewhere, and the log says where",
  { skip: isRoot ? false : 'needs root' },
  async t => {
    const folder = scratchFolder(t)
    chmodSync(folder, 0o700)
    const dataDir = join(folder, 'data')
    const messages: string[] = []
    const first = await startEmbedded({
      dataDir,
      log: {
        ...silent,
        warn: message => {
          messages.push(message)
        }
      }
    })
    const cluster = /kept in (\S+)\.$/.exec(messages.join('\n'))?.[1] ?? ''
    t.teardown(() => {
      rmSync(dirname(cluster), { recursive: true, force: true })
    })
    t.notOk(cluster.startsWith(dataDir))
    t.not(statSync(cluster).uid, 0)
    await query(first, 'create table kept as select 7 as value')
    await first.stop()
    t.same(await query(await startServer(t, dataDir), 'select value from kept'), [{ value: 7 }], 'and finds it again')
  }
)

t.test('a cluster of another major version is refused in words', async t => {
  const dataDir = scratchFolder(t)
  await (await startEmbedded({ dataDir, log: silent })).stop()
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '9\n')
  await t.rejects(startEmbedded({ dataDir, log: silent }), { code: 'O206', message: /PostgreSQL 9/ })
})

t.test('variables of PostgreSQL that are meant for another server change nothing', async t => {
  const variables = {
    PGOPTIONS: '-c search_path=other',
    PGREPLICATION: 'database',
    PGSSLNEGOTIATION: 'direct',
    PGSSLMODE: 'require'
  }
  const before = Object.keys(variables).map(name => [name, process.env[name]] as const)
  t.teardown(() => {
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = value
  })
  Object.assign(process.env, variables)
  const { connection } = await startServer(t, scratchFolder(t))
  const expected = [{ search_path: '"$user", public' }]
  t.same(await query({ connection }, 'show search_path'), expected)
  const worker = openPool({ url: addressOf(connection) }, bulkLimits, 1, silent)
  t.same((await worker.raw<{ rows: unknown }>('show search_path')).rows, expected, 'also for a worker')
  await worker.destroy()
})
