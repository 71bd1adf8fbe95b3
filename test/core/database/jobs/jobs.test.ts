// test: long. Jobs over a real database, with leases that run out.
import t, { type Test } from 'tap'
import { readSchedule, type Job } from '../../../../core/database/jobs/job.ts'
import { Leases, type JobState } from '../../../../core/database/jobs/leases.ts'
import { openJobs, type Jobs } from '../../../../core/database/jobs/runner.ts'
import { jobMigrations } from '../../../../core/database/jobs/table.ts'
import { migrate } from '../../../../core/database/migrations.ts'
import { SurfaceError } from '../../../../core/handler/errors.ts'
import { testDatabase } from '../../../support/database.ts'
import { eventually } from '../../../support/eventually.ts'

const { database } = await testDatabase(t, 'empty')
const { knex } = database
await migrate(database.bulk, jobMigrations)

type AnyJob = Job<Readonly<Record<string, unknown>>>
const job = (run: AnyJob['run'], every: Job['every'] = '1 hour', deadline = 60): AnyJob => ({ every, deadline, run })
const nothing = job(() => Promise.resolve())

const lines: unknown[] = []
const note = (facts: unknown, message: string): void => {
  lines.push([facts, message])
}
const log = { debug: note, info: note, warn: note, error: note }

const open = (jobs: Readonly<Record<string, AnyJob>>, leaseMs = 30_000): Jobs =>
  openJobs({
    jobs: Object.entries(jobs).map(([name, one]) => ({ name, job: one })),
    database: () => Promise.resolve(database),
    services: { desk: 'open' },
    log,
    leaseMs
  })

async function stateOf(name: string): Promise<JobState> {
  const found = (await new Leases(database, 1).states()).find(state => state.name === name)
  if (found === undefined) throw new Error(`there is no row of ${name}`)
  return found
}

/** Waits until a state is as it should be. */
const reached = async (t: Test, name: string, wanted: Partial<JobState>): Promise<void> => {
  await eventually(async () => {
    const state = await stateOf(name)
    for (const [key, value] of Object.entries(wanted))
      if (state[key as keyof JobState] !== value) throw new Error(`${key} of ${name}: ${JSON.stringify(state)}`)
  })
  t.match(await stateOf(name), wanted)
}

const change = async (name: string, set: string): Promise<void> => {
  await knex.raw(`update pantry_jobs set ${set} where name = ?`, [name])
}

t.afterEach(async () => {
  await knex('pantry_jobs').delete()
})

t.test('a schedule is an interval of a day at most, or a time of day', t => {
  t.same(readSchedule('1 second'), { every_s: 1 })
  t.same(readSchedule('15 minutes'), { every_s: 900 })
  t.same(readSchedule('24 hours'), { every_s: 86_400 })
  t.same(readSchedule('day at 03:30'), { at_s: 12_600 })
  for (const text of ['0 seconds', '15 min', '1.5 hours', '25 hours', 'day at 24:00', 'day at 3:30', '* * * * *', ''])
    t.equal(readSchedule(text), undefined, text)
  t.end()
})

t.test('a lease is taken by one of many, and only when the job is due unless it is asked for', async t => {
  const one = { name: 'sweep', job: nothing }
  const leases = new Leases(database, 30_000)
  await leases.register([one])
  const taken = await Promise.all(Array.from({ length: 8 }, () => leases.take(one, true)))
  const held = taken.filter(lease => lease !== undefined)
  t.equal(held.length, 1)
  t.equal(await leases.take(one, false), undefined, 'by hand neither')
  await held[0]?.record({ outcome: 'done' })
  t.equal(await leases.take(one, false), undefined, 'it is held until it is let go')
  await held[0]?.release()
  t.equal(await leases.take(one, true), undefined, 'it is not due')
  t.ok(await leases.take(one, false), 'by hand it runs again')
})

t.test('an interval counts from the beginning of the last run, a time of day from that time', async t => {
  const leases = new Leases(database, 30_000)
  const { rows } = await knex.raw<{ rows: [{ at: `${number}:${number}` }] }>(
    "select to_char(clock_timestamp() at time zone 'UTC' - interval '2 minutes', 'HH24:MI') as at"
  )
  const jobs = [
    { name: 'often', job: nothing },
    { name: 'daily', job: { ...nothing, every: `day at ${rows[0].at}` as const } }
  ]
  await leases.register(jobs)
  const due = async (): Promise<readonly string[]> => (await leases.due(jobs)).map(({ name }) => name)
  t.same(await due(), ['often'], 'a daily job waits for its time')
  await change('daily', "created_at = clock_timestamp() - interval '1 hour'")
  t.same(await due(), ['often', 'daily'], 'which was since the job is known')
  for (const name of ['often', 'daily'])
    await change(name, "outcome = 'failed', began_at = clock_timestamp() - interval '1 minute'")
  t.same(await due(), [])
  for (const name of ['often', 'daily']) await change(name, "began_at = clock_timestamp() - interval '61 minutes'")
  t.same(await due(), ['often', 'daily'])
})

t.test('a run that its process did not end is begun again once, one that was stopped at once', async t => {
  const one = { name: 'sweep', job: nothing }
  const leases = new Leases(database, 30_000)
  await leases.register([one])
  const lost = async (): Promise<void> => {
    await change('sweep', 'lease_until = clock_timestamp()')
  }
  t.ok(await leases.take(one, true))
  t.equal(await leases.take(one, true), undefined, 'its lease has not run out')
  await lost()
  t.ok(await leases.take(one, true))
  t.match(await stateOf('sweep'), { runs: 2, failures: 1 })
  await lost()
  t.equal(await leases.take(one, true), undefined, 'it takes its process down')
  await change('sweep', "outcome = 'stopped'")
  t.ok(await leases.take(one, true))
})

t.test('a job gets the services, and what it throws is named without its message', async t => {
  const seen: unknown[] = []
  const jobs = open({
    good: job((services, { log: own }) => {
      seen.push(services)
      own.info({ swept: 3 }, 'Swept.')
      return Promise.resolve()
    }),
    refused: job(() => Promise.reject(new SurfaceError('NOT_FOUND', 'no person hunter2'))),
    broken: job(() => {
      throw new TypeError('hunter2 is not iterable')
    }),
    odd: job(() => Promise.reject(Object.assign(new Error('hunter2'), { code: 'hunter2 is odd' })))
  })
  t.match(await jobs.runNow('good'), { end: { outcome: 'done' }, isOver: true })
  t.same(seen, [{ desk: 'open' }])
  t.match(lines, [[{ swept: 3, job: 'good' }, 'Swept.']])
  t.match(await jobs.runNow('refused'), { end: { outcome: 'failed', code: 'NOT_FOUND' } })
  t.match(await jobs.runNow('broken'), { end: { outcome: 'failed', code: 'TypeError' } })
  t.match(await jobs.runNow('odd'), { end: { outcome: 'failed', code: 'Error' } })
  t.equal(await jobs.runNow('unknown'), undefined)

  const health = await jobs.health()
  t.match(health, {
    'job:good': { status: 'ok', detail: /^Done: it began at \S+Z and ended at \S+Z\.$/ },
    'job:refused': { status: 'degraded', detail: /^Failed with NOT_FOUND: / }
  })
  const metrics = jobs.metrics()
  t.match(metrics, /^pantry_job_runs_total\{job="good"\} 1$/m)
  t.match(metrics, /^pantry_job_last_outcome\{job="broken",outcome="failed",code="TypeError"\} 1$/m)
  t.match(metrics, /^pantry_job_last_began_timestamp_seconds\{job="good"\} \d+\.?\d*$/m)
  const { rows } = await knex.raw<{ rows: unknown[] }>('select * from pantry_jobs')
  t.notMatch(JSON.stringify([rows, health, metrics]), /hunter2/)
})

t.test('what is due is begun, again after its interval', async t => {
  let runs = 0
  const jobs = open({
    often: job(() => {
      runs += 1
      return Promise.resolve()
    }, '1 second')
  })
  t.teardown(() => jobs.stop())
  jobs.start()
  await eventually(() => {
    if (runs < 2) throw new Error('it has not run twice')
  })
  t.pass('it runs')
})

t.test('at its deadline a run has failed, and its signal says so', async t => {
  const reasons: unknown[] = []
  const jobs = open({
    slow: job(
      async (_services, { signal }) => {
        await new Promise(resolve => {
          signal.addEventListener('abort', resolve)
        })
        reasons.push(signal.reason)
      },
      '1 hour',
      1
    )
  })
  t.match(await jobs.runNow('slow'), { end: { outcome: 'failed', code: 'DEADLINE' }, isOver: true })
  t.match(reasons, [{ code: 'DEADLINE' }])
  await reached(t, 'slow', { outcome: 'failed', error_code: 'DEADLINE', is_held: false, failures: 1 })
})

t.test('code that never settles keeps its lease while its process runs, and nobody else runs it', async t => {
  const jobs = open({ hung: job(() => new Promise(() => undefined), '1 hour', 1) }, 900)
  const other = open({ hung: nothing })
  t.match(await jobs.runNow('hung'), { end: { outcome: 'failed', code: 'DEADLINE' }, isOver: false })
  const until = async (): Promise<string> =>
    (await knex('pantry_jobs').first<{ lease_until: string }>('lease_until')).lease_until
  const first = await until()
  await eventually(async () => {
    if (Date.parse(await until()) <= Date.parse(first) + 900) throw new Error('it was not renewed for a whole lease')
  })
  t.equal(await other.runNow('hung'), undefined)
  t.equal(await jobs.runNow('hung'), undefined)
  t.match(await jobs.health(), { 'job:hung': { status: 'degraded', detail: /Its code does not stop/ } })
  await change('hung', 'holder = null')
})

t.test('a run whose lease another process has is aborted, and what that one records stays', async t => {
  const begun = new Promise<AbortSignal>(resolve => {
    const jobs = open(
      {
        lost: job(async (_services, { signal }) => {
          resolve(signal)
          await new Promise(end => {
            signal.addEventListener('abort', end)
          })
        })
      },
      900
    )
    void jobs.runNow('lost')
  })
  const signal = await begun
  await change(
    'lost',
    "holder = gen_random_uuid(), outcome = 'running', lease_until = clock_timestamp() + interval '1 day'"
  )
  await eventually(() => {
    if (!signal.aborted) throw new Error('it goes on')
  })
  t.match(signal.reason, { code: 'LEASE_LOST' })
  await reached(t, 'lost', { outcome: 'running', is_held: true, failures: 0 })
})

t.test('a process that stops gives a run a bounded time, and says how it ended', async t => {
  const waiting = (last: 'resolves' | 'rejects' | 'hangs'): AnyJob =>
    job(async (_services, { signal }) => {
      await new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => {
          if (last === 'resolves') resolve(undefined)
          if (last === 'rejects') reject(new Error('cut short'))
        })
      })
    })
  const jobs = open({ whole: waiting('resolves'), cut: waiting('rejects'), deaf: waiting('hangs') })
  jobs.start()
  for (const name of ['whole', 'cut', 'deaf']) await reached(t, name, { outcome: 'running' })
  await jobs.stop()
  t.match(await stateOf('whole'), { outcome: 'done', is_held: false })
  t.match(await stateOf('cut'), { outcome: 'stopped', error_code: 'STOPPED', is_held: false })
  t.match(await stateOf('deaf'), { outcome: 'stopped', is_held: true }, 'its lease runs out with the process')
  jobs.start()
  t.same(await new Leases(database, 1).due([{ name: 'cut', job: nothing }]), [{ name: 'cut', job: nothing }])
})
