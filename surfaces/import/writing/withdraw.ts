import type { Transaction } from 'pantry/database'
import type { Withdrawal } from '../../catalogue/withdrawal.ts'

/**
 * How many cards nobody observes any more, with the first of them; those that only a forgotten source observed are
 * `forgotten`.
 */
export type Withdrawals = Readonly<{
  cards: number
  examples: readonly Readonly<{ sku: string; reason: Withdrawal['reason'] | 'forgotten'; successor: string | null }>[]
}>

const mostExamples = 50

/**
 * Records which of the `touched` SKUs nobody observes any more, each by its last sighting, and drops what is recorded
 * of cards that are observed again. Called when the observations are written, before cards are derived. What only a
 * forgotten source observed has no sighting left, and no record.
 */
export async function recordWithdrawals(transaction: Transaction): Promise<Withdrawals> {
  await transaction.raw('delete from withdrawals w where exists (select from observations o where o.sku = w.sku)')
  await transaction.raw('analyze touched')
  const {
    rows: [withdrawn]
  } = await transaction.raw<{ rows: Withdrawals[] }>(`
    with alone as materialized (
      select sku, exists (select from cards c where c.sku = t.sku) as is_held from touched t
      where not exists (select from observations o where o.sku = t.sku) and not exists (select from withdrawals w where w.sku = t.sku)
    ), ended as materialized (
      select distinct on (sku) sku, s.source, s.native_id, r.started_at
      from alone join sightings s using (sku) join runs r on r.id = s.until_run order by sku, s.until_run desc
    ), recorded as (
      insert into withdrawals (sku, source, withdrawn_at, reason, successor)
      select e.sku, e.source, e.started_at, case
        when n.sku is not null then 'moved'
        when exists (select from quarantine q where q.source = e.source and q.native_id = e.native_id) then 'refused'
        else 'gone' end, n.sku
      from ended e left join observations n on n.source = e.source and n.native_id = e.native_id
      returning sku, reason, successor
    ), gone as materialized (
      select sku, coalesce(r.reason, 'forgotten') as reason, r.successor from alone left join recorded r using (sku) where is_held
    ) select (select count(*)::int from gone) as cards, (
      select coalesce(jsonb_agg(to_jsonb(g)), '[]') from (select * from gone order by sku limit ${mostExamples}) g
    ) as examples`)
  return withdrawn ?? { cards: 0, examples: [] }
}

/** So many cards, and such a part of those that a source observed, may be withdrawn without the operator's word. */
export const unasked = { cards: 20, share: 0.02 }

/** How many cards a source observed before this run. */
async function observedBefore(transaction: Transaction, source: string, run: number): Promise<number> {
  const {
    rows: [before]
  } = await transaction.raw<{ rows: { cards: number }[] }>(
    `
    select (
      (select count(*) from observations where source = ? and from_run < ?::bigint) + (select count(*) from sightings where source = ? and until_run = ?::bigint)
    )::int as cards`,
    [source, run, source, run]
  )
  return before?.cards ?? 0
}

/** An import would withdraw more cards than it may. */
export class TooManyWithdrawn extends Error {
  readonly withdrawals: Withdrawals

  constructor(source: string, observed: number, withdrawals: Withdrawals) {
    const { cards } = withdrawals
    super(
      `Source \`${source}\` is not imported: ${cards} of its ${observed} cards would be withdrawn. If that is right, say \`--allow-withdraw ${cards}\`.`
    )
    this.withdrawals = withdrawals
  }
}

/** Throws a TooManyWithdrawn when more would go than may without a word, and more than `allowed`. */
export async function checkWithdrawals(
  transaction: Transaction,
  source: string,
  run: number,
  withdrawals: Withdrawals,
  allowed = 0
): Promise<void> {
  const { cards } = withdrawals
  if (cards <= Math.max(unasked.cards, allowed)) return
  const observed = await observedBefore(transaction, source, run)
  if (cards > observed * unasked.share) throw new TooManyWithdrawn(source, observed, withdrawals)
}
