import { closed, Type, type DataOf } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { inTransaction, RowId, type Store, type StoreTransaction } from '../common/repository.ts'
import { auctionColumns, auctionShape, isPublished, transitions, type AuctionRow } from './auction.ts'

/**
 * Returns SQL over `auctions as a` for the state that an auction has by the clock at `moment`, an SQL expression. This
 * is the only definition of when auctions begin, lapse and end; a transition is due if the result differs from the
 * stored state.
 */
export const stateAt = (moment: string): string => `case
  when a.status not in ('scheduled', 'live') then a.status
  when a.status = 'scheduled' and a.approval not in ('not_needed', 'approved') then case when a.ends_at <= ${moment} then 'cancelled' else 'scheduled' end
  when a.ends_at <= ${moment} then 'ended'
  when a.starts_at <= ${moment} then 'live'
  else a.status end`

/**
 * Returns an SQL condition over `auctions as a` for those with a due transition, which only scheduled and live auctions
 * have.
 */
export const isDueAt = (moment: string): string =>
  `a.status in ('scheduled', 'live') and a.status <> ${stateAt(moment)}`

const clockActs = transitions
  .filter(({ who }) => who.includes('clock'))
  .map(({ from, act, to }) => `('${from}', '${act}', '${to}')`)
  .join(', ')

/**
 * Applies one due transition to each of some locked auctions, dated to when it was due. When an auction ends, the
 * highest bid of a bidder who is not suspended wins if it meets the reserve. Must be a separate statement after the
 * lock, so that it sees every bid made before the lock.
 */
const applyOnce = `
  with due as materialized (
    select a.id, a.status, t.act, t.to_state, a.reserve_price, case t.act when 'begin' then a.starts_at else a.ends_at end as at
    from auctions a cross join lateral (select ${stateAt('statement_timestamp()')} as state) clock
    join (values ${clockActs}) t (from_state, act, to_state) on t.from_state = a.status and t.to_state = case when a.status = 'scheduled' and clock.state = 'ended' then 'live' else clock.state end
    where a.id = any(:ids)),
  closed as (update auction_bids b set state = 'closed' from due where b.auction = due.id and b.state = 'open' and due.to_state <> 'live'),
  told as (insert into auction_events (auction, from_state, act, to_state, who, at) select id, status, act, to_state, 'clock', at from due order by at, id)
  update auctions a set status = due.to_state, updated_at = due.at,
    actual_end_at = case due.act when 'end' then due.at end, winning_bid = best.id, winning_price = best.amount, winner = best.bidder,
    cancelled_by = case due.act when 'lapse' then 'clock' end, cancel_reason = case due.act when 'lapse' then 'It was not approved in time.' end
  from due left join lateral (
    select b.id, b.amount, b.bidder from auction_bids b join people p on p.id = b.bidder
    where due.act = 'end' and b.auction = due.id and b.kind = 'bid' and p.suspended_at is null order by b.amount desc limit 1) best on best.amount >= coalesce(due.reserve_price, 0)
  where a.id = due.id returning a.id`

export const closeOffers = async ({ knex }: StoreTransaction, auction: string): Promise<void> => {
  await knex('auction_bids').where({ auction, state: 'open' }).update({ state: 'closed' })
}

/** Applies all due transitions to some locked auctions, and returns the number of transitions. */
export async function applyDue(store: StoreTransaction, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { length } = await store.rows(RowId, store.knex.raw(applyOnce, { ids: [...ids] }))
  return length === 0 ? 0 : length + (await applyDue(store, ids))
}

/** The most auctions in one transaction of `applyAllDue`, which limits how long a bidder waits for its locks. */
const batchSize = 250

/**
 * Applies the due transitions of all auctions that nobody else has locked, and returns the number of transitions. The
 * others are left to whoever locked them, or to the next call. `signal` ends it between two transactions.
 */
export async function applyAllDue(store: Store, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted()
  const count = await inTransaction(store, async transaction => {
    const due = await transaction.rows(
      RowId,
      transaction
        .knex('auctions as a')
        .select('a.id')
        .whereRaw(isDueAt('statement_timestamp()'))
        .orderBy('a.ends_at')
        .limit(batchSize)
        .forUpdate('a')
        .skipLocked()
    )
    const ids = due.map(({ id }) => id)
    return await applyDue(transaction, ids)
  })
  return count === 0 ? 0 : count + (await applyAllDue(store, signal))
}

const ReadAuction = closed({ ...auctionShape, is_due: Type.Boolean(), is_published: Type.Boolean() })

/**
 * Reads the auctions that `narrow` selects and `isFor` accepts, in their current state. Applies due transitions to
 * these only, so that readers wait for no other auctions.
 */
export async function currentAuctions(
  store: Store,
  narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  isFor: (row: DataOf<typeof ReadAuction>) => boolean = () => true
): Promise<readonly AuctionRow[]> {
  const read = async (of: typeof narrow) => {
    const columns = auctionColumns.map(name => `a.${name}`)
    const flags = `(${isDueAt('statement_timestamp()')}) as is_due, (${isPublished}) as is_published`
    const query = store.knex('auctions as a').select([...columns, store.knex.raw(flags)])
    return (await store.rows(ReadAuction, of(query))).filter(isFor)
  }
  const found = await read(narrow)
  const due = found.filter(({ is_due: isDue }) => isDue).map(({ id }) => id)
  if (due.length === 0) return found
  await inTransaction(store, async transaction => {
    const { knex, rows } = transaction
    await rows(RowId, knex('auctions').select('id').whereIn('id', due).orderBy('id').forUpdate())
    await applyDue(transaction, due)
  })
  const settled = new Map((await read(query => query.whereIn('a.id', due))).map(row => [row.id, row]))
  return found.map(row => settled.get(row.id) ?? row)
}
