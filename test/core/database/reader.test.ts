import fc from 'fast-check'
import t, { type Test } from 'tap'
import Type from 'typebox'
import { Text } from '../../../core/contract/shapes.ts'
import { silent } from '../../../core/database/connection.ts'
import { openReader } from '../../../core/database/reader.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { testDatabase } from '../../support/database.ts'

const values = {
  name: 'value_by_key',
  sql: 'select key, value from samples where key = any($1) order by key, value',
  columns: [Text, Type.Integer()] as const,
  keyOf: ([key]: readonly [string, number]) => key
}

async function openSamples(t: Test) {
  const { database, url } = await testDatabase(t, 'empty')
  await database.bulk.raw(
    "create table samples as select 'k' || n % 1000 as key, n as value from generate_series(0, 1999) n"
  )
  const queries: { name: string; keys: number }[] = []
  const reader = openReader({
    target: { url },
    log: silent,
    onQuery: (name, keys) => {
      queries.push({ name, keys })
    }
  })
  t.teardown(() => reader.close())
  return { database, reader, queries, loader: reader.createLoader(values) }
}

t.test('keys asked together go out together, each gets its own answer', async t => {
  const { loader, queries } = await openSamples(t)
  const keys = Array.from({ length: 100 }, (_, n) => `k${n}`)
  t.same(
    await Promise.all(keys.map(loader.load)),
    keys.map((key, n) => [key, n])
  )
  t.same(queries, [{ name: 'value_by_key', keys: 100 }])
})

t.test('a key asked twice is sent once', async t => {
  const { loader, queries } = await openSamples(t)
  t.same(await Promise.all(['k1', 'k1', 'k2', 'k1'].map(loader.load)), [
    ['k1', 1],
    ['k1', 1],
    ['k2', 2],
    ['k1', 1]
  ])
  t.same(
    queries.map(({ keys }) => keys),
    [2]
  )
})

t.test('a key may have several rows, in the order of the select, or none', async t => {
  const { loader } = await openSamples(t)
  t.same(await loader.loadAll('k7'), [
    ['k7', 7],
    ['k7', 1007]
  ])
  t.same(await loader.loadAll('absent'), [])
  t.same(
    await loader.loadEach(['k7', 'absent', 'k7']),
    await Promise.all(['k7', 'absent', 'k7'].map(key => loader.loadAll(key))),
    'a key that is asked for twice has its rows once'
  )
  t.equal(await loader.load('absent'), undefined)
})

t.test(
  'many keys of one asker are one statement, together with what else is asked; each row is in the place of its key',
  async t => {
    const { loader, queries } = await openSamples(t)
    const [many, one, same] = await Promise.all([
      loader.loadMany(['k7', 'absent', 'k2', 'k7']),
      loader.load('k3'),
      loader.loadMany(['k3'])
    ])
    t.same(many, [['k7', 7], undefined, ['k2', 2], ['k7', 7]])
    t.same([one, same], [['k3', 3], [['k3', 3]]])
    t.same(
      queries.map(({ keys }) => keys),
      [4],
      'what is asked for twice is sent once'
    )
    t.same(await loader.loadMany([]), [])
    t.same(
      await loader.loadMany(['k1', 'bad\0key', 'k2']),
      [['k1', 1], undefined, ['k2', 2]],
      'a key that no row can have costs the others nothing'
    )
    const answers = await Promise.all(
      [0, 200, 400].map(from => loader.loadMany(Array.from({ length: 200 }, (_, n) => `k${from + n}`)))
    )
    t.same(
      answers.flat().map(row => row?.[1]),
      Array.from({ length: 600 }, (_, n) => n)
    )
  }
)

t.test('a batch has a largest size', async t => {
  const { loader, queries } = await openSamples(t)
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => loader.load(`k${n}`)))
  t.same(
    answers.map(row => row?.[1]),
    Array.from({ length: 1000 }, (_, n) => n)
  )
  t.ok(queries.every(({ keys }) => keys <= 256))
  t.ok(queries.length <= 6)
})

t.test('lookups share the connections without mixing answers', async t => {
  const { reader, loader, queries } = await openSamples(t)
  const doubled = reader.createLoader({
    ...values,
    name: 'doubled',
    sql: 'select key, value * 2 from samples where key = any($1) order by value'
  })
  t.same(await Promise.all([loader.load('k3'), doubled.load('k3'), loader.load('k4')]), [
    ['k3', 3],
    ['k3', 6],
    ['k4', 4]
  ])
  t.same(queries.map(({ name }) => name).sort(), ['doubled', 'value_by_key'])
})

t.test('a key that no row can have is not found, and costs the others nothing', async t => {
  const { loader } = await openSamples(t)
  t.same(await Promise.all([loader.load('k1'), loader.load('bad\0key'), loader.load('k2')]), [
    ['k1', 1],
    undefined,
    ['k2', 2]
  ])
})

t.test('a fault of the statement reaches everyone who asked, and the reader goes on', async t => {
  const { reader, loader } = await openSamples(t)
  const broken = reader.createLoader({
    name: 'broken',
    sql: 'select key from absent where key = any($1)',
    columns: [Text],
    keyOf: () => ''
  })
  const results = await Promise.allSettled([broken.load('a'), broken.load('b'), loader.load('k1')])
  t.match(results, [{ reason: { code: '42P01' } }, { reason: { code: '42P01' } }, { value: ['k1', 1] }])
})

t.test('a table that changes under a prepared statement is read again', async t => {
  const { database, reader } = await openSamples(t)
  const all = reader.createLoader({
    ...values,
    name: 'everything',
    sql: 'select * from samples where key = any($1) order by value'
  })
  t.equal((await all.load('k1'))?.length, 2)
  await database.bulk.raw("alter table samples add column note text default 'new'")
  t.same(await all.load('k1'), ['k1', 1, 'new'])
})

t.test('any text is a key, and finds exactly itself', async t => {
  const { reader } = await openSamples(t)
  const echo = reader.createLoader({
    name: 'echo',
    sql: 'select unnest($1::text[])',
    columns: [Text],
    keyOf: ([key]) => key
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: anyCharacter })), async keys => {
      const storable = keys.filter(key => !key.includes('\0'))
      t.same(
        (await Promise.all(storable.map(echo.load))).map(row => row?.[0]),
        storable
      )
    }),
    { numRuns: 50 }
  )
})

t.test('after closing, asking fails in words', async t => {
  const { reader, loader } = await openSamples(t)
  const waiting = Promise.allSettled([loader.load('k1')])
  await reader.close()
  t.match(
    [...(await waiting), ...(await Promise.allSettled([loader.load('k1')]))],
    [{ reason: { status: 503 } }, { reason: { status: 503 } }]
  )
})
