import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../errors.ts'
import type { ServiceLog } from '../root-services.ts'
import type { NamedJob } from './job.ts'
import type { HeldLease, RunEnd } from './leases.ts'

/** Milliseconds in which code should stop after its signal, when the process ends. */
export const jobGraceMs = 3_000

/** Milliseconds between two attempts to record an end that the database did not take. */
const retryMs = 500

/** Why a run is aborted: its time is over, the process stops, or another process may run it by now. */
type AbortCode = 'DEADLINE' | 'STOPPED' | 'LEASE_LOST'

/** The reason of the signal of a run. */
class RunAborted extends Error {
  readonly code: AbortCode

  constructor(code: AbortCode) {
    super(`The run is over: ${code}.`)
    this.name = 'RunAborted'
    this.code = code
  }
}

/** Returns the code of an error, else the name of its class. Its message may hold values. */
function namedBy(error: unknown): string {
  const code = codeOf(error) || (error instanceof Error ? error.name : 'Error')
  return /^\w{1,64}$/.test(code) ? code : 'Error'
}

const namingJob = (log: ServiceLog, job: string): ServiceLog => {
  const level =
    (name: keyof ServiceLog): ServiceLog['info'] =>
    (facts, message) => {
      log[name]({ ...facts, job }, message)
    }
  return { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') }
}

/**
 * A run that has begun. `ended`: how it ended, when that is recorded. `over`: its code has settled and the lease is let
 * go; code that ignores its signal keeps the lease for as long as the process runs.
 */
export type BegunRun = Readonly<{ ended: Promise<RunEnd>; over: Promise<void> }>

/** Renews a lease three times in its length, and calls `lost` before it can run out. Returns what ends that. */
function keepLease({ leaseMs, renew }: HeldLease, takenAt: number, lost: () => void): () => void {
  // The clock of the process only measures how long ago the database was asked; a wrong time of day does not matter.
  const patience = (since: number): NodeJS.Timeout =>
    setTimeout(lost, Math.max(0, since + (leaseMs * 5) / 6 - performance.now())).unref()
  let late = patience(takenAt)
  const renewal = setInterval(() => {
    const asked = performance.now()
    renew().then(
      isHeld => {
        clearTimeout(late)
        if (isHeld) late = patience(asked)
        else lost()
      },
      // Tried again until the time is over.
      () => undefined
    )
  }, leaseMs / 3).unref()
  return () => {
    clearInterval(renewal)
    clearTimeout(late)
  }
}

/**
 * Runs a job whose lease is held since `takenAt` (of `performance.now()`), until it settles, its deadline, the loss of
 * its lease, or `stop`.
 */
export function beginRun(
  { name, job }: NamedJob,
  held: HeldLease,
  takenAt: number,
  services: Readonly<Record<string, unknown>>,
  log: ServiceLog,
  stop: AbortSignal
): BegunRun {
  const own = namingJob(log, name)
  const began = performance.now()
  const controller = new AbortController()
  const { signal } = controller
  const abort = (code: AbortCode): void => {
    if (!signal.aborted) controller.abort(new RunAborted(code))
  }
  const onStop = (): void => {
    abort('STOPPED')
  }
  const aborted = new Promise<AbortCode>(resolve => {
    signal.addEventListener('abort', () => {
      resolve((signal.reason as RunAborted).code)
    })
  })
  const deadline = setTimeout(abort, job.deadline * 1_000, 'DEADLINE')
  const endLease = keepLease(held, takenAt, () => {
    abort('LEASE_LOST')
    endLease()
  })
  stop.addEventListener('abort', onStop)
  if (stop.aborted) onStop()

  const running = async (): Promise<RunEnd> => {
    try {
      await job.run(services, { signal, log: own })
      return { outcome: 'done' }
    } catch (error) {
      if (!signal.aborted) own.error({ err: error }, 'A job failed.')
      return { outcome: 'failed', code: namedBy(error) }
    }
  }
  const settled = running()

  const endOf = async (): Promise<RunEnd> => {
    const first = await Promise.race([settled, aborted])
    if (typeof first !== 'string') return first
    if (first !== 'STOPPED') return { outcome: 'failed', code: first }
    const late = new AbortController()
    const last = await Promise.race([settled, sleep(jobGraceMs, undefined, { signal: late.signal })])
    late.abort()
    return last?.outcome === 'done' ? last : { outcome: 'stopped', code: first }
  }

  /** Tells the database, again and again until the lease must have run out. */
  const tell = async (step: () => Promise<void>): Promise<void> => {
    for (const until = performance.now() + held.leaseMs; ;) {
      try {
        await step()
        return
      } catch (error) {
        if (performance.now() > until || stop.aborted) {
          own.error({ err: error }, 'The end of a job could not be recorded.')
          return
        }
        await sleep(retryMs, undefined, { ref: false })
      }
    }
  }

  const ended = endOf().then(async end => {
    clearTimeout(deadline)
    await tell(async () => {
      await held.record(end)
    })
    const facts = { outcome: end.outcome, code: end.code ?? null, ms: Math.round(performance.now() - began) }
    own[end.outcome === 'done' ? 'debug' : end.outcome === 'failed' ? 'warn' : 'info'](facts, 'A job ended.')
    return end
  })
  const over = ended
    .then(() => settled)
    .then(async () => {
      stop.removeEventListener('abort', onStop)
      endLease()
      await tell(held.release)
    })
  return { ended, over }
}
