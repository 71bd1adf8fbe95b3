// Runs the steps of .ci/steps.mjs one after the other, with nothing but Node. Each has a budget, which it reports, and
// a time-out, which ends it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { round, steps } from './steps.mjs'

const leaveOf = (trial, sample) =>
  trial !== undefined
    ? ' (on trial: last, while there is time, and its failure fails nothing)'
    : sample === true
      ? ' (left out where the machine is too slow)'
      : ''

const help = `Usage: .ci/run [--only STEP,STEP…] [--full] [--list]

Runs everything that must hold before a change lands, step by step, and prints the seconds of each.
Random tests and long loads take part with a short round. Its number, the count of commits, chooses what it tries: round ${round} here.

  --only STEP,STEP…  some of the steps below
  --full             long tests, loads and defects at their whole length: hours, run before an issue is closed
  --list             prints the steps and what each runs

Steps (seconds on two quiet cores):
${steps.map(({ id, seconds, about, trial, sample }) => `  ${id.padEnd(14)} ${String(seconds).padStart(4)}  ${about}${leaveOf(trial, sample)}`).join('\n')}
`

const refuse = text => {
  process.stderr.write(`${text}\n`)
  process.exit(2)
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        full: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false }
      }
    }).values
  } catch (error) {
    return refuse(`${error.message}\n\n${help}`)
  }
}

const options = readOptions()
if (options.help) {
  process.stdout.write(help)
  process.exit()
}
const only = options.only?.split(',')
const unknown = only?.find(id => !steps.some(step => step.id === id))
if (unknown !== undefined) refuse(`--only \`${unknown}\` is no step. Steps: ${steps.map(({ id }) => id).join(', ')}.`)
/** A step that takes part in a landing before it counts. Who asks for it by name, or for all at length, counts it. */
const isOnTrial = ({ trial }) => trial !== undefined && only === undefined && !options.full
const commandOf = ({ run, full }) => (options.full ? (full ?? run) : run)
/** A step that a landing leaves out where the machine is too slow for it: the next landing has another sample. */
const mayWait = ({ trial, sample }) => isOnTrial({ trial }) || (sample === true && only === undefined && !options.full)
/** Seconds after which no step begins, or goes on, that may wait: a landing is given 90 minutes. */
const end = 4_950
const left = () => end - performance.now() / 1000
const limitOf = ({ seconds, limit = Math.max(180, seconds * 4), ...step }) =>
  options.full ? 6 * 3600 : mayWait(step) ? Math.min(limit, left()) : limit
if (options.list) {
  for (const step of steps) process.stdout.write(`${step.id}: ${commandOf(step).join(' ')}\n`)
  process.exit()
}

process.chdir(resolve(import.meta.dirname, '..'))
const environment = {
  ...process.env,
  NO_COLOR: '1',
  PANTRY_TEST_ROUND: String(round),
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false'
}

/** Ends a step: its group, and all that it started in groups of their own, which have its mark in their environment. */
function endAll(pid, mark) {
  const marked = existsSync('/proc')
    ? readdirSync('/proc').filter(name => {
        try {
          return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(mark)
        } catch {
          return false
        }
      })
    : []
  for (const one of [-pid, ...marked.map(Number)])
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      /* It has ended. */
    }
}

/**
 * Counts that a step prints, as tests, consumers and journeys do, what it skips, its table, and why it failed; a step
 * that prints no counts is one check. Its time-out ends it and all that it had started, and is a failure.
 */
const runStep = ({ id, table: tableName, ...step }) =>
  new Promise(done => {
    const [command, ...args] = commandOf(step)
    const mark = `CI_STEP=${process.pid} ${id}`
    const env = { ...environment, CI_STEP: mark.slice('CI_STEP='.length) }
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const [skipped, table, failures, latest] = [[], [], [], []]
    let counts
    let isInTable = false
    let isInFailure = false
    const hear = line => {
      if (line !== '' && latest.push(line) > 15) latest.shift()
      isInFailure = line.startsWith('FAILED') || (isInFailure && /^( |$)/.test(line))
      if (isInFailure && failures.length < 60) failures.push(line)
      isInTable = line !== '' && (isInTable || (tableName !== undefined && line.startsWith(`${tableName}  `)))
      if (isInTable) table.push(line)
      const [, passed, failed] = /^(\d+) passed, (\d+) failed/.exec(line) ?? []
      if (passed !== undefined) counts = [Number(passed), Number(failed)]
      const [, what] = /^skipped: (.*)$/.exec(line) ?? []
      if (what !== undefined) skipped.push(what)
    }
    for (const name of ['stdout', 'stderr']) {
      let line = ''
      child[name]
        .setEncoding('utf8')
        .on('data', text => {
          process[name].write(text)
          const lines = (line + text).split('\n')
          line = lines.pop().slice(-10_000)
          lines.forEach(hear)
        })
        .on('close', () => {
          hear(line)
        })
    }
    const most = Math.round(limitOf(step))
    let isEnded = false
    const limit = setTimeout(() => {
      isEnded = true
      process.stdout.write(`\nended by its time-out of ${most} s\n`)
      endAll(child.pid, mark)
      // Whoever still holds them is not waited for.
      for (const name of ['stdout', 'stderr']) child[name].destroy()
    }, most * 1000)
    child.on('error', error => {
      process.stdout.write(`${error.message}\n`)
    })
    child.on('close', code => {
      clearTimeout(limit)
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        /* All of it has ended. */
      }
      const [passed, failed] = counts ?? [code === 0 ? 1 : 0, 0]
      const isFailed = code !== 0 || failed > 0
      const why = !isFailed ? [] : failures.length > 0 ? failures : latest
      done({ passed, failed: code === 0 ? failed : Math.max(failed, 1), skipped, lines: table, why, isEnded })
    })
  })

const wanted = steps.filter(({ id }) => only === undefined || only.includes(id))
const rows = []
const leftOut = []
/** Milliseconds that the processors have worked, and have been there. */
const processors = () => {
  const times = cpus().map(({ times }) => times)
  const all = times.reduce((sum, { user, nice, sys, irq, idle }) => sum + user + nice + sys + irq + idle, 0)
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) }
}
/** How many times its budget the steps so far took. */
const slowness = () =>
  rows.reduce((total, { took }) => total + took, 1) / rows.reduce((total, { seconds }) => total + seconds, 1)
for (const step of [...wanted.filter(step => !isOnTrial(step)), ...wanted.filter(isOnTrial)]) {
  if (mayWait(step) && step.seconds * slowness() > left()) {
    leftOut.push(step)
    continue
  }
  process.stdout.write(`\n== ${step.id}: ${step.about}\n`)
  const [began, before] = [performance.now(), processors()]
  const { isEnded, ...counts } = await runStep(step)
  const after = processors()
  const took = Math.round((performance.now() - began) / 1000)
  // What had no time says nothing.
  if (mayWait(step) && isEnded && left() < 1) {
    leftOut.push(step)
    process.stdout.write(`== ${step.id}: ended in ${took} s, no time was left\n`)
    continue
  }
  const busy = Math.round((100 * (after.busy - before.busy)) / Math.max(1, after.all - before.all))
  rows.push({ ...step, ...counts, took, busy })
  const { failed } = counts
  process.stdout.write(`== ${step.id}: ${failed > 0 ? 'FAILED' : 'ok'} in ${took} s\n`)
  // Nothing else can run without packages.
  if (failed > 0 && step.id === 'install') break
}

const counted = rows.filter(row => !isOnTrial(row))
const sum = of => counted.reduce((total, row) => total + of(row), 0)
const right = (width, value) => String(value).padStart(width)
process.stdout.write(`\nround ${round}; seconds, budget, part of the processors in use, passed, failed\n`)
for (const { id, took, seconds, busy, passed, failed, trial } of rows)
  process.stdout.write(
    `${id.padEnd(14)} ${right(5, took)} ${right(5, seconds)} ${right(6, `${busy} %`)} ${right(7, passed)} ${right(6, failed)}${took > seconds * 1.5 ? '  over its budget' : ''}${isOnTrial({ trial }) ? `  on trial: ${trial}` : ''}\n`
  )
for (const { id, trial = 'a sample' } of leftOut) process.stdout.write(`left out: ${id} (${trial}), no time was left\n`)
for (const { id, skipped } of rows) for (const what of skipped) process.stdout.write(`skipped in ${id}: ${what}\n`)
for (const { lines } of rows) if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n\n`)
// Again at the end: who reads a log reads its end first.
for (const { id, why } of rows)
  if (why.length > 0) process.stdout.write(`\nFAILED in ${id}:\n${why.join('\n').trimEnd()}\n\n`)
const skips = rows.reduce((total, { skipped }) => total + skipped.length, 0)
process.stdout.write(
  `${rows.reduce((total, { took }) => total + took, 0)} s in all${skips === 0 ? '' : `, ${skips} skipped`}\n\n${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed\n`
)
process.exitCode = sum(({ failed }) => failed) === 0 ? 0 : 1
