/** Changes and withdrawals of cards: how they are recorded, and how the history is read. */
import { Type, closed, nullable, Text, type DataOf } from 'pantry/data'

/** Sentences on why a card was withdrawn, given its last source. */
const reasons = {
  gone: source => `\`${source}\` lists it no more.`,
  moved: source => `its row of \`${source}\` makes a card with another SKU now.`,
  refused: source => `its row of \`${source}\` cannot be kept any more.`
} as const satisfies Readonly<Record<string, (source: string) => string>>

type WithdrawalReason = keyof typeof reasons

/**
 * A withdrawn card with the last source that observed it. `withdrawn_on`: ISO 8601 date in UTC. `successor`: the SKU
 * that the same row of the source has now.
 */
export const Withdrawal = closed({
  sku: Text,
  source: Text,
  withdrawn_on: Text,
  reason: Type.Enum(Object.keys(reasons) as WithdrawalReason[]),
  successor: nullable(Text)
})
export type Withdrawal = DataOf<typeof Withdrawal>

/** A withdrawal as responses show it. */
export const Withdrawn = closed({
  sku: Text,
  on: Text,
  source: Text,
  reason: Withdrawal.properties.reason,
  successor: nullable(Text)
})
export const withdrawnBody = ({
  sku,
  withdrawn_on: on,
  source,
  reason,
  successor
}: Withdrawal): DataOf<typeof Withdrawn> => ({ sku, on, source, reason, successor })

/** Returns a sentence that says when and why a card was withdrawn. */
export const sentenceOf = ({ sku, withdrawn_on: on, reason, source }: Withdrawal): string =>
  `The card \`${sku}\` was withdrawn on ${on}: ${reasons[reason](source)}`
