import Type from 'typebox'
import { closed, nullable, Text, type DataOf } from 'pantry/data'

/** Why a card is held no more, as a sentence about its last source. */
const reasons = {
  gone: source => `\`${source}\` lists it no more.`,
  moved: source => `its row of \`${source}\` makes a card with another SKU now.`,
  refused: source => `its row of \`${source}\` cannot be kept any more.`
} as const satisfies Readonly<Record<string, (source: string) => string>>

type WithdrawalReason = keyof typeof reasons

/**
 * A card that was held, with the last source that observed it. `withdrawn_on`: ISO 8601 date, UTC. `successor`: the SKU that the same row of the source
 * has since.
 */
export const Withdrawal = closed({ sku: Text, source: Text, withdrawn_on: Text, reason: Type.Enum(Object.keys(reasons) as WithdrawalReason[]), successor: nullable(Text) })
export type Withdrawal = DataOf<typeof Withdrawal>

/** Of one SKU. */
export const withdrawalOf = `
  select sku, source, to_char(withdrawn_at at time zone 'UTC', 'YYYY-MM-DD') as withdrawn_on, reason, successor from withdrawals where sku = ?`

/** Of the last card that a source showed under an id of its own. */
export const withdrawalOfNative = `
  select w.sku, w.source, to_char(w.withdrawn_at at time zone 'UTC', 'YYYY-MM-DD') as withdrawn_on, w.reason, w.successor
  from sightings s join withdrawals w on w.sku = s.sku where s.source = ? and s.native_id = ? order by s.until_run desc limit 1`

/** A withdrawal as answers show it. */
export const Withdrawn = closed({ sku: Text, on: Text, source: Text, reason: Withdrawal.properties.reason, successor: nullable(Text) })
export const withdrawnBody = ({ sku, withdrawn_on: on, source, reason, successor }: Withdrawal): DataOf<typeof Withdrawn> => ({ sku, on, source, reason, successor })

/** When and why, as a sentence. */
export const sentenceOf = ({ sku, withdrawn_on: on, reason, source }: Withdrawal): string => `The card \`${sku}\` was withdrawn on ${on}: ${reasons[reason](source)}`
