import { canonicalize, type DataOf, type JsonValue } from 'pantry/data'
import { auditDays, missingOf } from './audit.ts'
import type { Batch } from './batches.ts'
import { sumOf, type BoosterRates, type ProofReceipt } from './draw.ts'
import { fairnessOfDraws, fairnessWindow, type Fairness, type Tallies } from './fairness.ts'
import type { ChainCounts, HealthShown } from './proofs.ts'

export class UnprovenError extends Error {}

export const assertProven = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new UnprovenError(otherwise)
}

/** Throws `UnprovenError` with the text `otherwise` unless the canonical forms of both values are equal. */
export const demandEqual = (a: JsonValue, b: JsonValue, otherwise: string): void => {
  assertProven(canonicalize(a) === canonicalize(b), otherwise)
}

export type SeenReceipt = Pick<ProofReceipt, 'nonce' | 'rates_digest' | 'opened_at' | 'result'> &
  Readonly<{ batch: number }>

const millisecondsOfDay = 86_400_000

/** Counts receipts with equal results, by their rates, as `fairness.ts` does. */
function talliesOf(receipts: readonly SeenReceipt[], rates: ReadonlyMap<string, BoosterRates>): Tallies {
  const tallies = new Map<string, Map<string, { result: ProofReceipt['result']; count: number }>>()
  for (const { rates_digest: digest, result } of receipts) {
    const ofRates = tallies.get(digest) ?? new Map<string, { result: ProofReceipt['result']; count: number }>()
    const name = canonicalize(result)
    tallies.set(digest, ofRates.set(name, { result, count: (ofRates.get(name)?.count ?? 0) + 1 }))
  }
  return [...rates].flatMap(([digest, rates]) => {
    const tally = tallies.get(digest)
    return tally === undefined ? [] : [[{ digest, rates }, [...tally.values()]] as const]
  })
}

/**
 * Throws `UnprovenError` unless the report follows from the published receipts. Its `expired` is not checked, because
 * draws that were not opened have no receipts.
 */
export function checkFairness(
  report: Fairness,
  receipts: readonly SeenReceipt[],
  rates: ReadonlyMap<string, BoosterRates>
): void {
  const { from, until, batch, expired } = report
  assertProven(
    Date.parse(until) - Date.parse(from) === fairnessWindow.days * millisecondsOfDay,
    'The window of fairness has another length than it says.'
  )
  const counted = receipts.filter(receipt => receipt.batch <= batch && receipt.opened_at > from)
  const expected = { from, until, batch, expired, ...fairnessOfDraws(talliesOf(counted, rates)) }
  demandEqual(report, expected, 'What is said of fairness does not follow from the receipts.')
}

/** Throws `UnprovenError` unless the tip, and the total counts, match the chain up to that tip. */
export function checkTip(tip: Batch | null, counts: DataOf<typeof ChainCounts>, batches: readonly Batch[]): void {
  const upTo = batches.filter(({ head }) => head.batch <= (tip?.head.batch ?? 0))
  demandEqual(tip, upTo.at(-1) ?? null, 'A tip is given that is not in the chain.')
  const receipts = sumOf(upTo, batch => batch.leaf_count)
  assertProven(
    counts.batches === upTo.length && counts.receipts === receipts,
    `The chain has ${receipts} receipts in ${upTo.length} batches, and ${counts.receipts} in ${counts.batches} are counted.`
  )
}

/** Throws `UnprovenError` unless the report matches the chain, and no draw is missing. */
export function checkHealth(
  { all_well: isWell, halted, tip, counts, self_audit: audit, drift_alerts: alerts }: DataOf<typeof HealthShown>,
  batches: readonly Batch[],
  receipts: readonly SeenReceipt[]
): void {
  const [failure] = audit.failures
  if (failure !== undefined)
    throw new UnprovenError(`The service itself found at batch ${failure.batch}: ${failure.what}`)
  assertProven(
    isWell === (halted === null && alerts.length === 0),
    'The service says that all is well where it says something else.'
  )
  checkTip(tip, counts, batches)
  const inChain = receipts.filter(({ batch }) => batch <= audit.batch)
  assertProven(
    audit.draws.in_chain === inChain.length && inChain.every(({ nonce }) => nonce <= audit.draws.begun),
    'Health counts other draws than the chain shows.'
  )
  assertProven(
    missingOf(audit.draws) === 0,
    `Of ${audit.draws.begun} draws that began ${missingOf(audit.draws)} are not there.`
  )
  const recent = batches.filter(
    ({ head }) =>
      head.batch <= audit.batch && Date.parse(head.signed_at) > Date.parse(audit.at) - auditDays * millisecondsOfDay
  )
  const days = new Map<string, number>()
  for (const { head, leaf_count: count } of recent) {
    const day = head.signed_at.slice(0, 10)
    days.set(day, (days.get(day) ?? 0) + count)
  }
  const total = sumOf(recent, batch => batch.leaf_count)
  demandEqual(
    audit,
    {
      ...audit,
      lookback_days: auditDays,
      batches: recent.length,
      total,
      passed: total,
      failed: 0,
      daily: [...days].map(([day, count]) => ({ day, total: count, failed: 0 }))
    },
    'What the service says of its look at itself does not follow from the chain.'
  )
}
