import { closed, Count, Text } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { lockAuction, writeEvent, type AuctionChange, type AuctionRow, type Store } from './row.ts'
import { transitionOf, type Act } from './states.ts'

/** Which auctions are due, in SQL. */
const isDue = `(status = 'scheduled' and (ends_at <= clock_timestamp() or approval in ('not_needed', 'approved') and starts_at <= clock_timestamp()))
  or (status = 'live' and ends_at <= clock_timestamp())`

/** What is due for an auction at a moment, and when it was; undefined for nothing. */
function dueOf ({ status, approval, starts_at: startsAt, ends_at: endsAt }: AuctionRow, now: number): Readonly<{ act: Act, at: number }> | undefined {
  const [start, end] = [Date.parse(startsAt ?? ''), Date.parse(endsAt ?? '')]
  if (status === 'live') return now >= end ? { act: 'end', at: end } : undefined
  if (status !== 'scheduled') return undefined
  if (approval === 'not_needed' || approval === 'approved') return now >= start ? { act: 'begin', at: start } : undefined
  return now >= end ? { act: 'lapse', at: end } : undefined
}

const Best = closed({ id: Count, amount: Count, bidder: Text })

/** What the end of an auction comes to: the highest bid of somebody who is not suspended wins, where it meets the reserve. */
async function endOf ({ rows }: Pick<Store, 'rows'>, transaction: Knex.Transaction, { id, ends_at: endsAt, reserve_price: reserve }: AuctionRow): Promise<AuctionChange> {
  const [best] = await rows(Best, transaction('auction_bids as b').join('people as p', 'p.id', 'b.bidder').select('b.id', 'b.amount', 'b.bidder')
    .where({ 'b.auction': id, 'b.kind': 'bid' }).whereNull('p.suspended_at').orderBy('b.amount', 'desc').limit(1))
  const sold = best !== undefined && best.amount >= (reserve ?? 0) ? { winning_bid: best.id, winning_price: best.amount, winner: best.bidder } : {}
  return { actual_end_at: endsAt, ...sold }
}

/** Offers that are no longer open. */
export const closeOffers = async (transaction: Knex.Transaction, auction: string): Promise<void> => {
  await transaction('auction_bids').where({ auction, state: 'open' }).update({ state: 'closed' })
}

/** A locked auction with what is due applied, each at the moment that it was due. */
export async function applyDue (store: Pick<Store, 'rows'>, transaction: Knex.Transaction, locked: AuctionRow, now: number): Promise<AuctionRow> {
  let row = locked
  for (let due = dueOf(row, now); due !== undefined; due = dueOf(row, now)) {
    const { act, at } = due
    const to = transitionOf(row.status, act)?.to ?? row.status
    const change: AuctionChange = act === 'end' ? await endOf(store, transaction, row) : act === 'lapse' ? { cancelled_by: 'clock', cancel_reason: 'It was not approved in time.' } : {}
    if (to !== 'live') await closeOffers(transaction, row.id)
    await writeEvent(transaction, row, { act, to, who: 'clock', at }, change)
    row = { ...row, ...change, status: to }
  }
  return row
}

/** Applies what is due to all auctions, or to one: each in a transaction of its own. Whoever reads does it first. */
export async function applyAllDue (store: Store, only?: string): Promise<number> {
  const { knex, rows } = store
  const due = await rows(closed({ id: Text }), knex('auctions').select('id').whereRaw(`(${isDue})`).where(query => { if (only !== undefined) void query.where({ id: only }) }).orderBy('ends_at').limit(500))
  for (const { id } of due) {
    await knex.transaction(async transaction => {
      const { row, now } = await lockAuction(store, transaction, id)
      await applyDue(store, transaction, row, now)
    })
  }
  return due.length
}
