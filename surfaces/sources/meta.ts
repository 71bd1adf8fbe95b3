import {
  closed,
  Count,
  Moment,
  nullable,
  NullableText,
  SurfaceError,
  Text,
  Texts,
  Type,
  type DataOf
} from 'pantry/data'
import type { TObject } from 'typebox'
import {
  neverRun,
  openConditions,
  payloadTiers,
  noDataReasonOf,
  type RegisteredSource
} from '../cards/registered-source.ts'
import { hoursBetween } from '../common/calendar.ts'
import { exceptedForms, type Source } from '../import/source.ts'
import type { Run } from './runs.ts'

export const healthStates = {
  fresh: 'The last succeeded import is within the freshness budget of the source.',
  stale: 'The last succeeded import is older than the budget, and not yet three times as old.',
  very_stale: 'The last succeeded import is more than three times as old as the budget.',
  never_run: neverRun,
  unknown: 'The records of imports cannot be read now.'
} as const

/**
 * Returns the health of a source, which follows from the age of its last successful import alone. `succeededAt` is
 * undefined when it cannot be read, null when there was none.
 */
export function healthOf(
  source: RegisteredSource,
  succeededAt: string | null | undefined,
  now: Date
): Readonly<{ state: keyof typeof healthStates; reason: string }> {
  if (succeededAt === undefined) return { state: 'unknown', reason: healthStates.unknown }
  if (succeededAt === null) return { state: 'never_run', reason: noDataReasonOf(source) }
  const age = (now.getTime() - Date.parse(succeededAt)) / 1000 / source.freshness_budget_seconds
  const state = age <= 1 ? 'fresh' : age <= 3 ? 'stale' : 'very_stale'
  return { state, reason: healthStates[state] }
}

/** The members that show a source's declaration. */
export const SourceMeta = {
  id: Text,
  name: Text,
  upstream: Text,
  upstream_url: nullable(Type.String({ format: 'uri' })),
  status: Type.Enum(['wired', 'planned', 'blocked']),
  status_reason: Text,
  access: nullable(Type.Enum(['package', 'folder'])),
  open_conditions: Texts,
  exceptions: Type.Array(closed({ field: Text, form: Type.Enum(exceptedForms), reason: Text }), {
    description:
      'Fields whose values may look like a price or a link and are none; any other row with such a value is left out.'
  }),
  license: Type.Enum(payloadTiers),
  repository_license: NullableText,
  license_statement: Text,
  source_license: Text,
  redistribute: Type.Literal(false),
  games: Texts,
  languages: Texts,
  cadence: Text,
  freshness_budget_hours: Type.Number()
}

const noRunReasons = {
  never_run: 'No import of the source was ever started here.',
  runs_unavailable: 'The records of imports cannot be read now.'
} as const

/** The members that show the numbers of a run. */
export const RunNumbers = {
  started_at: Moment,
  finished_at: nullable(Moment),
  status: Type.Enum(['running', 'succeeded', 'failed']),
  rows_read: Count,
  rows_normalized: Count,
  rows_written: Count,
  rows_unchanged: Count,
  rows_quarantined: Count,
  errors: Count,
  age_hours: Type.Number()
}
const RunInNumbers = closed(RunNumbers)

export const LastRun = Type.Union([
  closed({ _unavailable: Type.Literal(true), reason: Type.Enum(Object.keys(noRunReasons)) }),
  RunInNumbers
])

export const metaOf = (source: Source): DataOf<TObject<typeof SourceMeta>> => ({
  id: source.id,
  name: source.label,
  upstream: source.upstream.name,
  upstream_url: source.upstream.url ?? null,
  status: source.access,
  status_reason: source.access_reason,
  access: source.where ?? null,
  open_conditions: openConditions(source),
  exceptions: source.reader?.exceptions ?? [],
  license: source.payload_rights,
  repository_license: source.license,
  license_statement: source.license_statement,
  source_license: source.source_license,
  redistribute: false,
  games: source.games,
  languages: source.languages,
  cadence: source.cadence,
  freshness_budget_hours: Math.round(source.freshness_budget_seconds / 360) / 10
})

export function countByAccess(sources: readonly Source[]): Readonly<Record<Source['access'], number>> {
  const counts = { wired: 0, planned: 0, blocked: 0 }
  for (const { access } of sources) counts[access]++
  return counts
}

export const noRun = (reason: keyof typeof noRunReasons): DataOf<typeof LastRun> => ({ _unavailable: true, reason })

/** Returns the numbers of a run, without the rejected rows and without who started it. */
export const lastRunOf = (run: Run, now: Date): DataOf<typeof RunInNumbers> => ({
  started_at: run.started_at,
  finished_at: run.finished_at,
  status: run.status,
  rows_read: run.rows_read,
  rows_normalized: run.rows_read - run.rows_quarantined,
  rows_written: run.rows_written,
  rows_unchanged: run.rows_unchanged,
  rows_quarantined: run.rows_quarantined,
  errors: run.status === 'failed' ? 1 : 0,
  age_hours: hoursBetween(run.finished_at ?? run.started_at, now)
})

/**
 * Returns the result of a query, or `undefined` when the database is unavailable: the registry can be shown without it.
 */
export async function ifReadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof SurfaceError && error.code === 'SOURCE_UNAVAILABLE') return undefined
    throw error
  }
}
