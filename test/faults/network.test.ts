// test: faults. Every fault of a network between the service and its database, each for seconds.
import t, { type Test } from 'tap'
import { Text } from '../../core/contract/shapes.ts'
import { silent } from '../../core/database/connection.ts'
import { openDatabase, type Database } from '../../core/database/database.ts'
import { bundledDatabase } from '../support/bundled.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { proxiedDatabase, type FaultProxy } from '../support/fault-proxy.ts'
import { ask, type Asked } from '../support/same-answers.ts'
import { generationOf, serveGeneration, type Served } from '../support/serve-root.ts'

/**
 * Surfaces that read the database in each of its ways: many keys at once, statements of their own, and what an import
 * computed.
 */
const urls = [
  '/api/v1/universal/card/op-op01-001-en',
  '/api/v1/universal/sets/op',
  '/api/v1/search/cards?game=op&q=luffy',
  '/api/v1/universal/games',
  '/api/v1/budget',
  '/api/v1/coverage'
]

type Service = Served &
  Readonly<{
    proxy: FaultProxy
    faults: readonly unknown[]
    asBefore: (t: Test, found: readonly Asked[], name: string) => number
    all: () => Promise<readonly Asked[]>
  }>

/**
 * The service over the bundled cards, behind the proxy. `asBefore` counts the answers that are those of a sound
 * network; any other must be the typed 503.
 */
async function serviceBehindProxy(t: Test): Promise<Service> {
  const { proxy, url } = await proxiedDatabase(t, (await bundledDatabase(t)).url)
  const faults: unknown[] = []
  const served = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl: url, faults, isPatient: false }))
  const all = (): Promise<readonly Asked[]> => Promise.all(urls.map(path => ask(served, path)))
  const before = await all()
  t.same(
    before.map(({ status }) => status),
    urls.map(() => 200),
    'all is well at first'
  )
  return {
    ...served,
    proxy,
    faults,
    all,
    asBefore(t, found, name) {
      let same = 0
      for (const [index, { status, text }] of found.entries()) {
        if (status === 503)
          t.match(JSON.parse(text), { error: { code: 'SOURCE_UNAVAILABLE', status: 503 } }, `${name} ${urls[index]}`)
        else if (status === 200 && text === before[index]?.text) same += 1
        else t.fail(`${name} ${urls[index]}: ${status}`, { text: text.slice(0, 300) })
      }
      return same
    }
  }
}

const wellAgain = (t: Test, { all, asBefore }: Service): Promise<void> =>
  eventually(async () => {
    if (asBefore(t, await all(), 'afterwards') < urls.length) throw new Error('not yet as before')
  })

t.test('a database that is away, and comes, is answered for in between', async t => {
  const service = await serviceBehindProxy(t)
  for (let round = 0; round < 5; round += 1) {
    await service.proxy.set({ down: true })
    for (let times = 0; times < 10; times += 1) service.asBefore(t, await service.all(), 'away')
    t.equal((await ask(service, '/api/v1/')).status, 200, 'what needs no database is served')
    await service.proxy.set({})
    await wellAgain(t, service)
  }
  t.same(service.faults, [], 'no fault was met')
})

t.test('a network that swallows everything costs typed answers, and is forgotten when it is back', async t => {
  const service = await serviceBehindProxy(t)
  for (let round = 0; round < 5; round += 1) {
    await service.proxy.set({ blackHole: true })
    for (let times = 0; times < 3; times += 1) service.asBefore(t, await service.all(), 'black hole')
    await service.proxy.set({})
    await wellAgain(t, service)
  }
  t.same(service.faults, [])
})

t.test('a network that is slow, thin, or cuts answers to bytes gives whole answers or typed ones', async t => {
  const service = await serviceBehindProxy(t)
  for (const [name, toxics, isPassable] of [
    ['latency 300 ms', { latency: 300 }, true],
    ['latency 2 s', { latency: 2_000 }, false],
    ['10 KB a second', { bandwidth: 10_240 }, false],
    ['single bytes', { slicer: 1 }, false],
    ['a late end', { slowClose: 2_000 }, true]
  ] as const) {
    await service.proxy.set(toxics)
    let same = 0
    for (let times = 0; times < 3; times += 1) same += service.asBefore(t, await service.all(), name)
    if (isPassable) t.ok(same > 0, `${name}: ${same} answers as before`)
    await service.proxy.set({})
    await wellAgain(t, service)
  }
  t.same(service.faults, [])
})

type Opened = Readonly<{ database: Database; load: (key: string) => Promise<readonly unknown[] | undefined> }>

async function opened(t: Test, url: string): Promise<Opened> {
  const database = await openDatabase({ url, dataDir: '', log: silent })
  t.teardown(() => database.close())
  const loader = database.reader.createLoader({
    name: 'echo',
    sql: 'select unnest($1::text[])',
    columns: [Text],
    keyOf: ([key]) => key
  })
  return { database, load: key => loader.load(key) }
}

t.test('an answer that is cut at any byte is whole or typed', async t => {
  const { url: direct } = await testDatabase(t)
  const { proxy, url } = await proxiedDatabase(t, direct)
  const word = 'a long word '.repeat(40)
  let whole = 0
  for (const reset of [false, true])
    for (let offset = 16; offset <= 16 * 100; offset += 16) {
      await proxy.set(reset ? { resetAfter: offset } : { limitData: offset })
      const { database, load } = await opened(t, url)
      const found = await Promise.allSettled([
        load(word),
        database.knex.raw<{ rows: object[] }>('select ? as word', [word]).then(({ rows }) => rows)
      ])
      const wanted = [[word], [{ word }]]
      for (const [index, one] of found.entries()) {
        if (one.status === 'rejected') t.match(one.reason, { status: 503 }, `${offset} bytes`)
        else {
          whole += 1
          t.same(one.value, wanted[index], `${offset} bytes`)
        }
      }
      await database.close()
    }
  t.ok(whole > 0 && whole < 300, `${whole} of 400 were whole`)
})

t.test('a connection that is reset within a transaction leaves no row', async t => {
  const { url: direct } = await testDatabase(t)
  const { proxy, url } = await proxiedDatabase(t, direct)
  const { database } = await opened(t, url)
  const watching = await opened(t, direct)
  await watching.database.bulk.raw('create table kept (value integer)')
  for (let at = 1; at <= 100; at += 1) {
    await proxy.set({ refuses: piece => piece.includes(`insert into kept values (${at})`) })
    await t.rejects(
      database.bulk.transaction(async transaction => {
        for (let value = 1; value <= 100; value += 1) await transaction.raw(`insert into kept values (${value})`)
      }),
      `reset at row ${at}`
    )
  }
  t.same((await watching.database.bulk.raw<{ rows: object[] }>('select count(*)::int as rows from kept')).rows, [
    { rows: 0 }
  ])
  await proxy.set({})
  await eventually(() => database.bulk.raw('insert into kept values (1)'))
})
