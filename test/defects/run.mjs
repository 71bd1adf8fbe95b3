// Puts deliberate defects into a copy of the project, one at a time, and reports which the tests catch: `npm run
// test:defects -- [id …]`. `--some N --seed S` tries N of them, others with the next seed; that each one's text is
// there is checked of all. `--mutants N --seed S` makes N small defects of chance instead, and shows for each room what
// share is caught; `--against FILE` compares with an earlier result.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { chooseMutants, roomOf, testsFor } from './mutants.mjs'

const project = resolve(import.meta.dirname, '../..')
const {
  values: { some, seed, mutants, out, against },
  positionals: wanted
} = parseArgs({
  allowPositionals: true,
  options: {
    some: { type: 'string' },
    seed: { type: 'string', default: '0' },
    mutants: { type: 'string' },
    out: { type: 'string', default: '.test/mutants.json' },
    against: { type: 'string' }
  }
})
/** Seconds of tests that a mutant is asked at most. */
const patience = 60

/** Defects that somebody thought of, each with the tests that must catch it. */
function declared(all) {
  const named = wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id))
  // Those whose turn it is: as many seeds that follow each other as there are groups try all.
  const groups = some === undefined ? 1 : Math.ceil(named.length / Number(some))
  return named
    .filter((_, place) => (place + Number(seed)) % groups === 0)
    .map(({ id, breaks, file, find, replace, tests }) => ({
      id,
      breaks,
      file,
      change: text => text.split(find).join(replace),
      groups: [tests]
    }))
}

/** Defects of chance, each with the tests that reach it. */
async function byChance() {
  spawnSync(process.execPath, ['test/run/compile.mjs'], { cwd: project, stdio: 'inherit' })
  const { testFiles, reachedFrom } = await import(join(project, '.test/test/run/files.js'))
  const timesFile = join(project, '.test/times.json')
  const times = existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {}
  const tests = testFiles()
    .filter(({ marks }) => !marks.has('long') && !marks.has('faults'))
    .map(({ file }) => file)
  const reached = await reachedFrom(tests)
  return chooseMutants(project, Number(mutants), Number(seed)).map(({ file, line, start, end, was, changed }) => ({
    id: `${file}:${line}`,
    breaks: `\`${was.split('\n')[0]}\` is \`${changed.split('\n')[0]}\``,
    file,
    change: text => text.slice(0, start) + changed + text.slice(end),
    groups: testsFor(
      file,
      tests.filter(test => reached(test).has(file)),
      times,
      patience
    )
  }))
}

const all = parse(readFileSync(join(import.meta.dirname, 'defects.yaml'), 'utf8'))
const defects = mutants === undefined ? declared(all) : await byChance()
const notCopied = new Set(['node_modules', '.git', '.tap', '.test', '.pantry', 'dist'])

const copy = mkdtempSync(join(tmpdir(), 'pantry-defects-'))
process.on('exit', () => {
  rmSync(copy, { recursive: true, force: true })
})
cpSync(project, copy, { recursive: true, filter: path => !notCopied.has(basename(path)) })
symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))

/** Runs test files in the copy: whether they passed, and what they said. */
function run(tests) {
  for (const args of [['test/run/compile.mjs'], ['.test/test/run/main.js', ...tests]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: copy,
      // A mutant may never end.
      env: { ...process.env, ...(mutants === undefined ? {} : { PANTRY_TEST_SECONDS: String(2 * patience) }) },
      encoding: 'utf8',
      maxBuffer: 2 ** 28
    })
    if (status !== 0) return { passed: false, said: stdout + stderr }
  }
  return { passed: true, said: '' }
}

const problems = all
  .filter(({ file, find }) => readFileSync(join(copy, file), 'utf8').split(find).length !== 2)
  .map(({ id, file, find }) => `${id}: \`${find}\` does not occur once in ${file}.`)
if (problems.length > 0) {
  process.stdout.write(`${problems.join('\n')}\n`)
  process.exit(1)
}

const sound = run([...new Set(defects.flatMap(({ groups }) => groups.flat()))])
if (!sound.passed) {
  process.stdout.write(`The tests fail without any defect:\n${sound.said.slice(-4000)}\n`)
  process.exit(1)
}

const outcomes = []
for (const { id, breaks, file, change, groups } of defects) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, change(text))
  let said
  for (const tests of groups) {
    const outcome = run(tests)
    if (!outcome.passed) {
      said = outcome.said
      break
    }
  }
  writeFileSync(path, text)
  outcomes.push({ id, breaks, room: roomOf(file), isCaught: said !== undefined })
  // A defect that keeps the program from being read at all would prove nothing.
  const by =
    said === undefined
      ? undefined
      : (/^ {4}(test\/\S+ > .*)$/m.exec(said)?.[1] ??
        /^FAILED (.*)$/m.exec(said)?.[1] ??
        said.trim().split('\n').at(-1))
  process.stdout.write(
    `${by === undefined ? 'MISSED' : 'caught'}  ${id}: ${breaks}${by === undefined ? '' : `\n        by ${by}`}\n`
  )
}

/** Of each room, how many mutants there were and how many were caught. */
function byRoom() {
  const rooms = {}
  for (const { room, isCaught } of outcomes) {
    const known = (rooms[room] ??= { tried: 0, caught: 0 })
    known.tried += 1
    if (isCaught) known.caught += 1
  }
  return Object.fromEntries(Object.entries(rooms).sort())
}

const missed = outcomes.filter(({ isCaught }) => !isCaught)
let worse = []
if (mutants !== undefined) {
  const rooms = byRoom()
  const before = against === undefined ? {} : JSON.parse(readFileSync(against, 'utf8')).rooms
  const share = ({ tried, caught }) => caught / tried
  worse = Object.keys(rooms).filter(room => room in before && share(rooms[room]) < share(before[room]))
  for (const [room, { tried, caught }] of Object.entries(rooms)) {
    const earlier = room in before ? `, before ${before[room].caught} of ${before[room].tried}` : ''
    process.stdout.write(`${room.padEnd(24)} ${caught} of ${tried}${earlier}\n`)
  }
  writeFileSync(resolve(project, out), `${JSON.stringify({ seed: Number(seed), rooms, missed }, null, 2)}\n`)
}
process.stdout.write(
  `${missed.length === 0 ? '' : `missed: ${missed.map(({ id }) => id).join(', ')}\n`}${outcomes.length - missed.length} passed, ${missed.length} failed\n`
)
// Chance finds what no test looks at yet: that alone is no failure.
process.exit(mutants === undefined ? Math.min(missed.length, 1) : Math.min(worse.length, 1))
