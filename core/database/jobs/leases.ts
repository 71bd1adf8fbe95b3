import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { Type } from '../../canonical/type.ts'
import { Count, NullableText, Text } from '../../contract/shapes.ts'
import type { DataOf } from '../../manifest/kind.ts'
import type { Database } from '../database.ts'
import { readSchedule, type NamedJob } from './job.ts'

/** How a run ended. `code`: the code or the class of an error, never its message, which may hold values. */
export type RunEnd = Readonly<{ outcome: 'done'; code?: undefined } | { outcome: 'failed' | 'stopped'; code: string }>

const JobRow = Type.Object({
  name: Text,
  began_at: NullableText,
  ended_at: NullableText,
  outcome: NullableText,
  error_code: NullableText,
  runs: Count,
  failures: Count,
  is_held: Type.Boolean()
})

/** What is known of a job in all processes. */
export type JobState = DataOf<typeof JobRow>

const NameRow = Type.Object({ name: Text })

/** The right to run a job, until it is let go or has not been renewed for the time of a lease. */
export type HeldLease = Readonly<{
  leaseMs: number
  /** Holds the lease for another `leaseMs`; false if another process has it by now. */
  renew: () => Promise<boolean>
  /** Records how the run ended. The lease stays, for code that has not stopped yet. */
  record: (end: RunEnd) => Promise<void>
  /** Lets other runs begin. */
  release: () => Promise<void>
}>

const isFree = '(j.lease_until is null or j.lease_until < clock_timestamp())'

/**
 * Whether a job is due by its schedule `s`. A run that its process did not end is begun again at once, but only one
 * time in a row: a job that takes its process down must not do so again and again.
 */
const isDue = `(
  j.outcome = 'stopped'
  or (j.outcome = 'running' and j.tries < 2)
  or (j.began_at is null and s.every_s is not null)
  or j.began_at + s.every_s * interval '1 second' <= clock_timestamp()
  or coalesce(j.began_at, j.created_at) < (
    date_trunc('day', (clock_timestamp() at time zone 'UTC') - s.at_s * interval '1 second')
    + s.at_s * interval '1 second') at time zone 'UTC'
)`

const schedules = 'jsonb_to_recordset(?::jsonb) as s (name text, every_s float8, at_s float8)'

/** Returns the rows of `schedules`. Each schedule was checked when its file was read (H111). */
const schedulesOf = (jobs: readonly NamedJob[]): string =>
  JSON.stringify(jobs.map(({ name, job }) => ({ name, ...readSchedule(job.every) })))

const lease = "clock_timestamp() + ? * interval '1 millisecond'"

/**
 * The leases of jobs, each a row. Only the clock of the database is asked, and each step is one statement outside of a
 * transaction, so that a pooler may be in between.
 */
export class Leases {
  readonly #database: Database
  readonly #leaseMs: number

  constructor(database: Database, leaseMs: number) {
    this.#database = database
    this.#leaseMs = leaseMs
  }

  /** Adds rows for jobs that have none. A daily job waits for its time from then on. */
  async register(jobs: readonly NamedJob[]): Promise<void> {
    await this.#run('insert into pantry_jobs (name) select unnest(?::text[]) on conflict do nothing', [
      jobs.map(({ name }) => name)
    ])
  }

  /** Returns the jobs that are due and that nobody runs. */
  async due(jobs: readonly NamedJob[]): Promise<readonly NamedJob[]> {
    const names = await this.#names(
      `select j.name from pantry_jobs j join ${schedules} on s.name = j.name where ${isFree} and ${isDue}`,
      [schedulesOf(jobs)]
    )
    return jobs.filter(({ name }) => names.includes(name))
  }

  /**
   * Takes the lease of a job and begins a run; `undefined` if it is taken, or if the job is not due and `isDueNow` is
   * asked for. A run before that did not end counts as failed.
   */
  async take(job: NamedJob, isDueNow: boolean): Promise<HeldLease | undefined> {
    const holder = randomUUID()
    const taken = await this.#names(
      `update pantry_jobs j set
        holder = ?, lease_until = ${lease}, began_at = clock_timestamp(), ended_at = null, outcome = 'running',
        error_code = null, runs = j.runs + 1,
        tries = case when j.outcome = 'running' then j.tries + 1 else 1 end,
        failures = j.failures + case when j.outcome = 'running' then 1 else 0 end
      from ${schedules} where j.name = s.name and ${isFree} ${isDueNow ? `and ${isDue}` : ''}
      returning j.name`,
      [holder, this.#leaseMs, schedulesOf([job])]
    )
    return taken.length === 0 ? undefined : this.#held(job.name, holder)
  }

  #held(name: string, holder: string): HeldLease {
    const mine = 'where name = ? and holder = ?'
    return {
      leaseMs: this.#leaseMs,
      renew: async () => {
        const sql = `update pantry_jobs set lease_until = ${lease} ${mine} returning name`
        return (await this.#names(sql, [this.#leaseMs, name, holder])).length > 0
      },
      record: async ({ outcome, code = null }) => {
        await this.#run(
          `update pantry_jobs set ended_at = clock_timestamp(), outcome = ?, error_code = ?, tries = 0,
          failures = failures + ? ${mine}`,
          [outcome, code, outcome === 'failed' ? 1 : 0, name, holder]
        )
      },
      release: async () => {
        await this.#run(`update pantry_jobs set holder = null, lease_until = null ${mine}`, [name, holder])
      }
    }
  }

  async states(): Promise<readonly JobState[]> {
    const { knex, rows } = this.#database
    return await rows(
      JobRow,
      knex.raw(`select j.name, j.began_at, j.ended_at, j.outcome, j.error_code, j.runs, j.failures,
        not ${isFree} as is_held from pantry_jobs j order by j.name`)
    )
  }

  async #run(sql: string, bindings: readonly Knex.RawBinding[]): Promise<void> {
    await this.#database.knex.raw(sql, bindings)
  }

  async #names(sql: string, bindings: readonly Knex.RawBinding[]): Promise<readonly string[]> {
    const { knex, rows } = this.#database
    return (await rows(NameRow, knex.raw(sql, bindings))).map(({ name }) => name)
  }
}
