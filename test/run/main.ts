/**
 * Runs tests: `npm test -- [files or folders] [--changed] [--tier=quick|long|faults|all] [--effort=short]
 * [--reporter=lines|tap] [--processes=3] [--database] [--resume] [--seed=7 [--turns=2]]`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { filesOfFaults } from '../faults/faults.ts'
import { faultTable } from './faults.ts'
import { changedFiles, project, reachedFrom, testFiles, testsOf, type TestFile } from './files.ts'
import { Passed } from './passed.ts'
import { runJobs, type Finished } from './pool.ts'
import { reporters } from './report.ts'

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    base: { type: 'string', default: 'main' },
    tier: { type: 'string', default: 'quick' },
    /** `short`: the files that only the long tier has, with as few tries as in a quick run. */
    effort: { type: 'string', default: 'whole' },
    reporter: { type: 'string', default: 'lines' },
    /** One more than there are cores: most tests wait now and then for a database or a process. */
    processes: { type: 'string', default: String(Math.min(4, availableParallelism() + 1)) },
    database: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    /** Of what tests try by chance; without it each has its own. */
    seed: { type: 'string' },
    /** Runs the files whose turn it is: as many seeds that follow each other as there are turns run all. */
    turns: { type: 'string', default: '1' }
  }
})

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
if (!['short', 'whole'].includes(options.effort)) fail('`--effort` is short or whole.')
const isLongTier = options.tier !== 'quick'
const isLongRun = isLongTier && options.effort === 'whole'
const isTier = ({ file, marks }: TestFile): boolean => {
  if (options.tier === 'all') return true
  if (options.tier === 'faults') return filesOfFaults.includes(file)
  if (marks.has('faults')) return false
  // Who waits for all files does not wait for the slow ones; who asks for some of them does.
  if (marks.has('slow')) return isLongTier || options.changed || options.database
  return marks.has('sampled') ? options.effort === 'whole' : marks.has('long') === isLongTier
}

/** Seconds that a file may take: one outside of the quick tier opens dozens of pages or databases, or hundreds. */
const secondsOf = (files: readonly TestFile[]): number =>
  isLongRun ? 1800 : files.some(({ marks }) => marks.has('long') || marks.has('faults')) ? 1200 : 300

const isInTurn = (_: TestFile, place: number): boolean =>
  (place + Number(options.seed ?? 0)) % Number(options.turns) === 0

async function chosen(all: readonly TestFile[]): Promise<readonly TestFile[]> {
  for (const name of names)
    if (!all.some(({ file }) => file.startsWith(name))) fail(`No test file is or lies below \`${name}\`.`)
  // A file that is named runs, whatever its tier.
  const named =
    names.length === 0
      ? all.filter(isTier)
      : all.filter(one =>
          names.some(name => one.file === name || (one.file.startsWith(name) && (isTier(one) || one.marks.has('slow'))))
        )
  const changed = options.changed ? await testsOf(changedFiles(options.base), named) : named
  if (!options.database) return changed
  // Nearly everything reaches the database by way of the framework; a test that runs one says so itself, or by a helper
  // of the tests.
  const reached = await reachedFrom(
    changed.map(({ file }) => file),
    file => file.startsWith('test/')
  )
  return changed.filter(
    ({ file }) => reached(file).has('test/support/cluster.ts') || reached(file).has('core/database/embedded.ts')
  )
}

/** What each file took last time, in milliseconds: the long ones start first. */
const timesFile = join(project, '.test', 'times.json')
function lastTimes(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}

process.chdir(project)
const reporter = (
  (reporters[options.reporter as keyof typeof reporters] as typeof reporters.tap | undefined) ??
  fail(`--reporter is ${Object.keys(reporters).join(' or ')}.`)
)(text => {
  process.stdout.write(text)
})
const files = (await chosen(testFiles())).filter(isInTurn)
if (options.list) {
  process.stdout.write(files.map(({ file }) => `${file}\n`).join(''))
  process.exit()
}
// Only long runs are worth it: a short one is as soon repeated.
const passed = isLongRun
  ? new Passed()
  : options.resume
    ? fail('`--resume` belongs to `--tier=long`: a short run starts from the beginning.')
    : undefined
const left = options.resume ? files.filter(({ file }) => passed?.has(file) !== true) : files
if (left.length < files.length)
  process.stdout.write(
    `${files.length - left.length} of ${files.length} files passed before, and nothing has changed since\n`
  )
const slow = names.length > 0 || isLongTier ? [] : testFiles().filter(one => one.marks.has('slow') && !isTier(one))
if (slow.length > 0 && options.reporter === 'lines')
  process.stdout.write(`${slow.length} slow files are left to \`npm run test:long\`, or run when you name them\n`)
const times = lastTimes()
const jobs = left
  .map(({ file, marks }) => ({ file, alone: marks.has('alone') }))
  .sort((a, b) => (times[b.file] ?? 0) - (times[a.file] ?? 0))
const all: Finished[] = []
const began = performance.now()
reporter.start(jobs.length)
await runJobs(
  jobs,
  Math.min(Number(options.processes), jobs.length),
  {
    ...process.env,
    PANTRY_TEST_RUN: String(process.pid),
    TAP_TIMEOUT: '0',
    PANTRY_TEST_SECONDS: process.env['PANTRY_TEST_SECONDS'] ?? String(secondsOf(left)),
    ...(isLongRun ? { PANTRY_TEST_EFFORT: 'long' } : {}),
    ...(options.seed === undefined ? {} : { PANTRY_TEST_SEED: options.seed })
  },
  outcome => {
    all.push(outcome)
    times[outcome.file] = outcome.ms
    passed?.note(outcome)
    reporter.file(outcome)
  }
)
reporter.end(all, performance.now() - began)
if (options.tier === 'faults') process.stdout.write(`\n${faultTable(all)}\n`)
writeFileSync(timesFile, JSON.stringify(times))
process.exitCode = all.some(outcome => outcome.fail > 0) || (files.length === 0 && !options.changed) ? 1 : 0
