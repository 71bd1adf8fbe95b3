// test: long. PgBouncer in transaction mode, with the settings of Debian's package, in front of a server.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { once } from 'node:events'
import type { Test } from 'tap'
import t from 'tap'
import { Text } from '../../../core/contract/shapes.ts'
import { openDatabase, type Database } from '../../../core/database/database.ts'
import { diagnoseDatabase } from '../../../core/database/doctor.ts'
import { Leases } from '../../../core/database/jobs/leases.ts'
import { jobMigrations } from '../../../core/database/jobs/table.ts'
import { keyCallers } from '../../../core/database/keys/callers.ts'
import { KeyStore } from '../../../core/database/keys/store.ts'
import { keyTables } from '../../../core/database/keys/tables.ts'
import { migrate as migrateWith } from '../../../core/database/migrations.ts'
import { serviceName, silent } from '../../../core/database/connection.ts'
import { eventually } from '../../support/eventually.ts'
import { importInto } from '../../support/bundled.ts'
import { migrationsOf } from '../../../bin/roots.ts'
import { migrate, status } from '../../support/migrations.ts'
import { noPooler, startPooler, startPrimary, type TestServer } from '../../support/postgres.ts'
import { program } from '../../support/program.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { generationOf, serveGeneration } from '../../support/serve-root.ts'

const diagnose = (url: string, pooler?: 'transaction') =>
  diagnoseDatabase({ url, pooler, dataDir: '/', migrations: status })

async function open(t: Test, url: string): Promise<Database> {
  const database = await openDatabase({ url, pooler: 'transaction', dataDir: '', log: silent, checkRows: true })
  t.teardown(() => database.close())
  return database
}

const heldBy = async (server: TestServer): Promise<unknown> =>
  await server.query(
    "select count(*)::int as cards, (select count(*)::int from pg_prepared_statements) as prepared, (select count(*)::int from pg_locks where locktype = 'advisory') as locks from cards"
  )

t.test('behind PgBouncer', { skip: noPooler }, async t => {
  const server = await startPrimary(t)
  const { url } = await startPooler(t, server)
  const database = await open(t, url)

  await t.test('several processes migrate at once, and all bundled cards are imported', async t => {
    const others = [await open(t, url), await open(t, url)]
    const ran = await Promise.all([database, ...others].map(one => migrate(one.bulk)))
    t.equal(ran.filter(names => names.length > 0).length, 1)
    await importInto(url, 'transaction')
    const [held] = (await heldBy(server)) as [{ cards: number; locks: number }]
    t.ok(held.cards > 10_000)
    t.equal(held.locks, 0)
  })

  await t.test('a key is issued, found, counted and revoked', async t => {
    await keyTables.up(database.bulk)
    const keys = new KeyStore(database)
    const { key, issued } = await keys.issue({ name: 'A test', scopes: ['read'] })
    const callers = keyCallers(database, 2)
    const left = async (): Promise<number | undefined> => {
      const caller = await callers.find({ key }, new Date())
      return caller === undefined ? undefined : (await callers.count(caller, new Date())).remaining
    }
    t.same([await left(), await left()], [1, 0])
    t.equal(await keys.revoke(issued.prefix), true)
    t.equal(await left(), undefined)
  })

  await t.test('the lease of a job is taken once, renewed, and let go', async t => {
    const others = [database, await open(t, url), await open(t, url)]
    await migrateWith(database.bulk, [...migrationsOf([]), ...jobMigrations])
    const job = { name: 'sweep', job: { every: '1 hour', deadline: 1, run: () => Promise.resolve() } } as const
    await new Leases(database, 30_000).register([job])
    const taken = await Promise.all(others.map(one => new Leases(one, 30_000).take(job, true)))
    const [held, ...more] = taken.filter(lease => lease !== undefined)
    t.same(more, [])
    t.equal(await held?.renew(), true)
    await held?.record({ outcome: 'done' })
    await held?.release()
    t.match(await new Leases(database, 1).states(), [{ outcome: 'done', is_held: false, runs: 1 }])
    await migrateWith(database.bulk, [...migrationsOf([]), ...jobMigrations], 'down')
  })

  await t.test('lookups of many connections need no statement that was prepared before', async t => {
    const lookup = database.reader.createLoader({
      name: 'echo',
      sql: 'select unnest($1::text[])',
      columns: [Text],
      keyOf: ([key]) => key
    })
    // A transaction holds a connection of the server, so the next statement gets another one.
    for (let at = 0; at < 20; at += 1) {
      const held = await Promise.all(Array.from({ length: at % 4 }, () => database.knex.transaction()))
      for (const one of held) await one.raw('select 1')
      t.strictSame(await Promise.all(['a', 'b'].map(key => lookup.load(`${key}${at}`))), [[`a${at}`], [`b${at}`]])
      await Promise.all(held.map(one => one.rollback()))
    }
  })

  await t.test('a statement that takes too long is cancelled in the server, and the connection goes on', async t => {
    await t.rejects(database.knex.raw('select pg_sleep(30)'), { code: 'SOURCE_UNAVAILABLE', status: 503 })
    await eventually(async () => {
      const left = await server.query(
        "select pid from pg_stat_activity where query like 'select pg_sleep%' and state = 'active' and pid <> pg_backend_pid()"
      )
      if (left.length > 0) throw new Error('the server goes on with it')
    })
    t.ok(await database.knex.raw('select 1'))
    t.ok(await database.bulk.raw('select pg_sleep(2)'), 'an import may take its time')
  })

  await t.test('the surfaces answer as they do without it', async t => {
    const answers = async (databaseUrl: string, pooler?: 'transaction'): Promise<readonly string[]> => {
      const { get } = await serveGeneration(t, await generationOf(t, ['.'], { databaseUrl, pooler }))
      return await Promise.all(
        [
          '/api/v1/universal/card/op-op01-001-en',
          '/api/v1/universal/games',
          '/api/v1/budget',
          '/api/v1/search/names?q=luffy',
          '/api/v1/search/cards?q=luffy',
          '/api/v1/artists',
          '/api/v1/sources',
          '/api/v1/universal/card/op-op01-001-xx'
        ].map(async path => {
          const response = await get(path)
          const { data, error } = (await response.json()) as { data?: unknown; error?: unknown }
          return JSON.stringify([path, response.status, data ?? null, error ?? null])
        })
      )
    }
    t.strictSame(await answers(url, 'transaction'), await answers(server.url))
  })

  await t.test('pantry backup and restore go through it', async t => {
    const file = join(scratchFolder(t), 'all.gz')
    const env = {
      ...process.env,
      DATABASE_URL: url,
      PANTRY_DATABASE_POOLER: 'transaction',
      PANTRY_DATA_DIR: scratchFolder(t)
    }
    const before = await heldBy(server)
    // The services of the test before have ended, and the pooler keeps their connections.
    await eventually(async () => {
      const active = await server.query(
        `select pid from pg_stat_activity where application_name = '${serviceName}' and state_change > clock_timestamp() - interval '10 seconds'`
      )
      if (Array.isArray(active) && active.length > 0) throw new Error('A service was active a moment ago.')
    }, 30)
    for (const args of [
      ['backup', file],
      ['restore', file, '--replace']
    ]) {
      const child = spawn(process.execPath, [...program('bin/commands/pantry'), ...args], {
        env,
        stdio: ['ignore', 'ignore', 'inherit']
      })
      t.strictSame(await once(child, 'exit'), [0, null], args.join(' '))
    }
    t.strictSame(await heldBy(server), before)
  })

  await t.test('doctor says that it is there, also where it looks like a server', async t => {
    t.match(await diagnose(url, 'transaction'), [
      { name: 'server', ok: true },
      { name: 'pooler', ok: true, detail: /in between/ },
      { name: 'migrations', ok: true }
    ])
    t.match(await diagnose(url), [
      { name: 'pooler', ok: false, detail: /unsupported startup parameter/, fix: /PANTRY_DATABASE_POOLER=transaction/ }
    ])
    const { url: lenient } = await startPooler(t, server, 'ignore_startup_parameters = statement_timeout\n')
    t.match(await diagnose(lenient), [
      { name: 'server', ok: true },
      { name: 'pooler', ok: false, detail: /prepared/, fix: /PANTRY_DATABASE_POOLER=transaction/ },
      {}
    ])
    t.match(await diagnose(server.url, 'transaction'), [{}, { name: 'pooler', ok: true, detail: /no pooler/ }, {}])
    t.match(
      (await diagnose(server.url)).map(({ name }) => name),
      ['server', 'migrations']
    )
  })
})
