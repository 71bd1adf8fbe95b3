// test: sampled, slow.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { silent } from '../../../core/database/connection.ts'
import { openDatabase } from '../../../core/database/database.ts'
import { bundledDatabase } from '../../support/bundled.ts'
import { times } from '../../support/effort.ts'
import { eventually } from '../../support/eventually.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { startService } from '../../support/service.ts'
import { Crowd, signedIn, wrongAnswers, type Answer, type Member } from './crowd.ts'
import { percentile } from './figures.ts'
import { faultsOf } from './model.ts'
import { marketOf } from './stage.ts'

const { url } = await bundledDatabase(t)
const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
t.teardown(() => database.close())
const folder = scratchFolder(t)
const isLong = times(10) === 10
const services = await Promise.all(
  Array.from(
    { length: isLong ? 3 : 2 },
    async (_, place) =>
      await startService(t, { args: [], env: { DATABASE_URL: url, PANTRY_DATA_DIR: `${folder}/${place}` } })
  )
)
for (const service of services)
  await eventually(async () => {
    if ((await fetch(`${service.url}/readyz`)).status !== 200) throw new Error('not ready')
  }, 60)
const members = await signedIn(
  database,
  Array.from({ length: times(300) }, (_, place) => `crowd-${place}`)
)
const [seller] = await signedIn(database, ['crowd-seller'])
const { live, store } = marketOf(database)
const sells = { person: seller!.person, isAdmin: false, route: 'test', key: undefined }
const lasts = isLong ? 12_000 : 3_000

t.test(
  'hundreds bid at once over HTTP at several processes, one of which is killed: each answer is kept, none is late, nothing is sold twice, and refusals say why',
  async t => {
    const hot = await live(sells, { starting_price: 100, bid_increment: 1, reserve_price: 150 })
    const [fixed, dutch, offered] = [
      await live(sells, { auction_type: 'buy_now', starting_price: 900 }),
      await live(sells, {
        auction_type: 'dutch',
        starting_price: 4000,
        dutch_end_price: 100,
        dutch_price_drop: 100,
        dutch_drop_interval_seconds: 1
      }),
      await live(sells, { allow_best_offer: true, starting_price: 4000 })
    ]
    const ends = new Map(
      (await store.knex('auctions').select<{ id: string; ends_at: string }[]>()).map(row => [
        row.id,
        Date.parse(row.ends_at)
      ])
    )
    const crowd = new Crowd()
    t.teardown(() => {
      crowd.close()
    })
    const up = services.map(service => service.url)
    const serviceOf = (place: number): string => up[place % up.length] ?? ''
    let least = 100
    const bidder = async (member: Member, place: number): Promise<void> => {
      const once: Promise<Answer>[] = []
      if (place % 3 === 0) once.push(crowd.ask(serviceOf(place), member, fixed, 'bids', { amount: 900 }))
      if (place % 3 === 1) once.push(crowd.ask(serviceOf(place), member, dutch, 'bids', { amount: 4000 }))
      if (place % 3 === 2) once.push(crowd.ask(serviceOf(place), member, offered, 'offers', { amount: 1000 + place }))
      await Promise.all(once)
      for (let turn = 0; ; turn += 1) {
        const { status, done, details } = await crowd.ask(serviceOf(place + turn), member, hot, 'bids', {
          amount: least + (turn % 3)
        })
        if (status === 200) least = Math.max(least, (done.amount ?? 0) + 1)
        if (typeof details['min_next_bid'] === 'number') least = Math.max(least, details['min_next_bid'])
        // Its winner is told that it is for others.
        if (details['status'] === 'ended' || details['act'] === 'bid') return
        if (status === 503) await sleep(200)
      }
    }
    const isTaken = ({ auction, status }: Answer): boolean => auction === hot && status === 200
    // However slow the machine is, the end comes when there are bids. It is final, as if it had been moved as often as
    // it can be.
    const end = async (): Promise<void> => {
      await eventually(() => {
        if (crowd.answers.filter(isTaken).length <= 10) throw new Error('too few bids were taken')
      }, 120)
      const [row] = await store
        .knex('auctions')
        .where({ id: hot })
        .update({
          extensions: 10,
          ends_at: store.knex.raw("date_trunc('milliseconds', clock_timestamp()) + ? * interval '1 millisecond'", [
            lasts
          ])
        })
        .returning<{ ends_at: string }[]>('ends_at')
      ends.set(hot, Date.parse(row?.ends_at ?? ''))
    }
    const kill = async (): Promise<void> => {
      await end()
      await sleep(lasts / 2)
      const [gone] = services.slice(-1)
      gone?.child.kill('SIGKILL')
      await sleep(50)
      up.splice(up.indexOf(gone?.url ?? ''), 1)
    }
    const take = async (): Promise<void> => {
      await sleep(lasts / 3)
      const open = await eventually(async () => {
        const offers = await store
          .knex('auction_bids')
          .where({ auction: offered, state: 'open' })
          .select<{ id: number }[]>('id')
          .limit(3)
        if (offers.length === 0) throw new Error('nobody made an offer')
        return offers
      })
      // Whoever is told to try again, or nothing, does.
      const ask = async (): Promise<boolean> =>
        (
          await Promise.all(
            open.map(
              async ({ id }, place) => await crowd.ask(serviceOf(place), seller!, offered, 'accept', { offer: id })
            )
          )
        ).some(({ status }) => status === 200 || status === 409)
      while (!(await ask())) await sleep(100)
    }
    await Promise.all([...members.map(bidder), kill(), take()])
    const ids = [hot, fixed, dutch, offered]
    await eventually(async () => {
      const open = await store
        .knex('auctions')
        .whereIn('id', [hot, fixed, dutch])
        .whereNot({ status: 'ended' })
        .select<{ auction_type: string }[]>('auction_type')
      if (open.length > 0)
        throw new Error(
          `the ticker of one that is left has not ended: ${open.map(({ auction_type: type }) => type).join(', ')}`
        )
    })
    t.same(await wrongAnswers(database, crowd.answers, ids), [])
    t.same(
      (
        await Promise.all(ids.map(async id => await faultsOf(store, id, ends.get(id) ?? 0, id === hot ? 10 : 0)))
      ).flat(),
      []
    )
    const count = (test: (answer: Answer) => boolean): number => crowd.answers.filter(test).length
    t.same(
      [...new Set(crowd.answers.map(({ status }) => status))].filter(
        status => ![0, 200, 403, 409, 503].includes(status)
      ),
      [],
      'no other answer'
    )
    for (const id of [fixed, dutch])
      t.equal(
        count(({ auction, status }) => auction === id && status === 200),
        1,
        'bought once'
      )
    const [taken, untold] = [200, 0].map(code => count(({ act, status }) => act === 'accept' && status === code)) as [
      number,
      number
    ]
    t.ok(
      taken === 1 || (taken === 0 && untold > 0),
      `one offer was taken, ${taken} times, and ${untold} were told nothing`
    )
    t.match(await store.knex('auctions').where({ id: offered }).select('status', 'winner'), [
      { status: 'ended', winner: String }
    ])
    t.ok(count(isTaken) > 10, 'bids were taken')
    t.ok(
      count(({ details, act }) => act === 'bids' && (details['status'] === 'ended' || details['act'] === 'bid')) >=
        members.length,
      'everyone was told that it is over'
    )
    const bids = crowd.answers.filter(({ status }) => status === 200 || status === 409)
    if (isLong)
      process.stderr.write(
        `${members.length} bidders, ${services.length} processes: ${crowd.answers.length} requests, ${count(({ status }) => status === 200)} done, ${count(({ status }) => status === 409)} refused with 409, ${count(({ status }) => status === 503)} with 503, ${count(({ status }) => status === 0)} without an answer; p50 ${percentile(
          bids.map(({ ms }) => ms),
          0.5
        )} ms, p99 ${percentile(
          bids.map(({ ms }) => ms),
          0.99
        )} ms\n`
      )
  }
)
