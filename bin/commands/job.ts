import { Argument, Option } from 'commander'
import { choice, defineCommand, rootOption, type RootOptions } from '../command.ts'
import { readConfig, UsageError } from '../config.ts'
import { FindingsError, print, printAs, type Io } from '../io.ts'
import { stopRequest } from '../stop-request.ts'
import { table } from '../table.ts'
import type { Jobs } from '../../core/database/jobs/runner.ts'

const formats = ['table', 'json'] as const
type Options = RootOptions & Readonly<{ list?: true; format: (typeof formats)[number] }>

/** Opens the services of the roots and migrates their tables, as a start does; the stores are not filled. */
async function withJobs<T>(io: Io, roots: readonly string[], work: (jobs: Jobs) => Promise<T>): Promise<T> {
  const { requireRegistry } = await import('../read-registry.ts')
  const { openServices } = await import('../open-services.ts')
  const { createLog } = await import('../../core/http/log.ts')
  const loaded = await requireRegistry(roots, io)
  const config = readConfig(io.env)
  const log = createLog(config.logLevel, io.stderr)
  const opened = await openServices(loaded.roots, loaded.registry, config, log, { share: true, isPatient: true })
  try {
    await opened.migrate()
    return await work(opened.jobs)
  } finally {
    await opened.close()
  }
}

async function list(jobs: Jobs, format: Options['format'], io: Io): Promise<void> {
  const { sentenceOf } = await import('../../core/database/jobs/states.ts')
  const known = jobs.size === 0 ? [] : await jobs.known()
  const rows = known.map(({ name, job: { every, deadline }, state }) => ({
    name,
    every,
    deadline,
    began_at: state?.began_at ?? null,
    ended_at: state?.ended_at ?? null,
    outcome: state?.outcome ?? null,
    error_code: state?.error_code ?? null,
    runs: state?.runs ?? 0,
    failures: state?.failures ?? 0,
    last: sentenceOf(state)
  }))
  if (format === 'table' && rows.length === 0) print(io.stderr, 'There are no jobs. A root has them in surfaces/jobs/.')
  else
    printAs(io.stdout, format, rows, () =>
      table(
        ['JOB', 'EVERY', 'DEADLINE', 'LAST RUN'],
        rows.map(({ name, every, deadline, last }) => [name, every, `${deadline} s`, last])
      )
    )
}

async function runOne(jobs: Jobs, name: string, io: Io): Promise<void> {
  const known = jobs.size === 0 ? [] : await jobs.known()
  if (!known.some(one => one.name === name))
    throw new UsageError(
      `There is no job \`${name}\`. ${known.length === 0 ? 'No root has jobs.' : `There are: ${known.map(one => one.name).join(', ')}.`}`
    )
  const stop = stopRequest(io.signals)
  stop.addEventListener('abort', jobs.abort)
  const run = await jobs.runNow(name)
  if (run === undefined) throw new FindingsError(`\`${name}\` runs already: a process holds its lease.`)
  // Code that ignores its signal must end before its lease does.
  if (!run.isOver) setTimeout(io.exit, exitMs, 1).unref()
  if (run.end.outcome !== 'done') throw new FindingsError(`\`${name}\` ${run.end.outcome}: ${run.end.code}`)
  print(io.stdout, `${name}: done`)
}

/** Milliseconds for the services to close, before code that does not stop is ended with its process. */
const exitMs = 5_000

export const job = defineCommand<[name: string | undefined], Options>({
  name: 'job',
  group: 'operate',
  summary: 'Run one job now, or list them.',
  description: [
    'Runs a job of `surfaces/jobs/` at once and once, unless a process runs it already. Its schedule goes on from this run.',
    'With --list it says when each job runs, and how its last run went, in whatever process.'
  ],
  arguments: [new Argument('[name]', 'The job to run.')],
  options: [
    rootOption(),
    new Option('--list', 'List the jobs instead of running one.'),
    choice('--format <format>', 'Form of the list.', formats, 'table')
  ],
  examples: [
    ['pantry job --list', 'Which jobs there are, and how they went.'],
    ['pantry job send-mail', 'Run one now.']
  ],
  exits: {
    1: 'The job failed, was stopped, or runs already.',
    3: 'The database cannot be started or reached, or a migration failed.'
  },
  async run([name], { root, list: isList = false, format }, io) {
    if (isList === (name !== undefined)) throw new UsageError('Name one job, or give --list.')
    await withJobs(io, root, async jobs => {
      await (name === undefined ? list(jobs, format, io) : runOne(jobs, name, io))
    })
    return 0
  }
})
