// test: long. Figures of bids on one auction, beside the commits that the same server makes one after another.
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import pg from 'pg'
import { placeBid } from '../../../surfaces/market/bidding.ts'
import { tiers } from '../../../surfaces/market/trust.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { startService } from '../../support/service.ts'
import { Crowd, signedIn, wrongAnswers } from './crowd.ts'
import { percentile, waits } from './figures.ts'
import { faultsOf } from './model.ts'
import { marketOf, servedMarket } from './stage.ts'

const {
  url,
  database,
  store: { rows },
  member,
  live
} = await servedMarket(t)
// As requests have it: the pool of a process that serves.
const store = { knex: database.knex, rows }
const { act } = marketOf({ ...database, bulk: database.knex })
const seconds = 4
/** What somebody who has just come may bid at most: a run is over when it is reached. */
const mostPence = tiers[0].trade_limit
const seller = await member('seller')

/** Commits in a second, one after another on one connection: each changes one row of the auctions. */
async function serial(): Promise<number> {
  const id = await live(seller, { starting_price: 100 })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const until = performance.now() + seconds * 1000
  const took = await waits(
    () => performance.now() > until,
    async turn =>
      await client.query({
        name: 'serial',
        text: 'update auctions set updated_at = clock_timestamp(), bid_count = $2 where id = $1',
        values: [id, turn]
      })
  )
  await client.end()
  return took.length / seconds
}

const shown = (
  what: string,
  count: number,
  refused: number,
  took: readonly number[],
  lasted: number,
  base: number
): string =>
  `${what}: ${(count / lasted).toFixed(0)} bids a second are kept, ${((count + refused) / lasted).toFixed(0)} are decided, ratio ${(count / lasted / base).toFixed(2)} and ${((count + refused) / lasted / base).toFixed(2)} to ${base.toFixed(0)} serial commits a second; p50 ${percentile(took, 0.5)} ms, p99 ${percentile(took, 0.99)} ms\n`

t.test('bids on one auction through the store, and over HTTP, beside serial commits', async t => {
  const before = await serial()
  const crowd = await Promise.all(Array.from({ length: 16 }, async (_, place) => await member(`bidder-${place}`)))
  const id = await live(seller, { starting_price: 100, bid_increment: 1 })
  const end = Date.parse((await store.knex('auctions').where({ id }).select<{ ends_at: string }[]>())[0]?.ends_at ?? '')
  let [next, kept, refused, began] = [100, 0, 0, performance.now()]
  const isOver = (): boolean => performance.now() > began + seconds * 1000 || next >= mostPence
  const took = (
    await Promise.all(
      crowd.map(
        async asker =>
          await waits(isOver, async () => {
            next += 1
            await act(asker, id, { amount: next }, placeBid).then(
              () => {
                kept += 1
              },
              () => {
                refused += 1
              }
            )
          })
      )
    )
  ).flat()
  process.stderr.write(shown('store', kept, refused, took, (performance.now() - began) / 1000, before))
  t.same(await faultsOf(store, id, end), [])
  t.ok(kept > 0)

  const service = await startService(t, { args: [], env: { DATABASE_URL: url, PANTRY_DATA_DIR: scratchFolder(t) } })
  const members = await signedIn(
    database,
    Array.from({ length: 16 }, (_, place) => `signed-${place}`)
  )
  const again = await serial()
  const other = await live(seller, { starting_price: 100, bid_increment: 1 })
  const otherEnd = Date.parse(
    (await store.knex('auctions').where({ id: other }).select<{ ends_at: string }[]>())[0]?.ends_at ?? ''
  )
  const asking = new Crowd()
  ;[next, began] = [100, performance.now()]
  await Promise.all(
    members.map(
      async one =>
        await waits(isOver, async () => {
          next += 1
          const { status } = await asking.ask(service.url, one, other, 'bids', { amount: next })
          // Whoever is told that it is too much waits, if not as long as they are asked to.
          if (status === 503) await sleep(200)
        })
    )
  )
  const lasted = (performance.now() - began) / 1000
  asking.close()
  service.child.kill('SIGTERM')
  await sleep(4000)
  const [done, low] = [
    asking.answers.filter(({ status }) => status === 200),
    asking.answers.filter(({ status }) => status === 409)
  ]
  process.stderr.write(
    shown(
      `HTTP (of ${asking.answers.length} requests, ${asking.answers.filter(({ status }) => status === 503).length} of them refused as too many)`,
      done.length,
      low.length,
      [...done, ...low].map(({ ms }) => ms),
      lasted,
      again
    )
  )
  t.same(await wrongAnswers(database, asking.answers, [other]), [])
  t.same(await faultsOf(store, other, otherEnd), [])
  t.ok(done.length > 0)
})
