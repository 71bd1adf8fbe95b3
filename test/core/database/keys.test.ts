import t from 'tap'
import { newKey } from '../../../core/access/access.ts'
import { keyCallers } from '../../../core/database/keys/callers.ts'
import { KeyStore } from '../../../core/database/keys/store.ts'
import { keyTables } from '../../../core/database/keys/tables.ts'
import { CallerLimits, RequestWindows } from '../../../core/database/keys/windows.ts'
import { testDatabase } from '../../support/database.ts'

const { database } = await testDatabase(t, 'empty')
const { knex } = database
await keyTables.up(knex)
const keys = new KeyStore(database)
const callers = keyCallers(database, 5)
const now = new Date()

t.test('a key is found by its text, of which a hash is stored, until it is revoked or ends', async t => {
  const { key, issued } = await keys.issue({ name: 'Harbour', scopes: ['read', 'write'] })
  t.ok(key.startsWith(issued.prefix))
  t.match(issued, { name: 'Harbour', scopes: ['read', 'write'], expires_at: null, last_used_on: null })
  t.notOk(JSON.stringify(await knex('pantry_keys')).includes(key.slice(19)))
  t.match(await callers.find({ key }, now), { credential: 'bearer', grants: ['read', 'write'] })
  t.match(await keys.list(), [{ last_used_on: new Date().toISOString().slice(0, 10) }], 'a day, and nothing more')
  t.equal(await callers.find({ session: key }, now), undefined, 'a key is no session')
  for (const other of [newKey('key'), `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`, '', "' or true --"])
    t.equal(await callers.find({ key: other }, now), undefined)

  t.equal(await keys.revoke(issued.prefix), true)
  t.equal(await callers.find({ key }, now), undefined)
  t.equal(await keys.revoke(issued.prefix), false, 'once')

  const ending = await keys.issue({ name: 'Short', scopes: [], expiresAt: new Date(Date.now() + 3_600_000) })
  t.ok(await keys.find(ending.key))
  await knex('pantry_keys')
    .where({ prefix: ending.issued.prefix })
    .update({ expires_at: knex.raw("now() - interval '1 second'") })
  t.equal(await keys.find(ending.key), undefined)
})

t.test('a key has its requests in a minute over several processes, its own number or that of the service', async t => {
  for (const [limit, wanted] of [
    [5, {}],
    [3, { requestsPerMinute: 3 }]
  ] as const) {
    const { key } = await keys.issue({ name: 'Busy', scopes: [], ...wanted })
    const processes = [callers, keyCallers(database, 5)]
    const counted = await Promise.all(
      Array.from({ length: limit + 4 }, async (_, at) => {
        const one = processes[at % 2] ?? callers
        const caller = await one.find({ key }, now)
        if (caller === undefined) throw new Error('The key is not found.')
        return await one.count(caller, now)
      })
    )
    const allowed = counted.filter(({ isAllowed }) => isAllowed)
    t.same(allowed.map(({ remaining }) => remaining).sort(), [...Array(limit).keys()], 'each has a place of its own')
    for (const refused of counted.filter(({ isAllowed }) => !isAllowed))
      t.match(refused, { limit, windowSeconds: 60, remaining: 0 })
  }
})

t.test('while the database cannot count, each process counts for itself', async t => {
  const limits = new CallerLimits(new RequestWindows(database, 'no_such_table'))
  const window = { most: 2, seconds: 60 }
  const counted = []
  for (let request = 0; request < 3; request += 1)
    counted.push(
      await limits.count([
        ['key:a', window],
        ['person:b', { most: 100, seconds: 60 }]
      ])
    )
  t.match(
    counted.map(({ isAllowed, limit, remaining }) => [isAllowed, limit, remaining]),
    [
      [true, 2, 1],
      [true, 2, 0],
      [false, 2, 0]
    ]
  )
})

t.test('the tables go as they came', async t => {
  await keyTables.down(knex)
  const { rows } = await knex.raw<{ rows: unknown[] }>("select 1 from pg_tables where tablename like 'pantry_key%'")
  t.same(rows, [])
})
