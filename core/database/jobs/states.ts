import type { Health } from '../root-services.ts'
import type { NamedJob } from './job.ts'
import type { JobState } from './leases.ts'

/** The jobs, each with what the database says of it; `undefined` before that was read. */
export type KnownJobs = readonly (NamedJob & Readonly<{ state: JobState | undefined }>)[]

/** Whether the process of a run is gone before it ended. */
const isLost = ({ outcome, is_held }: JobState): boolean => outcome === 'running' && !is_held

/** Returns how the last run of a job went, in a sentence. */
export function sentenceOf(state: JobState | undefined): string {
  const { outcome, began_at: began, ended_at: ended, error_code: code } = state ?? {}
  if (state === undefined || typeof outcome !== 'string') return 'It has not run yet.'
  if (isLost(state)) return `It began at ${began}, and its process is gone.`
  if (outcome === 'running') return `It runs since ${began}.`
  const how = outcome === 'done' ? 'Done' : outcome === 'failed' ? `Failed with ${code}` : 'Stopped with its process'
  const left =
    outcome === 'failed' && state.is_held ? ' Its code does not stop: only the end of its process ends it.' : ''
  return `${how}: it began at ${began} and ended at ${ended}.${left}`
}

/** Returns each job as a subsystem. Nothing that is served is read from a job, so none is ever `down`. */
export const healthOf = (known: KnownJobs): Readonly<Record<string, Health>> =>
  Object.fromEntries(
    known.map(({ name, state }) => [
      `job:${name}`,
      {
        status: state !== undefined && (state.outcome === 'failed' || isLost(state)) ? 'degraded' : 'ok',
        detail: sentenceOf(state)
      }
    ])
  )

const seconds = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time) / 1_000)

/** The metrics of a job. Names and codes have letters, digits, hyphens and underscores only. */
const metrics: readonly (readonly [
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: (state: JobState) => number | undefined,
  labels?: (state: JobState) => string
])[] = [
  ['pantry_job_runs_total', 'counter', 'Runs that began, in all processes.', ({ runs }) => runs],
  ['pantry_job_failures_total', 'counter', 'Runs that failed or were lost, in all processes.', state => state.failures],
  ['pantry_job_running', 'gauge', 'Whether a process holds the job now.', ({ is_held }) => Number(is_held)],
  [
    'pantry_job_last_outcome',
    'gauge',
    'How the last run ended, or that it runs.',
    ({ outcome }) => (outcome === null ? undefined : 1),
    ({ outcome, error_code }) => `,outcome="${outcome}",code="${error_code ?? ''}"`
  ],
  ['pantry_job_last_began_timestamp_seconds', 'gauge', 'When the last run began.', ({ began_at }) => seconds(began_at)],
  ['pantry_job_last_ended_timestamp_seconds', 'gauge', 'When the last run ended.', ({ ended_at }) => seconds(ended_at)]
]

/** Returns the states as text for Prometheus; an empty text if none is known. */
export const metricsText = (known: KnownJobs): string =>
  metrics
    .flatMap(([name, type, help, value, labels = () => '']) => {
      const lines = known.flatMap(({ name: job, state }) => {
        const found = state === undefined ? undefined : value(state)
        return state === undefined || found === undefined ? [] : [`${name}{job="${job}"${labels(state)}} ${found}\n`]
      })
      return lines.length === 0 ? [] : [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...lines]
    })
    .join('')
