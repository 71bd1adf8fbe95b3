import type { Source } from '../import/source.ts'

export const healthStates = {
  fresh: 'The last succeeded import is within the freshness budget of the source.',
  stale: 'The last succeeded import is older than the budget, and not yet three times as old.',
  very_stale: 'The last succeeded import is more than three times as old as the budget.',
  never_run: 'No import of the source has succeeded here.',
  unknown: 'The records of imports cannot be read now.'
} as const

type SourceHealth = Readonly<{ state: keyof typeof healthStates; reason: string }>

/** Returns the upstream's conditions that are not met yet. */
export const openConditions = ({ conditions = [] }: Source): string[] =>
  conditions.filter(({ met }) => met === undefined).map(({ asks }) => asks)

/** Returns the reason why there is no data of a source. */
export function whyNever(source: Source): string {
  if (source.access !== 'wired') return `Its access is \`${source.access}\`. ${source.access_reason}`
  const [asked] = openConditions(source)
  return asked === undefined
    ? healthStates.never_run
    : `${healthStates.never_run} Its upstream asks for something first: ${asked}`
}

/**
 * Returns the health of a source, based only on the age of its last successful import. `succeededAt` is undefined when
 * it cannot be read, null when there was none.
 */
export function healthOf(source: Source, succeededAt: string | null | undefined, now: Date): SourceHealth {
  if (succeededAt === undefined) return { state: 'unknown', reason: healthStates.unknown }
  if (succeededAt === null) return { state: 'never_run', reason: whyNever(source) }
  const age = (now.getTime() - Date.parse(succeededAt)) / 1000 / source.freshness_budget_seconds
  const state = age <= 1 ? 'fresh' : age <= 3 ? 'stale' : 'very_stale'
  return { state, reason: healthStates[state] }
}
