import { setImmediate as collected } from 'node:timers/promises'
import { unavailable } from 'pantry/data'

/** The outcome of one of several jobs that were done together. */
export type Outcome<Done> = Readonly<{ done: Done } | { refused: Error }>

type Waiting<Job, Done> = Readonly<{ job: Job; end: (outcome: Outcome<Done>) => void; timer: NodeJS.Timeout }>

/** The maximum number of jobs in one turn, and the longest time that a job may wait. */
const atOnce = 32
const longestMs = 10_000

/**
 * Whether the error comes from a single statement of one job (SQLSTATE classes 22, 23, 40 and P0). It rolls back the
 * whole transaction although the other jobs are valid.
 */
function isOfOne(error: Error): boolean {
  const { code } = (error.cause ?? error) as Readonly<{ code?: unknown }>
  return /^(?:22|23|40|P0)/.test(String(code))
}

/**
 * Runs jobs by name, one turn after the other. Jobs that arrive during a turn are done together in the next one, so
 * that many share one commit. If a turn fails because of one job, each job is retried alone. 503 for a job that waits
 * too long.
 */
export function doneTogether<Job, Done>(
  doAll: (name: string, jobs: readonly Job[]) => Promise<readonly Outcome<Done>[]>
): (name: string, job: Job) => Promise<Done> {
  const lines = new Map<string, Waiting<Job, Done>[]>()

  async function outcomesOf(name: string, jobs: readonly Job[]): Promise<readonly Outcome<Done>[]> {
    try {
      return await doAll(name, jobs)
    } catch (error) {
      const refused = error instanceof Error ? error : new Error(String(error))
      if (jobs.length === 1 || !isOfOne(refused)) return jobs.map(() => ({ refused }))
      const outcomes: Outcome<Done>[] = []
      for (const job of jobs) outcomes.push(...(await outcomesOf(name, [job])))
      return outcomes
    }
  }

  async function work(name: string, line: Waiting<Job, Done>[]): Promise<void> {
    while (line.length > 0) {
      await collected()
      const turn = line.splice(0, atOnce)
      for (const { timer } of turn) clearTimeout(timer)
      const outcomes = await outcomesOf(
        name,
        turn.map(({ job }) => job)
      )
      for (const [place, { end }] of turn.entries())
        end(outcomes[place] ?? { refused: new Error('A turn gave no outcome.') })
    }
    lines.delete(name)
  }

  return async (name, job) =>
    await new Promise<Done>((resolve, reject) => {
      const begun = lines.get(name)
      const line = begun ?? []
      const waiting: Waiting<Job, Done> = {
        job,
        end: outcome => {
          if ('done' in outcome) resolve(outcome.done)
          else reject(outcome.refused)
        },
        timer: setTimeout(() => {
          line.splice(line.indexOf(waiting), 1)
          reject(
            unavailable('Too many act on this auction at once. Please try again in a moment.', 1, {
              subsystem: 'market'
            })
          )
        }, longestMs)
      }
      line.push(waiting)
      if (begun !== undefined) return
      lines.set(name, line)
      void work(name, line)
    })
}
