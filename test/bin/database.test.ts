// test: long. Commands in processes of their own, each with a server of PostgreSQL.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { library, pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { scratchFolder } from '../support/scratch.ts'

const { database, url } = await testDatabase(t, 'empty')
const env = { DATABASE_URL: url, PORT: '0' }
const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing', PORT: '0' }

type Finding = Readonly<{ name: string; ok: boolean; fix: string }>
const findings = (text: string): Map<string, Finding> =>
  new Map((JSON.parse(text) as Finding[]).map(finding => [finding.name, finding]))

t.test('migrations run once, are told, and can be taken back', async t => {
  const status = async (): Promise<unknown> =>
    JSON.parse((await pantry(['migrate', 'status', '--format', 'json'], env)).stdout)
  const states = (state: string): readonly object[] => [
    { migration: 'pantry/0001_jobs', state },
    { migration: 'pantry/0003_idempotency', state },
    { migration: '0030_cards' }
  ]
  t.match(await status(), states('pending'))
  t.match(await pantry(['migrate'], env), {
    code: 0,
    stdout: /^MIGRATION +STATE\npantry\/0001_jobs +applied\npantry\/0003_idempotency +applied\n0030_cards +applied\n/
  })
  t.match(await pantry(['migrate'], env), { code: 0, stdout: '', stderr: /nothing to do\n$/ })
  t.match(await status(), states('done'))
  t.match(await pantry(['migrate', 'down'], env), { code: 0, stdout: /taken back/ })
})

t.test('the doctor says what is wrong and what to do, and is content when it is done', async t => {
  const before = await pantry(['doctor'], env)
  t.match(before, { code: 3, stdout: /migrations +failed +Not yet run: [^]*\nmigrations: Run `pantry migrate`/ })
  await pantry(['migrate'], env)
  const after = await pantry(['doctor', '--root', library, '--format', 'json'], env)
  t.equal(after.code, 0, after.stdout)
  for (const name of ['node', 'clock', 'manifests', 'port', 'server', 'migrations'])
    t.match(findings(after.stdout).get(name), { ok: true, fix: '' }, name)
})

t.test('code that is older than its database allows does not start, and names what it does not know', async t => {
  const words = 'The database was used by a newer Pantry, or with other roots: 0099_future is not known here.'
  const backup = join(scratchFolder(t), 'pantry.backup')
  t.match(await pantry(['backup', backup], env), { code: 0 })
  await database.knex('schema_migrations').insert({ name: '0099_future', batch: 99, migration_time: new Date() })
  t.match(await pantry(['serve'], env), { code: 3, stdout: '', stderr: words })
  t.match(await pantry(['migrate'], env), { code: 3, stdout: '', stderr: words })
  const { code, stdout } = await pantry(['doctor', '--format', 'json'], env)
  t.equal(code, 3)
  t.match(findings(stdout).get('migrations'), { ok: false, detail: words, fix: /knows/ })
  t.match(
    await pantry(['restore', '--replace', backup], env),
    { code: 3, stderr: /into an empty database/ },
    'a backup takes the place of rows, not of what is not known'
  )
  t.match(
    await pantry(['migrate', 'status'], env),
    { code: 0, stdout: /0099_future +done/ },
    'what is there can be looked at'
  )
  await database.knex('schema_migrations').where({ name: '0099_future' }).delete()
  t.match(await pantry(['migrate'], env), { code: 0, stdout: '' })
})

t.test('a server that is not there is trouble of the environment', async t => {
  t.match(await pantry(['migrate', 'status'], nowhere), {
    code: 3,
    stdout: '',
    stderr: /\nerror\[O101\]: The database server does not answer: [^\n]*ECONNREFUSED/
  })
  const { code, stdout } = await pantry(['doctor', '--root', library, '--format', 'json'], nowhere)
  t.equal(code, 3)
  t.match(findings(stdout).get('server'), { ok: false, fix: /DATABASE_URL/ })
  t.match(findings(stdout).get('manifests'), { ok: true }, 'the other checks still run')
})

t.test('an import is told as a run; a dry one writes nothing', async t => {
  const source = 'pokemon-tcg-pocket-database'
  const { code, stdout, stderr } = await pantry(['import', source, '--dry-run', '--format', 'json'], env)
  t.equal(code, 0, stderr)
  const [run] = JSON.parse(stdout) as {
    source: string
    read: number
    written: number
    unchanged: number
    quarantined: number
  }[]
  t.match(run, { source, unchanged: 0 })
  t.ok(run !== undefined && run.read > 1000)
  t.equal((run?.written ?? 0) + (run?.quarantined ?? 0), run?.read)
  t.match(stderr, new RegExp(`${source}: 100 %[^]*dry run: nothing was written\\n$`))
  t.equal((await database.knex('cards').select('sku')).length, 0)
})

t.test('what must not be read is 2, before the folder or the database is looked at', async t => {
  for (const source of [
    'japanese-card-shop',
    'collector-database-aggregator',
    'us-marketplace',
    'european-marketplace'
  ]) {
    t.match(
      await pantry(['import', source, '--from', '.'], nowhere),
      { code: 2, stdout: '', stderr: /its access is `(blocked|planned)`/ },
      source
    )
  }
  t.match(await pantry(['import', 'swccg-card-json', '--from', '.'], nowhere), {
    code: 2,
    stderr: /condition of its upstream is open: Notify[^]*--conditions-met/
  })
  t.match(await pantry(['import', 'swu-json'], nowhere), { code: 2, stderr: /name its folder with `--from`/ })
})

t.test('a dry run of a folder shows fields, examples and what was refused', async t => {
  const folder = scratchFolder(t)
  mkdirSync(join(folder, 'pack'))
  writeFileSync(
    join(folder, 'packs.json'),
    JSON.stringify([{ code: 'core', name: 'Core Set', date_release: '2014-10-03' }])
  )
  writeFileSync(
    join(folder, 'pack', 'core.json'),
    JSON.stringify(
      [10, 10, 12].map((position, index) => ({
        code: `0101${index}`,
        pack_code: 'core',
        position,
        title: `Card ${index}`
      }))
    )
  )
  const { code, stdout, stderr } = await pantry(
    ['import', 'conquest-cards-json', '--from', folder, '--conditions-met', '--dry-run'],
    env
  )
  t.equal(code, 0, stderr)
  t.match(stdout, /^conquest-cards-json: 3 rows in 1 file, 3 mapped, 0 not\n/)
  t.match(stdout, /  released_on +3 +100\.0 % +1 +2014-10-03/)
  t.match(stdout, /! +illustrators +0 +0\.0 %[^]*! +illustrators +no row has it/)
  t.match(stdout, /01010 +whc-core-10-en +Card 0/)
  t.match(stdout, /Another row of this source has the same SKU\. +1 +01011 +01010 +whc-core-10-en/)
  t.equal((await database.knex('runs').select('id')).length, 0)
})

t.test('a source that is not there is 2, before the database is touched', async t => {
  t.match(await pantry(['import', 'nothing'], nowhere), {
    code: 2,
    stdout: '',
    stderr: /There is no source `nothing`. Sources: .*pokemon-tcg-pocket-database/
  })
  t.match(await pantry(['import', '--from', '.'], nowhere), { code: 2, stderr: /name that source/ })
  t.match(await pantry(['import', 'pokemon-tcg-pocket-database', '--from', 'no/such/folder'], nowhere), {
    code: 2,
    stderr: /There is no folder `no\/such\/folder`/
  })
})
