// test: slow.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { stateAt } from '../../../surfaces/market/due.ts'
import { program } from '../../support/program.ts'
import { marketStage, refusal } from './stage.ts'
import { createListing, submitListing } from '../../../surfaces/market/listing.ts'

const { store, url, member, live, act } = await marketStage(t)
const { knex } = store

t.test(
  'a process whose clock is years wrong sees and does the same: the clock of the database alone counts',
  async t => {
    const ada = await member('ada')
    const year = 365 * 86_400_000
    const run = async (off: number): Promise<unknown> => {
      const bidder = await member(`bidder${off < 0 ? 'early' : off}`)
      const [open, over, dutch] = [
        await live(ada),
        await live(ada),
        await live(ada, {
          auction_type: 'dutch',
          starting_price: 4000,
          dutch_end_price: 1000,
          dutch_price_drop: 500,
          dutch_drop_interval_seconds: 3600
        })
      ]
      await knex('auctions')
        .where({ id: over })
        .update({
          ends_at: knex.raw("clock_timestamp() - interval '1 millisecond'"),
          starts_at: knex.raw("clock_timestamp() - interval '2 hours'")
        })
      await knex('auctions')
        .where({ id: dutch })
        .update({ starts_at: knex.raw("clock_timestamp() - interval '90 minutes'") })
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...program('test/surfaces/market/wrong-clock'),
        url,
        String(off),
        bidder.person,
        open,
        over,
        dutch
      ])
      return JSON.parse(stdout)
    }
    const right = await run(0)
    t.same(right, {
      minutes: 60,
      hasEnded: false,
      bid: { act: 'bid', status: 'live', paid: 1000 },
      late: 'CONFLICT',
      bought: { act: 'buy', status: 'ended', paid: 3500 }
    })
    for (const off of [10 * year, -10 * year]) t.same(await run(off), right, `${off} ms`)
  }
)

t.test('an auction ends on a leap day, and over a change of summer time, to the millisecond', async t => {
  const ada = await member('leaps')
  for (const end of ['2028-02-29T23:59:59.999Z', '2028-03-26T01:00:00.000Z', '2027-10-31T01:30:00.000Z']) {
    const id = await live(ada)
    await knex('auctions')
      .where({ id })
      .update({ status: 'live', starts_at: new Date(Date.parse(end) - 86_400_000), ends_at: end })
    const at = async (now: number): Promise<unknown> =>
      (
        await knex.raw<{ rows: { state: string }[] }>(
          `select ${stateAt(`timestamptz '${new Date(now).toISOString()}'`)} as state from auctions a where a.id = ?`,
          [id]
        )
      ).rows[0]?.state
    t.equal(await at(Date.parse(end) - 1), 'live', `${end}, a millisecond before`)
    t.equal(await at(Date.parse(end)), 'ended', end)
  }
})

t.test('a moment that the calendar does not have is refused, and so is an end in the past or too late', async t => {
  const ada = await member('times')
  const ends = async (at: string): Promise<string | undefined> =>
    await refusal(
      (async () => {
        const { auction_id: id } = await createListing(store, ada, {
          sku: 'op-op01-001-en',
          title: 'A card',
          condition: 'NM',
          auction_type: 'english',
          starting_price: 1000,
          ends_at: at
        })
        await act(ada, id, {}, submitListing)
      })()
    )
  t.equal(await ends(new Date(Date.now() - 1000).toISOString()), 'INVALID_INPUT')
  t.equal(await ends(new Date(Date.now() + 31 * 86_400_000).toISOString()), 'INVALID_INPUT')
  t.equal(await ends(new Date(Date.now() + 29 * 86_400_000).toISOString()), undefined)
})
