// What must hold before a change lands. test/ci.test.ts holds that every test file and every script of package.json is
// reached from here.
import { execFileSync } from 'node:child_process'

/** The number of this round: one more with each commit. What is tried by chance, or in turns, follows from it. */
const countCommits = () => {
  try {
    return Number(
      execFileSync('git', ['rev-list', '--count', 'HEAD'], {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore']
      })
    )
  } catch {
    return 0
  }
}
export const round = countCommits()

const shell = text => ['bash', '-c', text]
const npm = (...args) => ['npm', 'run', '--silent', ...args]
const seed = ['--seed', String(round)]

/**
 * `run` is the command, `full` the one of `.ci/run --full` where it is longer, `seconds` the budget on two quiet cores.
 * A step that prints `N passed, N failed` adds these counts; any other counts as one. `table` is the first word of a
 * table that the step prints, and the summary repeats. After `limit` seconds, else four
 * budgets and at least three minutes, it is ended and failed. `trial` says why a landing does not count it yet: it
 * takes part last, while there is time, and joins when it was green five times in a row, beside other load too.
 */
export const steps = [
  {
    id: 'machine',
    seconds: 30,
    about: 'installs the other programs that tests need, as root on Debian',
    run: ['node', '.ci/machine.mjs']
  },
  {
    id: 'first-start',
    seconds: 70,
    about: 'README: `npm ci && npm start` in a fresh clone until a card answers, then SIGTERM',
    run: ['node', '.ci/first.mjs', 'start']
  },
  {
    id: 'first-test',
    seconds: 250,
    about: 'README: `npm ci && npm test` in a fresh clone that was never built',
    run: ['node', '.ci/first.mjs', 'test']
  },
  {
    id: 'install',
    seconds: 30,
    about: 'packages from the lockfiles',
    run: shell('npm ci && npm ci --prefix test/tools')
  },
  { id: 'build', seconds: 10, about: 'bundles to dist/', run: npm('build') },
  {
    id: 'lint',
    seconds: 140,
    about: 'types of everything, tests included, and beside them rules of style: each keeps one core busy',
    run: shell('npm run --silent typecheck & types=$!; npm run --silent lint; style=$?; wait $types && exit $style')
  },
  { id: 'rooms', seconds: 30, about: 'counts the source, and says which totals are too large', run: npm('rooms') },
  {
    id: 'manifests',
    seconds: 10,
    about: 'manifests are valid, the schema of editors and the reference are up to date',
    run: shell(
      'node dist/bin/pantry.js validate --format github && node dist/bin/pantry.js schema --check && node dist/bin/pantry.js reference --check'
    )
  },
  {
    id: 'release',
    seconds: 100,
    about: 'tarball, SBOM, changelog, typed client and the site of the documentation are made as a release makes them',
    run: shell(
      'npm run --silent changelog && git diff --exit-code CHANGELOG.md && npx pantry client .test/packed/client && npm run --silent release -- --dry-run && npm run --silent docs'
    )
  },
  {
    id: 'long',
    seconds: 560,
    about: 'the long tier, slow files and pages in a browser among it, half of it in turns, with few tries',
    run: npm('test:long', '--', '--effort=short', '--turns=2', ...seed),
    full: npm('test:long')
  },
  {
    id: 'faults',
    seconds: 320,
    about: 'faults that the service survives',
    run: npm('faults', '--', '--effort=short', ...seed),
    full: npm('faults')
  },
  {
    id: 'other-postgres',
    seconds: 100,
    about: 'tests with a database over each other PostgreSQL here, a sixth of them in turns',
    run: ['node', '.ci/other-postgres.mjs', ...seed, '--turns=6'],
    full: ['node', '.ci/other-postgres.mjs']
  },
  {
    id: 'consumers',
    seconds: 240,
    about: 'the tarball with npm, pnpm, yarn and bun, three versions of Node, and each form of module',
    run: npm('consumers')
  },
  {
    id: 'journeys',
    seconds: 480,
    about: 'the ways in which people use Pantry, from their first step to their last',
    run: npm('journeys'),
    table: 'journey'
  },
  {
    id: 'waits',
    seconds: 20,
    about: 'how long requests wait for a reload and for the OpenAPI document of a thousand surfaces',
    run: npm('waits', '--', '--rounds', '1'),
    full: npm('waits')
  },
  {
    id: 'bench',
    seconds: 110,
    about: 'every scenario of the bench once, with the bytes that all must answer',
    limit: 700,
    // A machine that is too busy refuses some requests with 503, as it should, and then the bench says that answers
    // were wrong: only what is wrong twice is.
    run: shell('npm run --silent bench -- --short || npm run --silent bench -- --short')
  },
  {
    id: 'record',
    seconds: 60,
    about: 'some of what can be seen from outside, recorded twice: nothing may differ by chance',
    run: npm('record', '--', '--check', ...seed),
    sample: true
  },
  {
    id: 'defects',
    seconds: 130,
    about: 'deliberate defects, some in turns, each caught by its test',
    run: npm('test:defects', '--', '--some', '8', ...seed),
    full: shell('npm run --silent test:defects && npm run --silent test:defects -- --mutants 200'),
    sample: true
  },
  {
    id: 'hostile',
    seconds: 120,
    about: 'random requests to every surface',
    run: npm('hostile', '--', '--short', ...seed),
    full: npm('hostile'),
    sample: true
  },
  {
    id: 'soak',
    seconds: 120,
    about: 'a mixed load',
    run: npm('soak', '--', '--short', ...seed),
    full: npm('soak'),
    sample: true
  }
]
