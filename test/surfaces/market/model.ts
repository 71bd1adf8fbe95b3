import type { Store } from '../../../surfaces/common/repository.ts'

type Row = Readonly<{
  id: string
  seller: string
  auction_type: string
  status: string
  starting_price: number
  bid_increment: number | null
  buy_now_price: number | null
  reserve_price: number | null
  starts_at: string
  ends_at: string
  dutch_end_price: number | null
  dutch_price_drop: number | null
  dutch_drop_interval_seconds: number | null
  winner: string | null
  winning_bid: number | null
  winning_price: number | null
  bid_count: number
}>
type Bid = Readonly<{ id: number; bidder: string; kind: string; amount: number; at: string; state: string }>
type Event = Readonly<{ from_state: string; act: string; to_state: string; at: string }>

const allowed = new Set([
  'scheduled begin live',
  'live bid live',
  'live buy ended',
  'live offer live',
  'live accept ended',
  'live end ended',
  'live cancel cancelled',
  'draft submit scheduled'
])

/**
 * A second, smaller telling of what an auction is: what is wrong with the history that the database holds. `firstEnd`
 * is the end before any bid, which was moved `before` times.
 */
export async function faultsOf({ knex }: Store, id: string, firstEnd: number, before = 0): Promise<readonly string[]> {
  const [row] = await knex('auctions').where({ id }).select<Row[]>()
  const bids = await knex('auction_bids').where({ auction: id }).orderBy('id').select<Bid[]>()
  const events = await knex('auction_events').where({ auction: id }).orderBy('id').select<Event[]>()
  if (row === undefined) return ['no auction']
  const faults: string[] = []
  const ensure = (holds: boolean, what: string): void => {
    if (!holds) faults.push(`${row.auction_type} ${id}: ${what}`)
  }
  let [state, end, highest, moved, sold] = ['draft', firstEnd, null as Bid | null, before, null as Bid | null]
  for (const { from_state: from, act, to_state: to } of events) {
    ensure(from === state && allowed.has(`${from} ${act} ${to}`), `${state} to ${to} by ${act}`)
    state = to
  }
  ensure(state === row.status, `the last event leads to ${state}, not to ${row.status}`)
  ensure(
    events.filter(({ to_state: to, from_state: from }) => to === 'ended' && from !== 'ended').length <= 1,
    'it ended twice'
  )
  for (const bid of bids) {
    const at = Date.parse(bid.at)
    ensure(sold === null, `bid ${bid.id} after the sale`)
    ensure(at < end, `bid ${bid.id} is late by ${at - end} ms`)
    ensure(bid.bidder !== row.seller, `bid ${bid.id} is the seller's`)
    if (bid.kind === 'offer') continue
    const drops =
      Math.floor((at - Date.parse(row.starts_at)) / 1000 / (row.dutch_drop_interval_seconds ?? Infinity)) *
      (row.dutch_price_drop ?? 0)
    const least =
      highest === null
        ? Math.max(row.dutch_end_price ?? 0, row.starting_price - drops)
        : highest.amount + (row.bid_increment ?? 0)
    ensure(
      bid.amount >= Math.min(least, row.buy_now_price ?? least),
      `bid ${bid.id} of ${bid.amount} is below ${least}`
    )
    if (bid.kind === 'buy') sold = bid
    else if (end - at <= 120_000 && moved < 10) [end, moved] = [end + 120_000, moved + 1]
    highest = bid
  }
  const accepted = bids.filter(bid => bid.state === 'accepted')
  const won =
    sold ??
    accepted[0] ??
    (row.status === 'ended' && highest !== null && highest.amount >= (row.reserve_price ?? 0) ? highest : null)
  ensure(accepted.length + (sold === null ? 0 : 1) <= 1, 'it was sold twice')
  ensure(
    (row.status === 'ended' ? (won?.bidder ?? null) : null) === row.winner,
    `${won?.bidder ?? 'nobody'} won, not ${row.winner ?? 'nobody'}`
  )
  ensure(
    (row.winner === null ? null : won?.amount) === row.winning_price,
    `it went for ${won?.amount ?? 'nothing'}, not for ${row.winning_price ?? 'nothing'}`
  )
  ensure(row.bid_count === bids.filter(({ kind }) => kind !== 'offer').length, 'the count of bids')
  ensure(
    Date.parse(row.ends_at) === end || row.auction_type !== 'english',
    `it ends at ${row.ends_at}, not at ${new Date(end).toISOString()}`
  )
  ensure(row.status === 'live' || bids.every(bid => bid.state !== 'open'), 'an offer is open')
  return faults
}

/** People who are bound in some auctions to more than a tier lets a beginner begin. */
export async function overLimits({ knex }: Store, ids: readonly string[], daily: number): Promise<readonly unknown[]> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `
    select person, sum(amount) from (
      select coalesce(a.winner, b.bidder) as person, coalesce(a.winning_price, b.amount) as amount from auctions a left join auction_bids b on b.id = a.leading_bid where a.id = any(?) and (a.winner is not null or (a.status = 'live' and b.id is not null))
    ) bound group by person having sum(amount) > ?`,
    [[...ids], daily]
  )
  return rows
}
