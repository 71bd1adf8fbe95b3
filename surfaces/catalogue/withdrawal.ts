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

export const sentenceOf = ({ reason, source }: Pick<Withdrawal, 'reason' | 'source'>): string => reasons[reason](source)
