// test: sampled.
import t from 'tap'
import fc from 'fast-check'
import { SurfaceError } from '../../../core/handler/errors.ts'
import { acceptOffer, makeOffer, placeBid } from '../../../surfaces/market/bidding.ts'
import { cancelAuction } from '../../../surfaces/market/listing.ts'
import { type Actor, type ActHandler } from '../../../surfaces/market/perform.ts'
import { openDispute, writeReview } from '../../../surfaces/market/trade.ts'
import { times } from '../../support/effort.ts'
import { marketStage, readAuction } from './stage.ts'

const { store, member, live, act } = await marketStage(t)
const { knex } = store
const [seller, ...members] = await Promise.all(['ada', 'bob', 'cleo', 'dora'].map(async name => await member(name)))
const askers: readonly Actor[] = [...members, await member('keeper', true), seller!]

/** An act, and by how much its amount is over what fits its place. */
type Asked = Readonly<{ who: number; key: string | undefined; act: 'bid' | 'offer' | 'cancel'; over: number }>

const doings: Readonly<Record<Asked['act'], (amount: number) => Readonly<{ body: object; doing: unknown }>>> = {
  bid: amount => ({ body: { amount }, doing: placeBid }),
  offer: amount => ({ body: { amount }, doing: makeOffer }),
  cancel: () => ({ body: { reason: 'It is broken.' }, doing: cancelAuction })
}

const asked: fc.Arbitrary<readonly Asked[]> = fc.array(
  fc.record({
    who: fc.integer({ min: 0, max: askers.length - 1 }),
    key: fc.option(fc.constantFrom('a', 'b'), { nil: undefined, freq: 4 }),
    act: fc.constantFrom<Asked['act']>('bid', 'bid', 'bid', 'bid', 'bid', 'offer', 'offer', 'cancel'),
    over: fc.integer({ min: -2, max: 4 }).map(tens => tens * 10)
  }),
  { minLength: 2, maxLength: 40 }
)

/** What an auction has come to, and what each was told: without ids and times. */
async function cameTo(id: string, run: number, inTurn: boolean, list: readonly Asked[]): Promise<unknown> {
  const ask = async ({ who, key, act: name, over }: Asked, place: number): Promise<unknown> => {
    const { body, doing } = doings[name](110 + place * 10 + over)
    // A key is of one route: each auction has its own.
    const asker = { ...askers[who]!, route: `${name} ${run} ${inTurn}`, key }
    return await act(asker, id, body, doing as ActHandler<object>).then(
      ({ act: done, status, amount: paid }) => ({ done, status, paid }),
      (refused: unknown) => {
        if (!(refused instanceof SurfaceError)) throw refused
        return { code: refused.code, least: refused.details?.['min_next_bid'], status: refused.details?.['status'] }
      }
    )
  }
  const told: unknown[] = []
  if (inTurn) for (const [place, one] of list.entries()) told.push(await ask(one, place))
  else told.push(...(await Promise.all(list.map(ask))))
  const row = await readAuction(store, id)
  const bids = await knex('auction_bids')
    .where({ auction: id })
    .orderBy('id')
    .select<{ id: string; bidder: string; kind: string; amount: number; state: string }[]>(
      'id',
      'bidder',
      'kind',
      'amount',
      'state'
    )
  const placeOf = (bid: number | null | undefined): number => bids.findIndex(({ id: other }) => Number(other) === bid)
  return {
    told,
    bids: bids.map(({ bidder, kind, amount, state }) => ({ bidder, kind, amount, state })),
    leads: placeOf(row?.leading_bid),
    won: placeOf(row?.winning_bid),
    events: await knex('auction_events')
      .where({ auction: id })
      .orderBy('id')
      .select('from_state', 'act', 'to_state', 'who'),
    row: {
      status: row?.status,
      price: row?.current_price,
      sold: row?.winning_price,
      winner: row?.winner,
      count: row?.bid_count,
      extensions: row?.extensions,
      cancelled: row?.cancelled_by
    }
  }
}

t.test(
  'what many ask of one auction at the same moment comes to what it comes to when they ask one after the other',
  { timeout: 120_000 },
  async t => {
    let [run, kept] = [0, 0]
    await fc.assert(
      fc.asyncProperty(asked, fc.boolean(), async (list, isLate) => {
        run += 1
        const listing = { starting_price: 100, bid_increment: 10, buy_now_price: 400, allow_best_offer: true }
        const [one, other] = [
          await live(seller!, listing, isLate ? 100_000 : 3_600_000),
          await live(seller!, listing, isLate ? 100_000 : 3_600_000)
        ]
        const [after, together] = [await cameTo(one, run, true, list), await cameTo(other, run, false, list)]
        t.same(together, after)
        kept += (together as { bids: readonly unknown[] }).bids.length
        // What somebody leads counts against their limits elsewhere.
        await knex('auctions')
          .whereIn('id', [one, other])
          .whereIn('status', ['live', 'ended'])
          .update({ status: 'cancelled', cancelled_by: 'admin' })
        if (!t.passing()) throw new Error('They came to different things.')
      }),
      {
        numRuns: times(60),
        examples: [
          [
            [
              { who: 0, key: undefined, act: 'bid', over: 0 },
              { who: 1, key: undefined, act: 'offer', over: 0 }
            ],
            false
          ],
          [[0, 1, 0, 1].map(who => ({ who, key: undefined, act: 'bid' as const, over: 0 })), false]
        ]
      }
    )
    // The examples alone make five.
    t.ok(kept >= 5, `${kept} bids were made`)
  }
)

/** What each was told of some acts that arrive at the same moment. */
async function toldAtOnce(
  asked: readonly (readonly [asker: Actor, id: string, body: object, doing: unknown])[]
): Promise<readonly string[]> {
  return await Promise.all(
    asked.map(
      async ([asker, id, body, doing]) =>
        await act(asker, id, body, doing as ActHandler<object>).then(
          ({ act: done }) => done,
          (refused: unknown) => {
            if (!(refused instanceof SurfaceError)) throw refused
            return refused.code
          }
        )
    )
  )
}

t.test(
  'what the database cannot hold is refused to who sent it, and undoes nothing that others do at the same moment',
  async t => {
    const [bob, cleo, keeper] = [askers[0]!, askers[1]!, askers[3]!]
    const nul = { reason: 'a\u0000b' }
    const id = await live(seller!, { starting_price: 100, bid_increment: 10 })
    t.same(await toldAtOnce([[keeper, id, nul, cancelAuction]]), ['INVALID_INPUT'], 'alone')
    t.same(
      await toldAtOnce([
        [bob, id, { amount: 100 }, placeBid],
        [keeper, id, nul, cancelAuction],
        [cleo, id, { amount: 110 }, placeBid],
        [cleo, id, { offer: Number.MAX_VALUE }, acceptOffer],
        [bob, id, { amount: 120 }, placeBid]
      ]),
      ['bid', 'INVALID_INPUT', 'bid', 'INVALID_INPUT', 'bid']
    )
    t.match(await readAuction(store, id), { status: 'live', bid_count: 3, current_price: 120 })
    await knex('auctions')
      .where({ id })
      .update({
        status: 'ended',
        actual_end_at: knex.fn.now(),
        winner: bob.person,
        winning_bid: knex.raw('leading_bid'),
        winning_price: 120
      })
    await knex('auctions')
      .where({ id })
      .update({ status: 'paid', paid_at: knex.fn.now(), shipped_at: knex.fn.now(), received_at: knex.fn.now() })
    t.same(
      await toldAtOnce([
        [seller!, id, { statement: 'It never came back.' }, openDispute],
        [seller!, id, { stars: 5 }, writeReview],
        [bob, id, { stars: 1, text: 'a\u0000b' }, writeReview]
      ]),
      ['dispute', 'review', 'INVALID_INPUT']
    )
    t.equal((await readAuction(store, id))?.dispute, 'reported')
    t.same(await knex('auction_reviews').where({ auction: id }).select('by', 'stars'), [{ by: 'seller', stars: 5 }])
  }
)
