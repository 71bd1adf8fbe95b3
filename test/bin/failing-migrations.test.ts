import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run } from '../../bin/commands/run.ts'
import { eventually } from '../support/eventually.ts'
import { capture, libraryIn, pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { faultProxy } from '../support/fault-proxy.ts'

const { url } = await testDatabase(t, 'empty')
const env = { DATABASE_URL: url, PORT: '0' }
const steps = (up: string): string =>
  `export async function up (knex) { ${up} }\nexport async function down (knex) { await knex.raw('select 1/0') }\n`

/** A root with one migration. */
function rootWith(t: Test, name: string, text: string): string {
  const root = libraryIn(t.testdir())
  mkdirSync(join(root, 'migrations'))
  writeFileSync(join(root, 'migrations', `${name}.js`), text)
  return root
}

const noStack = /^ +at /m

t.test('a migration that fails is named with its file, its state and the words of the server', async t => {
  for (const [name, up, words] of [
    ['0001_bees_1', "await knex.raw('select 1/0')", /0001_bees_1` failed with SQLSTATE 22012: division by zero\n/],
    [
      '0001_bees_2',
      "await knex.raw('slect 1')",
      /0001_bees_2` failed with SQLSTATE 42601: syntax error at or near "slect"\n/
    ],
    ['0001_bees_3', 'knex.hive()', /0001_bees_3` failed: knex\.hive is not a function\n/],
    [
      '0001_bees_4',
      "await knex.raw('set local statement_timeout = 1'); await knex.raw('select pg_sleep(9)')",
      /SQLSTATE 57014: cancel/
    ]
  ] as const) {
    const root = rootWith(t, name, steps(up))
    const { code, stdout, stderr } = await pantry(['migrate', '--root', root], env)
    t.equal(code, 3, up)
    t.equal(stdout, '')
    t.match(stderr, words)
    t.match(stderr, `error[O301]: ${join(root, 'migrations', `${name}.js`)}: the migration`)
    t.notMatch(stderr, noStack)
  }
})

t.test('of one that runs outside of a transaction is told that what it did stays', async t => {
  const root = rootWith(
    t,
    '0001_bees_5',
    `export const config = { transaction: false }
    ${steps("await knex.raw('create table hives (id int)'); await knex.raw('select 1/0')")}`
  )
  const { code, stderr } = await pantry(['migrate', '--root', root], env)
  t.equal(code, 3)
  t.match(stderr, /0001_bees_5\.js: the migration `0001_bees_5` failed with SQLSTATE 22012: division by zero\n/)
  t.match(stderr, 'what it did before the fault stays')
  t.notMatch(stderr, 'nothing of it was kept')
})

t.test('a config that knex does not have is found by validate', async t => {
  const configs = ['{ transaction: "no" }', '{ transactions: false }', 'false', '{}', '{ transaction: false }']
  for (const [index, config] of configs.entries()) {
    const root = rootWith(t, `0001_gnats_${index}`, `export const config = ${config}\n${steps('')}`)
    const refusal = /0001_gnats_\d\.js.*H106.*exports a `config` other than/
    t.equal(refusal.test((await pantry(['validate', '--root', root])).stdout), index < 4, config)
  }
})

t.test('taking it back is named too', async t => {
  const root = rootWith(t, '0001_ants', steps(''))
  t.match(await pantry(['migrate', '--root', root], env), { code: 0 })
  t.match(await pantry(['migrate', 'down', '--root', root], env), {
    code: 3,
    stderr: /0001_ants\.js: the migration `0001_ants` failed with SQLSTATE 22012/
  })
})

t.test('a file that cannot be imported is named before anything runs, and found by validate', async t => {
  const { url } = await testDatabase(t, 'empty')
  const root = rootWith(t, '0001_wasps', "throw new Error('no nest')\n")
  const file = join(root, 'migrations', '0001_wasps.js')
  t.match(await pantry(['migrate', '--root', root], { ...env, DATABASE_URL: url }), {
    code: 3,
    stderr: `error[O302]: ${file}: the migration \`0001_wasps\` cannot be imported: no nest\n`
  })
  t.match(await pantry(['validate', '--root', root]), {
    code: 1,
    stdout: `${file}:1:1: error[H106]: The file cannot be imported: no nest\n`
  })
  const stepless = rootWith(t, '0001_flies', 'export async function up () {}\n')
  t.match(await pantry(['validate', '--root', stepless]), { code: 1, stdout: /0001_flies\.js.*H106.*`down`/ })
  t.match(await pantry(['migrate', '--root', stepless], { ...env, DATABASE_URL: url }), {
    code: 3,
    stderr: /error\[O302\]: .*0001_flies\.js.* does not export `down`\n/
  })
  t.match(await pantry(['doctor', '--root', stepless], { ...env, DATABASE_URL: url }), {
    code: 3,
    stdout: /^manifests +failed +1 error\.$[^]*^migrations +failed/m
  })
})

t.test('SQL that is named as a migration is found, unless code of that name may read it', async t => {
  const root = rootWith(t, '0001_bats', steps(''))
  for (const file of ['0001_bats.sql', '0002_owls.sql', 'notes.sql'])
    writeFileSync(join(root, 'migrations', file), 'select 1;\n')
  const { code, stdout } = await pantry(['validate', '--root', root])
  t.equal(code, 0)
  t.match(stdout, `${join(root, 'migrations', '0002_owls.sql')}:1:1: warning[H116]: The file is not run.\n`)
  t.equal(stdout.split('H116').length, 2, 'and nothing else')
})

t.test('a service does not start with a migration that fails', async t => {
  const { url } = await testDatabase(t, 'empty')
  const root = rootWith(t, '0001_moths', steps("await knex.raw('select 1/0')"))
  t.match(await pantry(['serve', '--root', root], { ...env, DATABASE_URL: url }), {
    code: 3,
    stdout: '',
    stderr: /"code":"O301".*0001_moths.* SQLSTATE 22012/
  })
})

t.test('a service whose database comes later ends with the migration that fails', async t => {
  const { url } = await testDatabase(t, 'empty')
  const [, user = '', folder = '', port = '', name = ''] = /\/\/(.*)@(.*):(\d+)\/(.*)$/.exec(url) ?? []
  const proxy = await faultProxy(t, { path: join(decodeURIComponent(folder), `.s.PGSQL.${port}`) })
  await proxy.set({ down: true })
  const root = rootWith(t, '0001_mites', steps("await knex.raw('select 1/0')"))
  const { io, stdout, stderr } = capture({
    ...env,
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${proxy.port}/${name}`
  })
  const ended = run(['serve', '--root', root, '--port', '0'], io)
  await eventually(() => {
    if (!stdout().includes('listening on') || !stderr().includes('cannot be prepared yet')) throw new Error(stderr())
  })
  await proxy.set({})
  t.equal(await ended, 3)
  t.match(
    stderr(),
    /"code":"O301".*0001_mites\.js: the migration `0001_mites` failed with SQLSTATE 22012: division by zero"/
  )
})
