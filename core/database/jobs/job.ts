import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { isObject } from '../../canonical/json.ts'
import { reportFile } from '../../source/report.ts'
import type { ServiceLog } from '../root-services.ts'

/** An interval of seconds, minutes or hours, or a time of each day in UTC. */
export type Every = `${number} ${'second' | 'minute' | 'hour'}${'' | 's'}` | `day at ${number}:${number}`

/** What a run gets beside the services. */
export type JobRun = Readonly<{
  /** Aborts at the deadline, when the process stops, and when the lease is lost. Hand it to all that waits. */
  signal: AbortSignal
  /** Names the job in each line. */
  log: ServiceLog
}>

/** Work that is done again and again in the background, by one process at a time. */
export type Job<Services = never> = Readonly<{
  /** `15 minutes`, counted from the beginning of the last run, or `day at 03:30` in UTC. */
  every: Every
  /** Seconds after which a run is over: its signal aborts, and it counts as failed. */
  deadline: number
  run: (services: Services, run: JobRun) => Promise<unknown>
}>

/** Returns the function that types the jobs of a root with its services, as `defineHandlerFor` does for handlers. */
export const defineJobFor =
  <Services>(): ((job: Job<Services>) => Job<Services>) =>
  job =>
    job

/** Defines a job, the default export of a file in `surfaces/jobs/`. */
export const defineJob = defineJobFor<Readonly<Record<string, unknown>>>()

/** A job of a root. Only the root knows the type of its services. */
export type NamedJob = Readonly<{ name: string; job: Job<Readonly<Record<string, unknown>>> }>

/** A schedule in seconds: an interval, or a time of day. */
type Schedule = Readonly<{ every_s: number } | { at_s: number }>

const unitSeconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600 }
const daySeconds = 86_400

/** Returns the schedule that a text says; `undefined` for any other text, and for intervals of more than a day. */
export function readSchedule(text: string): Schedule | undefined {
  const [, hours, minutes] = /^day at ([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours !== undefined) return { at_s: Number(hours) * 3_600 + Number(minutes) * 60 }
  const [, count, unit = ''] = /^([1-9]\d{0,4}) (second|minute|hour)s?$/.exec(text) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? NaN)
  return seconds <= daySeconds ? { every_s: seconds } : undefined
}

/** The names that files of jobs can have, without their ending. */
const jobName = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** Returns what is wrong with the job of a file, and how to correct it. */
function wrongIn(name: string, exported: unknown): readonly [message: string, hint: string] | undefined {
  if (!jobName.test(name))
    return [
      `The job \`${name.slice(0, 60)}\` has no name of a job.`,
      'Name the file with lowercase letters, digits and hyphens, such as `surfaces/jobs/send-mail.ts`.'
    ]
  const { every, deadline, run } = isObject(exported) ? exported : {}
  if (typeof run !== 'function')
    return [
      'The default export is not a job: it has no `run`.',
      'Write `export default defineJob({ every, deadline, run })`; what several files need is outside `surfaces/jobs/`.'
    ]
  if (typeof every !== 'string' || readSchedule(every) === undefined)
    return [
      'The job does not say how often it runs.',
      "Write `every: '15 minutes'` (seconds, minutes or hours, a day at most), or `every: 'day at 03:30'` in UTC."
    ]
  return Number.isInteger(deadline) && Number(deadline) >= 1 && Number(deadline) <= daySeconds
    ? undefined
    : ['The job does not say when a run is over.', 'Write `deadline: 60`, in whole seconds, a day at most.']
}

/** H111: the default export of a file in `surfaces/jobs/` is not a job, or the file has a name that no job can have. */
export function jobProblem(file: string, name: string, exported: unknown): Diagnostic | undefined {
  const wrong = wrongIn(name, exported)
  return wrong === undefined ? undefined : reportFile(file, 'H111', ...wrong)
}
