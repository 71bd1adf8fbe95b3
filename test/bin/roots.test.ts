import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import type { Config } from '../../bin/config.ts'
import { openServices } from '../../bin/open-services.ts'
import { projectFolder, resolveRoots, workedOn } from '../../bin/project.ts'
import { joinMigrations } from '../../bin/root-modules.ts'
import { loadRoots, type LoadedRoot } from '../../bin/roots.ts'
import { migrate, migrationStatus } from '../../core/database/migrations.ts'
import type { Health as RootHealth } from '../../core/database/root-services.ts'
import type { Callers } from '../../core/access/access.ts'
import type { Registry } from '../../core/registry/registry.ts'
import { testDatabase } from '../support/database.ts'

const withoutCorpora = Object.assign(Object.create(null) as Registry, { corpora: new Map() })

const noLog = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** A root that brings nothing. */
const bare: LoadedRoot = {
  name: 'a',
  folder: '',
  handlers: new Map(),
  handlerFiles: new Map(),
  problems: [],
  table: new Map(),
  openServices: undefined,
  settings: undefined,
  hooks: {},
  migrations: [],
  jobs: []
}

/** Files below a new folder. */
function filesIn(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const step = (table: string): string =>
  `export const up = knex => knex.schema.createTable('${table}', table => { table.integer('value') })\nexport const down = knex => knex.schema.dropTable('${table}')\n`

t.test('the roots of a project are folders and installed packages, as its package.json lists them', async t => {
  const project = filesIn(t.testdir(), {
    'package.json': JSON.stringify({ type: 'module', pantry: { roots: ['.', 'birds'] } }),
    'manifests/service.yaml': '',
    'migrations/0001_trees.js': step('trees'),
    'deep/er/file.txt': '',
    'birds/manifests/birds.yaml': '',
    'node_modules/birds/package.json': JSON.stringify({ name: 'birds', type: 'module' }),
    'node_modules/birds/manifests/birds.yaml': '',
    'node_modules/birds/migrations/0001_trees.js': step('birds')
  })
  const before = process.cwd()
  t.teardown(() => {
    process.chdir(before)
  })
  process.chdir(join(project, 'deep', 'er'))
  t.equal(projectFolder(), process.cwd().replace('/deep/er', ''))
  t.match(
    resolveRoots([]).map(({ package: name }) => name),
    [undefined, 'birds']
  )
  t.match(
    resolveRoots(['birds', '../../birds']).map(({ package: name }) => name),
    ['birds', undefined],
    'a path is a folder, also where a package has its name'
  )
  t.equal(workedOn([]), process.cwd().replace('/deep/er', ''), 'what is new is written to no package')
  t.match(resolveRoots(['pantry/keys']), [{ folder: /core\/keys$/, package: 'pantry/keys' }])
  const migrations = joinMigrations(await loadRoots([]))
  t.strictSame(
    migrations.map(({ name }) => name),
    ['pantry/0003_idempotency', '0001_trees', 'birds/0001_trees'],
    'the steps of a package have its name in front, those of the framework come first'
  )

  const {
    database: { bulk }
  } = await testDatabase(t, 'empty')
  t.strictSame(await migrate(bulk, migrations), ['pantry/0003_idempotency', '0001_trees', 'birds/0001_trees'])
  t.strictSame(
    await migrationStatus(bulk, migrations.slice(2)),
    { done: ['pantry/0003_idempotency', '0001_trees', 'birds/0001_trees'], pending: [], unknown: [] },
    'steps of a root that is not loaded are left alone'
  )
  t.strictSame(await migrate(bulk, migrations.slice(2)), [])
  writeFileSync(join(project, 'package.json'), JSON.stringify({ pantry: { roots: [] } }))
  t.throws(() => resolveRoots([]), /must be a list of folders and package names/)
})

t.test('two roots with a step or a service of one name are refused, and both are named', async t => {
  const migrations = [{ name: '0001_trees', load: () => Promise.reject(new Error('never')) }]
  t.throws(
    () =>
      joinMigrations([
        { ...bare, migrations },
        { ...bare, name: 'b', migrations }
      ]),
    /`a` and `b` both have a migration `0001_trees`/
  )
  const [closed, registry, config] = [[] as string[], withoutCorpora, { dataDir: '' } as Config]
  const open = (name: string): LoadedRoot => ({
    ...bare,
    name,
    openServices: () => ({
      services: { clock: name },
      close: () => {
        closed.push(name)
        return Promise.resolve()
      }
    })
  })
  await t.rejects(
    openServices([open('a'), open('b')], registry, config, noLog),
    /`a` and `b` both have a service `clock`/
  )
  t.strictSame(closed, ['a', 'b'], 'what was opened is closed')
  const find =
    (id: string) =>
    ({ key }: Readonly<{ key?: string }>) =>
      Promise.resolve(key === id ? { credential: 'bearer', id, grants: [] } : undefined)
  const calling = (name: string): LoadedRoot => ({
    ...bare,
    name,
    openServices: () => ({ services: { callers: { find: find(name) } } })
  })
  const { services } = await openServices([calling('a'), calling('b')], registry, config, noLog)
  const { callers } = services as Readonly<{ callers: Callers }>
  t.match(await callers.find({ key: 'b' }, new Date()), { id: 'b' }, 'callers of several roots are joined')
  const job: LoadedRoot['jobs'][number] = {
    name: 'sweep',
    job: { every: '1 hour', deadline: 1, run: () => Promise.resolve() }
  }
  await t.rejects(
    openServices(
      [
        { ...bare, jobs: [job] },
        { ...bare, name: 'b', jobs: [job] }
      ],
      registry,
      config,
      noLog
    ),
    /`a` and `b` both have a job `sweep`/
  )
})

t.test('a root that does not say how it is holds up no other, and is asked again when it has answered', async t => {
  const said: RootHealth = { status: 'ok', detail: 'It goes.' }
  let answer: (health: Readonly<Record<string, RootHealth>>) => void = () => undefined
  let times = 0
  const telling = (name: string, health: () => Promise<Readonly<Record<string, RootHealth>>>): LoadedRoot => ({
    ...bare,
    name,
    openServices: () => ({ services: {}, health })
  })
  const told: string[] = []
  const log = { ...noLog, error: (_facts: object, message: string) => told.push(message) }
  const silent = telling('silent', () => {
    times += 1
    return times === 2 ? new Promise(resolve => (answer = resolve)) : Promise.resolve({ tide: said })
  })
  const throwing = telling('throwing', () => {
    throw new Error('no clock')
  })
  const roots = [silent, throwing, telling('well', () => Promise.resolve({ clock: said }))]
  const services = await openServices(roots, withoutCorpora, { dataDir: '' } as Config, log)
  // As the server of a service does, it keeps the process.
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(async () => {
    clearInterval(alive)
    await services.close()
  })
  const unsaid = { status: 'degraded', detail: 'They do not say how they are.' }
  const others = { 'services:throwing': unsaid, clock: said }
  t.strictSame(await services.health(), { tide: said, ...others })
  for (let turn = 0; turn < 2; turn += 1)
    t.strictSame(await services.health(), { 'services:silent': unsaid, tide: said, ...others })
  t.equal(times, 2, 'no other look while one is not done')
  t.strictSame(
    told.sort(),
    ['silent', 'throwing'].map(name => `The services of \`${name}\` do not say how they are.`)
  )
  answer({})
  await setImmediate()
  t.strictSame(await services.health(), { tide: said, ...others })
})

t.test('one database is opened for all roots, and none when no root asks', async t => {
  const { url } = await testDatabase(t, 'empty')
  const seen: unknown[] = []
  const asking = (name: string): LoadedRoot => ({
    ...bare,
    name,
    openServices: async ({ database }) => {
      seen.push(await database())
      return { services: { [name]: 1 } }
    }
  })
  const [registry, config] = [withoutCorpora, { databaseUrl: url, dataDir: '' } as Config]
  const services = await openServices([asking('a'), asking('b')], registry, config, noLog)
  t.equal(seen[0], seen[1])
  t.match(Object.keys(await services.health()), ['database'])
  await services.close()
  const without = await openServices([bare], registry, { dataDir: '/nowhere' } as Config, noLog)
  await without.prepare(() => undefined)
  t.strictSame(await without.health(), {})
  await without.close()
})

t.test('code that is not compiled names the package manager of its project', async t => {
  const files = { 'manifests/service.yaml': '', 'surfaces/handlers/tides.ts': 'export default 1\n' }
  const folder = filesIn(t.testdir(), {
    'package.json': JSON.stringify({ type: 'module', scripts: { build: 'tsc' } }),
    ...files,
    'pnpm-lock.yaml': '',
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`beside/${name}`, text])),
    'beside/package.json': JSON.stringify({ packageManager: 'yarn@1.22.22', scripts: { build: 'tsc' } }),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`plain/${name}`, text])),
    'plain/package.json': '{}'
  })
  const hints = async (name: string): Promise<unknown> =>
    (await loadRoots([name])).flatMap(({ problems }) => problems.map(({ code, hint }) => [code, hint]))
  t.same(await hints(folder), [['H106', 'Run `pnpm run build`.']])
  t.same(await hints(join(folder, 'beside')), [['H106', 'Run `yarn run build`.']])
  t.same(await hints(join(folder, 'plain')), [['H106', 'Run `npx pantry build`.']], 'without such a script')
})
