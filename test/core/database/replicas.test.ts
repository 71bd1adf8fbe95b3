// test: long. A primary and two streaming standbys, from Debian's package.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { Text } from '../../../core/contract/shapes.ts'
import { openDatabase, type Database } from '../../../core/database/database.ts'
import { silent, type Log } from '../../../core/database/log.ts'
import type { Loader } from '../../../core/database/reader.ts'
import { eventually } from '../../support/eventually.ts'
import { noPostgres, startReplicated, type TestServer } from '../../support/postgres.ts'

type Cluster = Awaited<ReturnType<typeof startReplicated>>

const listOf = (servers: readonly TestServer[]): string =>
  `postgres://pantry@${servers.map(({ host }) => host).join(',')}/pantry`

async function open(t: Test, { primary, standbys }: Cluster, log: Log = silent): Promise<Database> {
  const database = await openDatabase({
    url: listOf([...standbys, primary]),
    readUrl: listOf([primary, ...standbys]),
    longestLag: 2_000,
    dataDir: '',
    log,
    checkRows: true
  })
  t.teardown(() => database.close())
  return database
}

const lookups = new WeakMap<Database, Loader<readonly [string, string]>>()

/** The port that a statement reached, by knex and by a lookup. */
async function portsOf(database: Database): Promise<readonly [number, number]> {
  const {
    rows: [row]
  } = await database.reading.raw<{ rows: { port: number }[] }>('select inet_server_port() as port')
  const lookup =
    lookups.get(database) ??
    database.reader.createLoader({
      name: 'port',
      sql: 'select unnest($1::text[]), inet_server_port()::text',
      columns: [Text, Text],
      keyOf: ([key]) => key
    })
  lookups.set(database, lookup)
  return [row?.port ?? 0, Number((await lookup.load('x'))?.[1])]
}

async function untilRead(database: Database, ports: readonly number[]): Promise<void> {
  await eventually(async () => {
    const found = await portsOf(database)
    if (!found.every(port => ports.includes(port)))
      throw new Error(`${found.join(' and ')} are read, not ${ports.join(' or ')}`)
  })
}

t.test('one primary, two standbys', { skip: noPostgres }, async t => {
  const cluster = await startReplicated(t, 2)
  const { primary, standbys } = cluster
  const behind = standbys.map(({ port }) => port)
  const warnings: string[] = []
  const database = await open(t, cluster, {
    ...silent,
    warn: line => {
      warnings.push(line)
    }
  })
  await database.bulk.raw('create table notes (id int primary key)')

  await t.test('reads go to a standby, say how new they are, and writes go to the primary', async t => {
    await untilRead(database, behind)
    const asOf = Date.parse(database.asOf() ?? '')
    t.ok(asOf > Date.now() - 2_000 && asOf <= Date.now())
    t.match(await database.knex.raw('select inet_server_port() as port'), { rows: [{ port: primary.port }] })
    t.match(await database.health(), { status: 'ok' })
    await t.rejects(
      database.reading.raw('insert into notes values (-1)'),
      { code: 'SOURCE_UNAVAILABLE', status: 503 },
      'what is for reads cannot write there'
    )
  })

  await t.test('nobody reads older than what the same process wrote', async t => {
    for (let id = 0; id < 40; id += 1) {
      await database.knex.transaction(trx => trx('notes').insert({ id }))
      const {
        rows: [row]
      } = await database.reading.raw<{ rows: { newest: number }[] }>('select max(id) as newest from notes')
      t.equal(row?.newest, id)
      await sleep((id % 5) * 60)
    }
  })

  await t.test('a standby that falls behind is not read, and read again once it has caught up', async t => {
    await untilRead(database, behind)
    for (const one of standbys) await one.query('select pg_wal_replay_pause()')
    await primary.query('insert into notes values (1000)')
    await untilRead(database, [primary.port])
    t.equal(database.asOf(), undefined, 'the primary is of now')
    t.match(await database.health(), { status: 'degraded', detail: /behind/ })
    for (const one of standbys) await one.query('select pg_wal_replay_resume()')
    await untilRead(database, behind)
  })

  /** Reads without pause, does something in the middle, reads on; gives the reads that failed. */
  const failedReads = async (inTheMiddle: () => void): Promise<readonly PromiseSettledResult<void>[]> => {
    let isOver = false as boolean
    let answered = 0
    // Fewer than there are connections: none waits for another.
    const asked = Array.from({ length: 4 }, async () => {
      for (; !isOver; answered += 1) await portsOf(database)
    })
    const untilAnswered = async (count: number): Promise<void> => {
      await Promise.race([
        ...asked,
        eventually(() => {
          if (answered < count) throw new Error(`${answered} reads were answered, not ${count}`)
        }, 60)
      ])
    }
    try {
      await untilAnswered(60)
      inTheMiddle()
      await untilAnswered(answered + 100)
    } finally {
      isOver = true
    }
    return (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
  }

  await t.test('a standby that dies in the middle of reads costs none of them', async t => {
    await untilRead(database, behind)
    const [port] = await portsOf(database)
    const dying = standbys.find(one => one.port === port)
    t.strictSame(await failedReads(() => dying?.signal('SIGKILL')), [])
    await dying?.start()
  })

  await t.test('a standby that hangs costs time and no answer', async t => {
    await untilRead(database, behind)
    const [port] = await portsOf(database)
    const hanging = standbys.find(one => one.port === port)
    hanging?.signal('SIGSTOP')
    try {
      // Twice as many as there are connections: those that have one wait for the standby, the others for a connection.
      const asked = await Promise.allSettled(Array.from({ length: 12 }, () => portsOf(database)))
      t.strictSame(
        asked.filter(({ status }) => status === 'rejected'),
        []
      )
      t.strictSame(await failedReads(() => hanging?.signal('SIGCONT')), [], 'also when it goes on')
      hanging?.signal('SIGSTOP')
      t.strictSame(await failedReads(() => undefined), [])
      t.notOk((await portsOf(database)).includes(port))
    } finally {
      hanging?.signal('SIGCONT')
    }
  })

  await t.test('a server that was the primary is not written to when it comes back beside a newer one', async t => {
    primary.signal('SIGKILL')
    await t.rejects(database.knex('notes').insert({ id: 2000 }), {
      code: 'SOURCE_UNAVAILABLE',
      status: 503,
      headers: { 'Retry-After': '1' }
    })
    t.match(await database.health(), { status: 'degraded', detail: /Nothing can be written/ })
    t.ok(await portsOf(database), 'reads go on')
    await standbys[0]?.promote()
    await eventually(() => database.knex('notes').insert({ id: 2001 }))
    await primary.start()
    t.match(await primary.query('select pg_is_in_recovery() as standby'), [{ standby: false }], 'both take writes now')
    await sleep(1_500)
    await database.knex('notes').insert({ id: 2002 })
    t.same(
      warnings.filter(line => line.includes('takes writes as well')),
      [
        `${primary.host} takes writes as well as the primary, and is not written to. Stop it, and make a standby of it (pg_rewind).`
      ]
    )
    t.match(await standbys[0]?.query('select id from notes where id > 2000 order by id'), [{ id: 2001 }, { id: 2002 }])
    t.match(
      await (await open(t, cluster)).knex.raw('select inet_server_port() as port'),
      { rows: [{ port: standbys[0]?.port }] },
      'nor by a process that starts then'
    )
  })
})
