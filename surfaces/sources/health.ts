import { neverRun, whyNever, type RegisteredSource } from '../catalogue/registered-source.ts'

export const healthStates = {
  fresh: 'The last succeeded import is within the freshness budget of the source.',
  stale: 'The last succeeded import is older than the budget, and not yet three times as old.',
  very_stale: 'The last succeeded import is more than three times as old as the budget.',
  never_run: neverRun,
  unknown: 'The records of imports cannot be read now.'
} as const

type SourceHealth = Readonly<{ state: keyof typeof healthStates; reason: string }>

/**
 * Returns the health of a source, based only on the age of its last successful import. `succeededAt` is undefined when
 * it cannot be read, null when there was none.
 */
export function healthOf(source: RegisteredSource, succeededAt: string | null | undefined, now: Date): SourceHealth {
  if (succeededAt === undefined) return { state: 'unknown', reason: healthStates.unknown }
  if (succeededAt === null) return { state: 'never_run', reason: whyNever(source) }
  const age = (now.getTime() - Date.parse(succeededAt)) / 1000 / source.freshness_budget_seconds
  const state = age <= 1 ? 'fresh' : age <= 3 ? 'stale' : 'very_stale'
  return { state, reason: healthStates[state] }
}
