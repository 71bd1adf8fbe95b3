// test: long. Jobs in processes that are killed, and with clocks that are off.
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { libraryIn, pantry, type Outcome } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { program } from '../support/program.ts'
import { startService, stopService, type Service } from '../support/service.ts'

const files = {
  'migrations/0001_inside.js': `export const up = knex => knex.raw('create table inside (one boolean primary key default true, pid integer)')
export const down = knex => knex.raw('drop table inside')
`,
  'surfaces/services.js': `export default ({ database }) => ({ services: { database } })
`,
  // Two runs at once are a key that is there twice.
  'surfaces/jobs/hold.js': `import { setTimeout as sleep } from 'node:timers/promises'
export default {
  every: '1 hour',
  deadline: 600,
  run: async ({ database }, { signal }) => {
    const { knex } = await database()
    await knex('inside').insert({ pid: process.pid })
    try {
      for (;;) await sleep(20, undefined, { signal })
    } finally {
      await knex('inside').delete()
    }
  }
}
`
}

const { database, url } = await testDatabase(t, 'empty')
const { knex } = database

function rootIn(t: Test, added: Readonly<Record<string, string>> = files): string {
  const root = libraryIn(t.testdir())
  for (const [name, text] of Object.entries(added)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

/** Puts the clock of a process forward or back; the database keeps its own. */
const skewed = (hours: number): NodeJS.ProcessEnv => {
  const code = `const Real = Date, by = ${hours * 3_600_000}
globalThis.Date = class extends Real {
  constructor (...given) { if (given.length === 0) super(Real.now() + by); else super(...given) }
  static now () { return Real.now() + by }
}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

const serving = (t: Test, root: string, env: NodeJS.ProcessEnv = {}, args: string[] = []): Promise<Service> =>
  startService(t, { args: ['--root', root, ...args], env: { DATABASE_URL: url, ...env } })

/** A command as a process of its own. */
async function pantryProcess(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn(process.execPath, [...program('bin/commands/pantry'), ...args], {
    env: { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'silent', ...env }
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', chunk => {
      said[name] += String(chunk)
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, ...said }
}

const pidInside = async (): Promise<number | undefined> =>
  (await knex('inside').first<{ pid: number } | undefined>('pid'))?.pid

const inside = async ({ child }: Service): Promise<void> => {
  await eventually(async () => {
    const pid = await pidInside()
    if (pid !== child.pid) throw new Error(`it is not in ${child.pid}, but in ${pid}`)
  }, 20)
}

t.test('one process at a time runs a job, also after kill -9 and with clocks an hour off', async t => {
  const root = rootIn(t)
  const first = await serving(t, root, {}, ['--workers', '2'])
  await inside(first)
  const second = await serving(t, root, skewed(1))
  for (const hours of [1, -1])
    t.match(await pantryProcess(['job', 'hold', '--root', root], skewed(hours)), {
      code: 1,
      stderr: /`hold` runs already/
    })
  const health = (await (await fetch(`${second.url}/api/v1/health`)).json()) as { data: { subsystems: object } }
  t.match(health.data.subsystems, { 'job:hold': { status: 'ok', detail: /^It runs since / } })
  for (const { adminUrl } of [first, second])
    t.match(await (await fetch(`${adminUrl}/metrics`)).text(), /^pantry_job_runs_total\{job="hold"\} 1$/m)

  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    "select outcome, lease_until > clock_timestamp() as is_held, lease_until < clock_timestamp() + interval '31 seconds' as ends from pantry_jobs"
  )
  t.same(rows, [{ outcome: 'running', is_held: true, ends: true }], 'nobody let it go, and it runs out')
  await knex('inside').delete()
  await knex.raw('update pantry_jobs set lease_until = clock_timestamp()')
  await inside(second)
  t.match(await pantryProcess(['job', 'hold', '--root', root], skewed(-1)), { code: 1 })

  t.equal(await stopService(second), 0)
  t.equal(await pidInside(), undefined, 'its signal ended it')
  const [state] = (await knex('pantry_jobs')) as [object]
  t.match(state, { outcome: 'stopped', error_code: 'STOPPED', runs: 2, failures: 1, holder: null })
})

t.test('a job that ignores its signal does not keep its process', async t => {
  const root = rootIn(t, {
    'surfaces/jobs/deaf.js': `export default {
  every: '1 hour', deadline: 600, run: () => new Promise(() => { setInterval(() => {}, 1000) })
}
`
  })
  const service = await serving(t, root)
  await eventually(async () => {
    if ((await knex('pantry_jobs').where({ name: 'deaf', outcome: 'running' })).length === 0) throw new Error('not yet')
  })
  t.equal(await stopService(service), 0)
})

t.test('PANTRY_JOBS=off runs none, and `pantry job` runs one by hand', async t => {
  const root = rootIn(t, {
    'surfaces/jobs/good.js': "export default { every: '1 second', deadline: 5, run: async () => {} }\n",
    'surfaces/jobs/bad.js': `export default {
  every: 'day at 03:30', deadline: 5, run: async () => { throw Object.assign(new Error('hunter2'), { code: 'E_BAD' }) }
}
`
  })
  const env = { DATABASE_URL: url, LOG_LEVEL: 'silent' }
  await serving(t, root, { PANTRY_JOBS: 'off' })
  t.match(await pantry(['job', 'good', '--root', root], env), { code: 0, stdout: 'good: done\n' })
  t.match(await pantry(['job', 'bad', '--root', root], env), { code: 1, stderr: '`bad` failed: E_BAD\n' })
  const { stdout } = await pantry(['job', '--list', '--root', root, '--format', 'json'], env)
  t.match(JSON.parse(stdout), [
    { name: 'bad', every: 'day at 03:30', outcome: 'failed', error_code: 'E_BAD', runs: 1 },
    { name: 'good', outcome: 'done', runs: 1, failures: 0 }
  ])
  t.match((await pantry(['job', '--list', '--root', root], env)).stdout, /^bad +day at 03:30 +5 s +Failed with E_BAD/m)
  t.match(await pantry(['job', 'none', '--root', root], env), { code: 2, stderr: /There are: bad, good\./ })
  t.match(await pantry(['job', '--root', root], env), { code: 2, stderr: /Name one job, or give --list/ })
  t.match(await pantry(['serve', '--root', root], { ...env, PANTRY_JOBS: 'no' }), {
    code: 2,
    stderr: /PANTRY_JOBS must be on or off/
  })
})

t.test('a wrong file of a job is found by `pantry validate`', async t => {
  const root = rootIn(t, {
    'surfaces/jobs/half.js': "throw new Error('half written')\n",
    'surfaces/jobs/odd.js': "export default { every: 'often', deadline: 5, run: async () => {} }\n"
  })
  const { code, stdout } = await pantry(['validate', '--root', root])
  t.equal(code, 1)
  t.match(stdout, /jobs\/half\.js:1:1: error\[H106\]: The file cannot be imported: half written/)
  t.match(stdout, /jobs\/odd\.js:1:1: error\[H111\]: The job does not say how often it runs/)
})
