// Runs the steps of .ci/steps.mjs one after the other, with nothing but Node. Each has a budget, which it reports, and
// a time-out, which ends it.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { round, steps } from './steps.mjs'

const help = `Usage: .ci/run [--only STEP,STEP…] [--full] [--list]

Runs everything that must hold before a change lands, step by step, and prints the seconds of each.
Random tests and long loads take part with a short round. Its number, the count of commits, chooses what it tries: round ${round} here.

  --only STEP,STEP…  some of the steps below
  --full             long tests, loads and defects at their whole length: hours, run before an issue is closed
  --list             prints the steps and what each runs

Steps (seconds on two quiet cores):
${steps.map(({ id, seconds, about, trial }) => `  ${id.padEnd(14)} ${String(seconds).padStart(4)}  ${about}${trial === undefined ? '' : ` (on trial: only with --full or --only)`}`).join('\n')}
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
const isTried = ({ id, trial }) => (only === undefined ? trial === undefined || options.full : only.includes(id))
const commandOf = ({ run, full }) => (options.full ? (full ?? run) : run)
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

/**
 * What a step said, while it says it; its exit code, or `null` where the time-out ended it and all that it had started.
 */
const runStep = ([command, ...args], seconds) =>
  new Promise(done => {
    const child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let said = ''
    for (const name of ['stdout', 'stderr'])
      child[name].on('data', text => {
        process[name].write(text)
        said = (said + text).slice(-200_000)
      })
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        /* All of it has ended. */
      }
    }
    const limit = setTimeout(() => {
      said += '\nended by its time-out\n'
      end()
    }, seconds * 1000)
    child.on('error', error => {
      said += error.message
    })
    child.on('close', code => {
      clearTimeout(limit)
      end()
      done({ code, said })
    })
  })

/**
 * Counts that a step prints, as tests, consumers and journeys do; what it skips; a step that prints none is one check.
 */
function countsOf({ code, said }) {
  const all = [...said.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1)
  const skipped = [...said.matchAll(/^skipped: (.*)$/gm)].map(([, what]) => what)
  const [passed, failed] = all === undefined ? [code === 0 ? 1 : 0, 0] : [Number(all[1]), Number(all[2])]
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), skipped }
}

const rows = []
for (const step of steps.filter(isTried)) {
  process.stdout.write(`\n== ${step.id}: ${step.about}\n`)
  const began = performance.now()
  const result = await runStep(commandOf(step), options.full ? 6 * 3600 : Math.max(180, step.seconds * 4))
  rows.push({ ...step, ...countsOf(result), took: Math.round((performance.now() - began) / 1000) })
  const { failed, took } = rows.at(-1)
  process.stdout.write(`== ${step.id}: ${failed > 0 ? 'FAILED' : 'ok'} in ${took} s\n`)
  // Nothing else can run without packages.
  if (failed > 0 && step.id === 'install') break
}

const sum = of => rows.reduce((total, row) => total + of(row), 0)
process.stdout.write(`\nround ${round}; seconds, budget, passed, failed\n`)
for (const { id, took, seconds, passed, failed } of rows)
  process.stdout.write(
    `${id.padEnd(14)} ${String(took).padStart(5)} ${String(seconds).padStart(5)} ${String(passed).padStart(7)} ${String(failed).padStart(6)}${took > seconds * 1.5 ? '  over its budget' : ''}\n`
  )
if (only === undefined)
  for (const { id, trial } of steps.filter(step => !isTried(step))) process.stdout.write(`left out: ${id}, ${trial}\n`)
for (const { id, skipped } of rows) for (const what of skipped) process.stdout.write(`skipped in ${id}: ${what}\n`)
process.stdout.write(
  `${sum(({ took }) => took)} s in all\n\n${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed\n`
)
process.exitCode = sum(({ failed }) => failed) === 0 ? 0 : 1
