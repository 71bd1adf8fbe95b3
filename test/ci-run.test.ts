// test: slow.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageFolder } from '../bin/project.ts'
import { eventually } from './support/eventually.ts'
import { scratchFolder } from './support/scratch.ts'

type Step = Readonly<{
  id: string
  code: string
  seconds?: number
  limit?: number
  trial?: string
  sample?: boolean
  full?: string
  table?: string
}>

type Ran = Readonly<{ code: number | null; said: string; lines: readonly string[]; stderr: string }>

/** `.ci/run` in a project of its own whose steps run these lines of Node. */
function ciOf(steps: readonly Step[]): Readonly<{ folder: string; run: (...options: readonly string[]) => Ran }> {
  const folder = scratchFolder(t)
  mkdirSync(join(folder, '.ci'))
  for (const name of ['run', 'main.mjs']) copyFileSync(join(packageFolder, '.ci', name), join(folder, '.ci', name))
  const node = (code: string): string[] => [process.execPath, '-e', code]
  const table = steps.map(({ id, code, full, ...rest }) => ({
    id,
    seconds: 1,
    about: `does ${id}`,
    run: node(code),
    ...(full === undefined ? {} : { full: node(full) }),
    ...rest
  }))
  writeFileSync(
    join(folder, '.ci', 'steps.mjs'),
    `export const round = 7\nexport const steps = ${JSON.stringify(table)}\n`
  )
  return {
    folder,
    run: (...options) => {
      const { status, stdout, stderr } = spawnSync(join(folder, '.ci', 'run'), options, {
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '' },
        maxBuffer: 2 ** 26
      })
      return { code: status, said: stdout, lines: stdout.trimEnd().split('\n'), stderr }
    }
  }
}

/** Also one that nobody asked yet how it ended has ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc') || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const passes: Step = { id: 'passes', code: 'console.log("3 passed, 0 failed")' }
const silent: Step = { id: 'silent', code: '' }
const fails: Step = { id: 'fails', code: 'console.log("2 passed, 1 failed"); process.exitCode = 1' }

t.test('counts are added, a step without counts is one, and what is skipped is named and counted nowhere', t => {
  const says = [
    '"skipped: a browser, which is not here"',
    '"x".repeat(500_000)',
    '"1 passed, 0 failed, 1 skipped; 1 files"'
  ]
  const skips: Step = { id: 'skips', code: `console.log([${says.join(', ')}].join("\\n"))` }
  const { code, said, lines } = ciOf([passes, silent, skips]).run()
  t.equal(code, 0)
  t.equal(lines.at(-1), '5 passed, 0 failed')
  t.match(said, /^skipped in skips: a browser, which is not here$/m, 'also where much was said after it')
  t.match(said, /^\d+ s in all, 1 skipped$/m)
  t.match(
    said,
    /^round 7; seconds, budget, part of the processors in use, passed, failed\npasses +\d+ +1 +\d+ % +3 +0$/m
  )
  t.end()
})

t.test('a step that fails fails the run, and the others run all the same', t => {
  const crashes: Step = { id: 'crashes', code: 'process.exitCode = 3' }
  const countsWell: Step = { id: 'counts-well', code: 'console.log("4 passed, 0 failed"); process.exitCode = 1' }
  const { code, lines, said } = ciOf([fails, crashes, countsWell, passes]).run()
  t.equal(code, 1)
  t.equal(lines.at(-1), '9 passed, 3 failed', 'an exit code is a failure, whatever was counted')
  t.match(said, /^== crashes: FAILED in \d+ s$/m)
  t.match(said, /^== passes: ok in \d+ s$/m)
  t.end()
})

t.test('the summary says again why a step failed: what it marked, or else its last lines', t => {
  const marks = ['ok     a', 'FAILED b', '    why', '', '    at b:3', 'ok     c', '2 passed, 1 failed']
  const long = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
  const says = (lines: readonly string[]): string =>
    `console.log(${JSON.stringify(lines.join('\n'))}); process.exitCode = 1`
  const { said } = ciOf([{ id: 'marks', code: says(marks) }, passes, { id: 'talks', code: says(long) }]).run()
  t.match(said, /^FAILED in marks:\nFAILED b\n {4}why\n\n {4}at b:3\n\n\nFAILED in talks:\nline 6\n[^]*line 20\n\n/m)
  t.notMatch(said, 'FAILED in passes')
  t.end()
})

t.test('the summary has the table of a step that has one', t => {
  const says = ['"journeys begin"', '"journey  steps"', '"reader   3"', '""', '"3 passed, 0 failed"']
  const travels: Step = { id: 'travels', table: 'journey', code: `console.log([${says.join(', ')}].join("\\n"))` }
  const { said } = ciOf([travels, silent]).run()
  t.match(said, /^round 7;[^]*^silent .*\n\njourney  steps\nreader   3\n\n\d+ s in all\n/m)
  t.equal(said.split('reader   3').length, 3, 'beside its place in the step')
  t.end()
})

t.test('nothing runs after packages that were not installed', t => {
  const { code, lines, said } = ciOf([{ ...fails, id: 'install' }, passes]).run()
  t.equal(code, 1)
  t.equal(lines.at(-1), '2 passed, 1 failed')
  t.notMatch(said, '== passes')
  t.end()
})

t.test('a command that is not there is a failure that is told', t => {
  const { folder, run } = ciOf([])
  const gone = { id: 'gone', seconds: 1, about: 'does nothing', run: ['no-such-program'] }
  writeFileSync(
    join(folder, '.ci', 'steps.mjs'),
    `export const round = 1\nexport const steps = [${JSON.stringify(gone)}]\n`
  )
  const { code, lines, said } = run()
  t.equal(code, 1)
  t.equal(lines.at(-1), '0 passed, 1 failed')
  t.match(said, 'no-such-program')
  t.end()
})

t.test('a step over its time-out is ended with all that it had started, and fails', async t => {
  const sleeper = 'setInterval(() => {}, 1000)'
  // One in its group, one in a group of its own that keeps what is said open.
  const start = ['false', 'true'].map(
    detached =>
      `spawn(process.execPath, ["-e", ${JSON.stringify(sleeper)}], { detached: ${detached}, stdio: ["ignore", "inherit", "inherit"] }).pid`
  )
  const write = `require("node:fs").writeFileSync("pids", [process.pid, ${start.join(', ')}].join(" "))`
  const { folder, run } = ciOf([
    { id: 'hangs', limit: 5, code: `const { spawn } = require("node:child_process"); ${write}; ${sleeper}` },
    passes
  ])
  const { code, lines, said } = run()
  t.equal(code, 1)
  t.equal(lines.at(-1), '3 passed, 1 failed')
  t.match(said, /^ended by its time-out of 5 s\n== hangs: FAILED/m)
  await eventually(() => {
    const left = readFileSync(join(folder, 'pids'), 'utf8').split(' ').map(Number).filter(isRunning)
    if (left.length > 0) throw new Error(`${left.length} processes go on.`)
  })
})

t.test('a step on trial runs last and fails nothing, where there is time for it', t => {
  const young = { ...fails, id: 'young', trial: 'it has not been green yet' }
  const { run } = ciOf([young, passes, { ...young, id: 'long', seconds: 100_000 }])
  const { code, lines, said } = run()
  t.equal(code, 0)
  t.equal(lines.at(-1), '3 passed, 0 failed')
  t.match(said, /^== passes:[^]*^== young: FAILED/m)
  t.match(said, /^young .*  on trial: it has not been green yet$/m)
  t.match(said, /^left out: long \(it has not been green yet\), no time was left$/m)
  for (const options of [['--only', 'young'], ['--full']]) t.equal(run(...options).code, 1, options.join(' '))
  t.end()
})

t.test('a sample that has no time is left out and named; one that fails fails the run', t => {
  const { run } = ciOf([passes, { ...passes, id: 'some', sample: true, seconds: 100_000 }])
  t.match(run(), { code: 0, said: /^left out: some \(a sample\), no time was left\n[^]*^3 passed, 0 failed$/m })
  t.match(run('--only', 'some'), { code: 0, lines: [/^$/, /^== some: /] }, 'who names it wants it')
  t.equal(ciOf([{ ...fails, sample: true }]).run().code, 1)
  t.end()
})

t.test('`--only` runs what it names, and knows no other names; `--full` runs the full length', t => {
  const { run } = ciOf([passes, { ...silent, full: 'console.log("9 passed, 0 failed")' }])
  t.equal(run('--only', 'silent').lines.at(-1), '1 passed, 0 failed')
  t.equal(run('--only', 'silent', '--full').lines.at(-1), '9 passed, 0 failed')
  t.match(run('--only', 'silent,slient'), {
    code: 2,
    said: '',
    stderr: '--only `slient` is no step. Steps: passes, silent.\n'
  })
  t.match(run('--onyl', 'silent'), { code: 2, said: '', stderr: /--onyl[^]*Usage: / })
  t.match(run('--list'), { code: 0, lines: [/^passes: /, /^silent: /] })
  t.end()
})
