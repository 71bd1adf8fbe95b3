import { closed, Text, Type, type DataOf } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { isPublished } from './gate.ts'
import { auctionColumns, auctionShape, type AuctionRow, type Store } from './row.ts'
import { transitions } from './states.ts'

/**
 * The state to which the clock has brought an auction by a moment, in SQL over `auctions as a`. The one telling of when
 * auctions begin, lapse and end: what it says of an auction is due when it is not the state that is stored.
 */
export const stateAt = (moment: string): string => `case
  when a.status not in ('scheduled', 'live') then a.status
  when a.status = 'scheduled' and a.approval not in ('not_needed', 'approved') then case when a.ends_at <= ${moment} then 'cancelled' else 'scheduled' end
  when a.ends_at <= ${moment} then 'ended'
  when a.starts_at <= ${moment} then 'live'
  else a.status end`

/** Whether something is due for an auction, in SQL. Only what has not ended is looked at. */
export const isDueAt = (moment: string): string =>
  `a.status in ('scheduled', 'live') and a.status <> ${stateAt(moment)}`

/** The acts of the clock, as the table of transitions has them. */
const clockActs = transitions
  .filter(({ who }) => (who as readonly string[]).includes('clock'))
  .map(({ from, act, to }) => `('${from}', '${act}', '${to}')`)
  .join(', ')

/**
 * Applies one act of the clock to each of some locked auctions for which one is due, at the moment when it was. The
 * highest bid of somebody who is not suspended wins where it meets the reserve. It is a statement after the one that
 * locked them, so that it sees every bid that was made before the lock.
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

const Id = closed({ id: Text })

/** Offers that are no longer open. */
export const closeOffers = async (transaction: Knex.Transaction, auction: string): Promise<void> => {
  await transaction('auction_bids').where({ auction, state: 'open' }).update({ state: 'closed' })
}

/** Applies all that is due to some locked auctions, one act after the other. Gives how many acts there were. */
export async function applyDue(
  { rows }: Pick<Store, 'rows'>,
  transaction: Knex.Transaction,
  ids: readonly string[]
): Promise<number> {
  if (ids.length === 0) return 0
  const { length } = await rows(Id, transaction.raw(applyOnce, { ids: [...ids] }))
  return length === 0 ? 0 : length + (await applyDue({ rows }, transaction, ids))
}

/** How many auctions are changed in one transaction: whoever bids for one of them waits for no more. */
const atOnce = 250

/**
 * Applies what is due to all auctions but those that somebody holds: whoever holds one applies what is due to it. Gives
 * how many acts there were.
 */
export async function applyAllDue({ knex, rows }: Store): Promise<number> {
  const acts = await knex.transaction(async transaction => {
    const due = await rows(
      Id,
      transaction('auctions as a')
        .select('a.id')
        .whereRaw(isDueAt('statement_timestamp()'))
        .orderBy('a.ends_at')
        .limit(atOnce)
        .forUpdate('a')
        .skipLocked()
    )
    return await applyDue(
      { rows },
      transaction,
      due.map(({ id }) => id)
    )
  })
  return acts === 0 ? 0 : acts + (await applyAllDue({ knex, rows }))
}

const Read = closed({ ...auctionShape, is_due: Type.Boolean(), is_published: Type.Boolean() })

/**
 * Auctions as they are now, of those that `isFor` takes. What is due to them is applied first, and nothing to others:
 * nobody who reads waits for more than they read.
 */
export async function currentAuctions(
  store: Store,
  narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  isFor: (row: DataOf<typeof Read>) => boolean = () => true
): Promise<readonly AuctionRow[]> {
  const { knex, rows } = store
  const read = async (of: typeof narrow) =>
    (
      await rows(
        Read,
        of(
          knex('auctions as a').select([
            ...auctionColumns.map(name => `a.${name}`),
            knex.raw(`(${isDueAt('statement_timestamp()')}) as is_due, (${isPublished}) as is_published`)
          ])
        )
      )
    ).filter(isFor)
  const found = await read(narrow)
  const due = found.filter(({ is_due: isDue }) => isDue).map(({ id }) => id)
  if (due.length === 0) return found
  await knex.transaction(async transaction => {
    await rows(Id, transaction('auctions').select('id').whereIn('id', due).orderBy('id').forUpdate())
    await applyDue(store, transaction, due)
  })
  const settled = new Map((await read(query => query.whereIn('a.id', due))).map(row => [row.id, row]))
  return found.map(row => settled.get(row.id) ?? row)
}
