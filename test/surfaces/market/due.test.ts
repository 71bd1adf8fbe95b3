// test: sampled.
import t from 'tap'
import { placeBid } from '../../../surfaces/market/bidding.ts'
import { applyAllDue } from '../../../surfaces/market/due.ts'
import { MarketReads } from '../../../surfaces/market/reads.ts'
import { Trust } from '../../../surfaces/market/trust.ts'
import { times } from '../../support/effort.ts'
import { pathTo } from '../../support/path-to.ts'
import { percentile, waits } from './figures.ts'
import { marketStage, sku } from './stage.ts'

const { store, member, live, act } = await marketStage(t)
const { knex } = store
const [seller, ...crowd] = await Promise.all(
  ['seller', 'ada', 'bob', 'cleo', 'dora', 'eve', 'fred', 'gina'].map(async name => await member(name))
)
const reads = new MarketReads(store, new Trust(store), async () => true)
const nobody = { person: undefined, isAdmin: false }

type Row = Readonly<{
  id: string
  status: string
  approval: string
  reserve_price: number | null
  ends_at: string
  starts_at: string
  actual_end_at: string | null
  winner: string | null
  winning_price: number | null
  winning_bid: number | null
  cancelled_by: string | null
}>
type Bid = Readonly<{ id: number; auction: string; bidder: string; kind: string; amount: number; state: string }>

/**
 * Auctions of all kinds with bids and offers, whose ends came within the last minute: live ones, ones that nobody
 * began, and consignments that nobody approved.
 */
async function fill(count: number): Promise<void> {
  await knex.raw(
    `insert into auctions (seller, sku, title, condition, auction_type, status, license, currency, starting_price, bid_increment, reserve_price, is_consignment, approval, submitted_at, starts_at, ends_at, allow_best_offer)
    select :seller, :sku, 'Due ' || g, 'NM', 'english', case when g % 10 in (8, 9) then 'scheduled' else 'live' end, 'NOASSERTION', 'GBP', 100, 10,
      case when g % 3 = 0 then 100 + g % 400 end, g % 10 = 9, case when g % 10 = 9 then 'pending' else 'not_needed' end, now() - interval '2 hours', now() - interval '1 hour', now() + interval '1 hour', true
    from generate_series(1, :count) g`,
    { seller: seller?.person ?? '', sku, count }
  )
  await knex.raw(
    `insert into auction_bids (auction, bidder, kind, amount, state, at)
    select a.id, (:crowd::uuid[])[1 + (n + b) % 5], case when b < n % 6 then 'bid' else 'offer' end, 100 + b * 70, case when b < n % 6 then 'placed' else 'open' end, now() - interval '30 minutes'
    from (select id, row_number() over (order by title) as n from auctions where status = 'live' and title like 'Due %') a cross join generate_series(0, 4) b where b <= n % 6 order by n, b`,
    { crowd: crowd.slice(0, 5).map(({ person }) => person) }
  )
  await knex.raw(`update auctions a set leading_bid = b.id, current_price = b.amount, bid_count = b.count from (
    select distinct on (auction) auction, id, amount, count(*) over (partition by auction) as count from auction_bids where kind = 'bid' order by auction, amount desc) b where a.id = b.auction`)
  await knex('auctions')
    .where('title', 'like', 'Due %')
    .update({ ends_at: knex.raw("date_trunc('milliseconds', now() - random() * interval '1 minute')") })
}

function byAuction<Row extends Readonly<{ auction: string }>>(
  rows: readonly Row[]
): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>()
  for (const row of rows) found.set(row.auction, [...(found.get(row.auction) ?? []), row])
  return found
}

/** What an auction must have come to, told once more. */
function comesTo(row: Row, bids: readonly Bid[], suspended: ReadonlySet<string>): Partial<Row> {
  if (row.approval === 'pending') return { status: 'cancelled', cancelled_by: 'clock', winner: null }
  const best = bids
    .filter(({ kind, bidder }) => kind === 'bid' && !suspended.has(bidder))
    .sort((a, b) => b.amount - a.amount)[0]
  const won = best !== undefined && best.amount >= (row.reserve_price ?? 0) ? best : undefined
  return {
    status: 'ended',
    actual_end_at: row.ends_at,
    winner: won?.bidder ?? null,
    winning_price: won?.amount ?? null,
    winning_bid: won?.id ?? null,
    cancelled_by: null
  }
}

t.test(
  'auctions that end in the same minute are ended by the ticker, each as the model says, and nobody who reads or bids waits for the others',
  { timeout: 300_000 },
  async t => {
    const count = times(10_000)
    await fill(count)
    await knex('people')
      .where({ id: crowd[4]?.person ?? '' })
      .update({ suspended_at: knex.fn.now() })
    const open = await live(seller!, { starting_price: 100, bid_increment: 1 })
    const kept =
      (
        await knex('auctions')
          .where('title', 'like', 'Due %')
          .where({ status: 'live' })
          .orderBy('ends_at')
          .limit(1)
          .select<{ id: string }[]>('id')
      )[0]?.id ?? ''
    let isOver = false
    const during = async (work: (turn: number) => Promise<unknown>): Promise<readonly number[]> =>
      await waits(() => isOver, work)
    const watched = [
      during(async turn => {
        t.same(
          (await reads.list(nobody, { status: turn % 2 === 0 ? 'ended' : 'live' }, pathTo)).auctions.filter(
            ({ id, status }) => (status === 'live') !== (id === open)
          ),
          [],
          'what has ended is shown as it ended'
        )
      }),
      during(async () => {
        t.match(await reads.one(nobody, kept, pathTo), { status: 'ended' })
      }),
      during(async () => {
        t.equal(
          (await reads.offersOf(sku, pathTo)).ask_count,
          1,
          'what has ended is on offer no longer, applied or not'
        )
      }),
      during(async turn => {
        await act(crowd[5 + (turn % 2)]!, open, { amount: 100 + turn }, placeBid)
      })
    ]
    const started = performance.now()
    const acts = await applyAllDue(store)
    const took = performance.now() - started
    isOver = true
    const [lists, ones, offers, bids] = await Promise.all(watched)
    t.equal(await applyAllDue(store), 0, 'nothing is left')
    t.ok(acts > count / 2, `${acts} acts by the ticker`)
    const [rows, all, events] = [
      await knex('auctions').where('title', 'like', 'Due %').select<Row[]>(),
      await knex('auction_bids').select<Bid[]>(),
      await knex('auction_events').whereNot({ auction: open }).select<{ auction: string; act: string; at: string }[]>()
    ]
    const [bidsOf, eventsOf] = [byAuction(all), byAuction(events)]
    const suspended = new Set([crowd[4]?.person ?? ''])
    const wrong = rows.filter(
      row =>
        Object.entries(comesTo(row, bidsOf.get(row.id) ?? [], suspended)).some(
          ([name, value]) => row[name as keyof Row] !== value
        ) ||
        (bidsOf.get(row.id) ?? []).some(({ state }) => state === 'open') ||
        !['end', 'begin end', 'lapse'].includes((eventsOf.get(row.id) ?? []).map(one => one.act).join(' ')) ||
        eventsOf.get(row.id)?.at(-1)?.at !== row.ends_at
    )
    t.same(wrong.slice(0, 3), [], `${wrong.length} of ${rows.length} are not what the model says`)
    t.equal(rows.length, count)
    t.ok(
      rows.some(({ winner }) => winner !== null) &&
        rows.some(({ winner, status }) => winner === null && status === 'ended'),
      'some are sold, some are not'
    )
    const told = (
      [
        ['lists', lists],
        ['one auction', ones],
        ['offers of a card', offers],
        ['bids on another', bids]
      ] as const
    ).map(
      ([name, ms]) => `${name} ${ms?.length}: p50 ${percentile(ms ?? [], 0.5)} ms, p99 ${percentile(ms ?? [], 0.99)} ms`
    )
    if (times(10) === 10)
      process.stderr.write(
        `${count} auctions due in the same minute were applied in ${took.toFixed(0)} ms, ${acts} acts; meanwhile ${told.join('; ')}\n`
      )
  }
)
