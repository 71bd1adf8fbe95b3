import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database.ts'
import type { Health, ServiceLog } from '../root-services.ts'
import type { NamedJob } from './job.ts'
import { Leases, type RunEnd } from './leases.ts'
import { beginRun, jobGraceMs, type BegunRun } from './run.ts'
import { healthOf, metricsText, type KnownJobs } from './states.ts'

/** Milliseconds for which a lease holds. After `kill -9` another process waits as long. */
const leaseMs = 30_000

/** Milliseconds between two looks for jobs that are due. */
const lookMs = 1_000

/** Milliseconds more than the grace of the code, to record how the runs ended. */
const recordMs = 500

type JobsGiven = Readonly<{
  jobs: readonly NamedJob[]
  database: () => Promise<Database>
  services: Readonly<Record<string, unknown>>
  log: ServiceLog
  /** Default: half a minute. */
  leaseMs?: number
}>

/** How a run by hand went. `isOver`: its code has settled; code that has not must end with its process. */
type RunByHand = Readonly<{ end: RunEnd; isOver: boolean }>

/** The jobs of all roots, in one process. */
export type Jobs = Readonly<{
  /** The number of jobs. */
  size: number
  /** Begins to run what is due. */
  start: () => void
  /** Aborts what runs, and begins nothing more. */
  abort: () => void
  /** As `abort`, and waits a bounded time for what runs. */
  stop: () => Promise<void>
  /** Runs one job now; `undefined` if it runs already, here or elsewhere. */
  runNow: (name: string) => Promise<RunByHand | undefined>
  /** What is known of each job, of this project and of the database. */
  known: () => Promise<KnownJobs>
  /** Reads the states of the jobs, as subsystems. */
  health: () => Promise<Readonly<Record<string, Health>>>
  /** The last states that `health` has read, as text for Prometheus. */
  metrics: () => string
}>

export function openJobs({ jobs, database, services, log, leaseMs: length = leaseMs }: JobsGiven): Jobs {
  const stopping = new AbortController()
  const runs = new Map<string, BegunRun>()
  let leases: Leases | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let isLooking = false
  let known: KnownJobs = jobs.map(one => ({ ...one, state: undefined }))

  const leasesOf = async (): Promise<Leases> => {
    if (leases !== undefined) return leases
    const opened = new Leases(await database(), length)
    await opened.register(jobs)
    return (leases = opened)
  }

  async function begin(job: NamedJob, isDueNow: boolean): Promise<BegunRun | undefined> {
    if (runs.has(job.name)) return undefined
    const takenAt = performance.now()
    const held = await (await leasesOf()).take(job, isDueNow)
    if (held === undefined) return undefined
    const run = beginRun(job, held, takenAt, services, log, stopping.signal)
    runs.set(job.name, run)
    void run.over.then(() => {
      runs.delete(job.name)
    })
    return run
  }

  async function look(): Promise<void> {
    const free = jobs.filter(({ name }) => !runs.has(name))
    for (const job of free.length === 0 ? [] : await (await leasesOf()).due(free)) {
      if (stopping.signal.aborted) return
      await begin(job, true)
    }
  }

  async function readKnown(): Promise<KnownJobs> {
    const states = await (await leasesOf()).states()
    return (known = jobs.map(one => ({ ...one, state: states.find(({ name }) => name === one.name) })))
  }

  const abort = (): void => {
    clearInterval(timer)
    stopping.abort()
  }

  return {
    size: jobs.length,
    start: () => {
      if (jobs.length === 0 || stopping.signal.aborted) return
      timer = setInterval(() => {
        if (isLooking) return
        isLooking = true
        looking = look()
          .catch((error: unknown) => {
            // Health tells when the database is away; the next look tries again.
            log.debug({ err: error }, 'The jobs that are due cannot be read.')
          })
          .finally(() => {
            isLooking = false
          })
      }, lookMs).unref()
    },
    abort,
    stop: async () => {
      abort()
      const over = looking.then(() => Promise.all([...runs.values()].map(run => run.over)))
      await Promise.race([over, sleep(jobGraceMs + recordMs, undefined, { ref: false })])
    },
    runNow: async name => {
      const job = jobs.find(one => one.name === name)
      const run = job === undefined ? undefined : await begin(job, false)
      if (run === undefined) return undefined
      const end = await run.ended
      await Promise.race([run.over, sleep(jobGraceMs, undefined, { ref: false })])
      return { end, isOver: !runs.has(name) }
    },
    known: readKnown,
    health: async () => (jobs.length === 0 ? {} : healthOf(await readKnown().catch(() => []))),
    metrics: () => metricsText(known)
  }
}
