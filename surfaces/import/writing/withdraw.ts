import type { Transaction } from 'pantry/database'
import type { Withdrawal } from '../../cards/card-history.ts'

/**
 * The number of cards that the catalogue has and no source observes any more, with the first 50 by SKU. Cards that only
 * a forgotten source observed have the reason `forgotten`.
 */
export type Withdrawals = Readonly<{
  cards: number
  examples: readonly Readonly<{ sku: string; reason: Withdrawal['reason'] | 'forgotten'; successor: string | null }>[]
}>

const maxExamples = 50

/**
 * Records a withdrawal for each `touched` SKU that no source observes any more, based on its last sighting, and deletes
 * all withdrawals of cards observed again. Called after observations are written and before cards are derived. Cards
 * that only a forgotten source observed have no sighting and get no record.
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
      select coalesce(jsonb_agg(to_jsonb(g)), '[]') from (select * from gone order by sku limit ${maxExamples}) g
    ) as examples`)
  return withdrawn ?? { cards: 0, examples: [] }
}

/**
 * Withdrawals that need no permission from the operator: up to 20 cards, or as many as 2 % of the rows that the source
 * observed.
 */
export const unasked = { cards: 20, share: 0.02 }

/** Returns the number of rows that a source observed before this run. */
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

/** An import would withdraw more cards than allowed. */
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

/** Throws TooManyWithdrawn when the withdrawals exceed both limits of `unasked`, and also `allowed`. */
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
