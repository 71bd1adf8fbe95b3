import fc from 'fast-check'
import t from 'tap'
import { acceptOffer, makeOffer, placeBid } from '../../../surfaces/market/bidding.ts'
import { applyAllDue } from '../../../surfaces/market/due.ts'
import { cancelAuction } from '../../../surfaces/market/listing.ts'
import { faultsOf, overLimits } from './model.ts'
import { marketStage, refusal } from './stage.ts'

const { store, member, live, act } = await marketStage(t)
const { knex } = store
const seller = await member('seller')
const crowd = await Promise.all(Array.from({ length: 200 }, async (_, place) => await member(`bidder-${place}`)))
const endOf = async (id: string): Promise<number> =>
  Date.parse((await knex('auctions').where({ id }).select<{ ends_at: string }[]>('ends_at'))[0]?.ends_at ?? '')

/** Brings the end of an auction near, as if time had passed. */
const shorten = async (id: string, ms: number): Promise<void> => {
  await knex('auctions')
    .where({ id })
    .update({ ends_at: knex.raw("date_trunc('milliseconds', clock_timestamp()) + ? * interval '1 millisecond'", [ms]) })
}

const listing = fc.oneof(
  fc.record({
    auction_type: fc.constant('english' as const),
    starting_price: fc.integer({ min: 100, max: 1000 }),
    bid_increment: fc.integer({ min: 1, max: 300 }),
    reserve_price: fc.option(fc.integer({ min: 1000, max: 3000 })),
    buy_now_price: fc.option(fc.integer({ min: 3000, max: 5000 })),
    allow_best_offer: fc.boolean()
  }),
  fc.record({
    auction_type: fc.constant('buy_now' as const),
    starting_price: fc.integer({ min: 100, max: 5000 }),
    allow_best_offer: fc.boolean()
  }),
  fc.record({
    auction_type: fc.constant('dutch' as const),
    starting_price: fc.integer({ min: 2000, max: 5000 }),
    dutch_end_price: fc.integer({ min: 1, max: 1000 }),
    dutch_price_drop: fc.integer({ min: 1, max: 2000 }),
    dutch_drop_interval_seconds: fc.constant(1),
    allow_best_offer: fc.boolean()
  })
)
const op = fc.record({
  what: fc.constantFrom('bid', 'bid', 'bid', 'bid', 'offer', 'accept', 'cancel', 'tick'),
  who: fc.nat({ max: 7 }),
  amount: fc.integer({ min: 50, max: 6000 })
})
const rounds = fc.array(fc.array(op, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 })

t.test('random histories of eight bidders at once fit a small model', async t => {
  await fc.assert(
    fc.asyncProperty(listing, rounds, fc.boolean(), async (terms, history, isShort) => {
      const id = await live(seller, terms)
      if (isShort) await shorten(id, 60)
      const firstEnd = await endOf(id)
      for (const round of history) {
        await Promise.all(
          round.map(async ({ what, who, amount }) => {
            const bidder = crowd[who] ?? seller
            if (what === 'bid') return await refusal(act(who === 7 ? seller : bidder, id, { amount }, placeBid))
            if (what === 'offer') return await refusal(act(bidder, id, { amount }, makeOffer))
            if (what === 'cancel') return await refusal(act(seller, id, { reason: 'x' }, cancelAuction))
            if (what === 'tick') return await applyAllDue(store)
            const [offer] = await knex('auction_bids')
              .where({ auction: id, state: 'open' })
              .limit(1)
              .select<{ id: number }[]>('id')
            return await refusal(act(seller, id, { offer: offer?.id ?? 1 }, acceptOffer))
          })
        )
      }
      t.same(await faultsOf(store, id, firstEnd), [])
      // What these eight began is no longer of today, so that the next history finds them free.
      await knex('auction_bids')
        .where({ auction: id })
        .update({ at: knex.raw("at - interval '2 days'") })
    }),
    { numRuns: 60, seed: 20_261_124 }
  )
})

t.test(
  'two hundred people bid at once for five cards, until the last moment: one winner each, and nobody over their limits',
  async t => {
    const bidUntil = async (ms: number): Promise<readonly (string | undefined)[]> => {
      const ids = await Promise.all(
        [500, 1500, 3000, 4000, 4900].map(
          async starting_price => await live(seller, { starting_price, bid_increment: 10 })
        )
      )
      await Promise.all(ids.map(id => shorten(id, ms)))
      const ends = await Promise.all(ids.map(endOf))
      const answers = await Promise.all(
        crowd
          .slice(8)
          .flatMap((bidder, place) =>
            ids.map((id, nth) =>
              refusal(
                act(bidder, id, { amount: Math.min(5000, 500 + nth * 1000 + ((place * 7919) % 60) * 10) }, placeBid)
              )
            )
          )
      )
      await Promise.all([applyAllDue(store), applyAllDue(store)])
      t.same((await Promise.all(ids.map(async (id, nth) => await faultsOf(store, id, ends[nth] ?? 0)))).flat(), [])
      t.same(await overLimits(store, ids, 10_000), [])
      return answers
    }
    // On a slow machine the end has come before the first bid, so there is more time for the next.
    let answers = await bidUntil(400)
    for (let ms = 1600; !answers.includes(undefined) && ms < 60_000; ms *= 4) answers = await bidUntil(ms)
    t.ok(answers.includes(undefined), 'somebody bid')
    t.ok(answers.includes('CONFLICT'), 'somebody was too low or too late')
  }
)

t.test('of two hundred who buy at once, one does', async t => {
  const id = await live(seller, { auction_type: 'buy_now', starting_price: 900 })
  const answers = await Promise.all(
    crowd.map(async bidder => await refusal(act(bidder, id, { amount: 900 }, placeBid)))
  )
  t.equal(answers.filter(answer => answer === undefined).length, 1)
  t.same([...new Set(answers)].sort(), ['CONFLICT', undefined].sort())
  t.same(await faultsOf(store, id, await endOf(id)), [])
})
