import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import type { Config } from '../../bin/config.ts'
import { openServices } from '../../bin/open-services.ts'
import { pantry } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { gazetteer, registryOf } from '../support/registry.ts'

const { database, url } = await testDatabase(t, 'empty')
const env = { DATABASE_URL: url, PORT: '0' }

/** A service with migrations and `service.yaml` alone. */
const folder = t.testdir()
for (const part of ['migrations', 'manifests/service.yaml'])
  cpSync(join(gazetteer, part), join(folder, part), { recursive: true })
const root = relative(process.cwd(), folder)
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

t.test('a table becomes a corpus, the corpus a list and a row, without a change of any file', async t => {
  t.match(await pantry(['table', 'places', '--root', root], env), {
    code: 0,
    stdout: `${join(root, 'corpora/places/corpus.yaml')}\n${join(root, 'corpora/places/schema.yaml')}\n`,
    stderr: /^Not served: words \(tsvector\)\.\nNext: [^]*pantry new rows places/
  })
  t.match(
    read('corpora/places/corpus.yaml'),
    /title: "Places of the island"\ntable: places\n[^]*\nkey: id\n[^]*roles: \{ title: name \}\n[^]*search: \{ column: words, language: simple \}\n$/
  )
  t.match(read('corpora/places/corpus.yaml'), /^license: NOASSERTION$/m, 'nobody has said that the rows may be reused')
  t.match(
    read('corpora/places/schema.yaml'),
    /  population: \{ type: \["integer","null"\], description: "Inhabitants at the last survey." \}\n/
  )
  t.equal((await pantry(['new', 'rows', 'places', '--root', root], env)).code, 0)
  t.equal((await pantry(['new', 'row', 'places/place', '--corpus', 'places', '--root', root], env)).code, 0)
  t.match(read('manifests/places/place.yaml'), /path: \/api\/v1\/places\/\{id\}\n/)
  t.match(
    read('manifests/places.yaml'),
    /\nsearch: true\n[^]*\nfilters: \[ name, kind \]\n/,
    'what has an index is offered'
  )
  t.match(
    read('manifests/places/place.yaml'),
    /title: A key that no row has[^]*id: ["']0["'][^]*status: 404/,
    'which rows the table has is not known here'
  )
  const { code, stdout, stderr } = await pantry(['validate', '--root', root], env)
  t.equal(code, 0, stdout + stderr)
  t.match(stderr, / 0 errors, 3 warnings/)
  t.equal(stdout.split('warning[M446]').length, 4, 'the source of the rows, and what each surface answers')
  t.match(JSON.parse((await pantry(['get', '/api/v1/places?q=hollow', '--root', root], env)).stdout), {
    data: { returned: 2, entries: [{ id: 2, name: 'Birch Hollow' }, { id: 5 }] }
  })
  t.match(JSON.parse((await pantry(['get', '/api/v1/places/1', '--root', root], env)).stdout), {
    data: { entry: { name: 'Ashport' } }
  })
})

t.test('what a list cannot offer yet is named with the migration that makes it possible', async t => {
  await database.bulk.raw(
    'create table boats (id integer primary key, name text, built date, metres integer); create index on boats (built); create view ships as select * from boats'
  )
  const told = async (name: string, wanted = env): Promise<string> => {
    const { code, stderr } = await pantry(['new', 'rows', name, '--dry-run', '--root', root], wanted)
    t.equal(code, 0, stderr)
    return stderr
  }
  for (const args of [['boats'], ['ships', '--key', 'id']])
    t.equal((await pantry(['table', ...args, '--root', root], env)).code, 0)
  const boats = await told('boats')
  t.match(boats, /No index: name, metres\. [^\n]*`create index on boats \(name\)` in a migration/)
  const [, statements = ''] = /No words are searched\. To change that, run `([^`]*)` in a migration/.exec(boats) ?? []
  await database.bulk.raw(statements)
  t.match(await pantry(['table', 'boats', '--corpus', 'fleet', '--dry-run', '--root', root], env), {
    stdout: /search: \{ column: words, language: simple \}/
  })
  t.match(await told('ships'), /`ships` is a view: name under `filters`/)
  t.match(
    await told('boats', { ...env, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }),
    /No filter and no order is proposed, because the database cannot be asked: /
  )
  await database.bulk.raw('drop view ships; drop table boats')
  t.match(await told('boats'), /because the database has no table `boats` yet/)
  for (const name of ['boats', 'ships']) rmSync(join(folder, 'corpora', name), { recursive: true })
})

t.test('a foreign key to the key of a corpus becomes a reference, and the list gets a filter for it', async t => {
  await database.bulk.raw(
    `create table piers (id integer primary key, code text unique, place bigint not null references places,
       beside integer references piers, owner text references piers (code), unique (id, place));
     create table boats (id integer primary key, pier integer references piers, place bigint, metres integer,
       foreign key (pier, place) references piers (id, place));
     create index on boats (pier);
     create index on boats (metres)`
  )
  const told = async (...args: readonly string[]): Promise<Readonly<Record<'stdout' | 'stderr', string>>> => {
    const { code, stdout, stderr } = await pantry([...args, '--root', root], env)
    t.equal(code, 0, stderr)
    return { stdout, stderr }
  }
  t.match(
    (await told('table', 'boats')).stderr,
    /`pier` names rows of `piers`, [^\n]*`pantry table piers`, then `pantry table boats --corpus boats --update`/
  )
  t.notMatch(read('corpora/boats/schema.yaml'), 'x-corpus')
  t.notMatch((await told('table', 'piers', '--license', 'CC0-1.0')).stderr, 'names rows of')
  const piers = read('corpora/piers/schema.yaml')
  t.match(
    piers,
    /  place: \{ type: "integer", x-corpus: "places" \}\n  beside: \{ type: \["integer","null"\], x-corpus: "piers" \}\n/
  )
  t.match(piers, /  owner: \{ type: \["string","null"\] \}\n/, 'it refers to another column than the key')
  await told('table', 'boats', '--update')
  t.match(read('corpora/boats/schema.yaml'), /  pier: \{ type: \["integer","null"\], x-corpus: "piers" \}\n/)
  t.match((await told('new', 'rows', 'boats', '--dry-run')).stdout, /\nfilters: \[ pier \]\n[^]*\nsort: \[ metres \]\n/)
  const { stdout } = await pantry(['validate', '--root', root], env)
  t.match(stdout, /boats\/schema\.yaml:\d+:\d+: warning\[C305\]: No surface shows one row of `piers` by its key\./)
  t.notMatch(stdout, 'one row of `places`')
  await database.bulk.raw('drop table boats, piers')
  for (const name of ['boats', 'piers']) rmSync(join(folder, 'corpora', name), { recursive: true })
})

t.test('nothing is overwritten, and what cannot be a corpus is told', async t => {
  const told = async (...args: readonly string[]): Promise<unknown> =>
    await pantry(['table', ...args, '--root', root], env)
  t.match(await told('places'), { code: 2, stderr: /there is corpora\/places\/corpus\.yaml/ })
  t.match(await told('nowhere'), { code: 2, stderr: /no table or view `nowhere`/ })
  t.match(await told('places; drop'), { code: 2, stderr: /must be a name/ })
  await database.bulk.raw(
    'create view named as select name, kind from places; create table odd ("a b" int, bytes bytea)'
  )
  t.match(await told('named'), { code: 2, stderr: /no primary key of one column: name a unique column with --key/ })
  t.match(await told('named', '--key', 'nam'), { code: 2, stderr: /no column `nam`/ })
  t.match(await told('named', '--key', 'name', '--dry-run'), {
    code: 0,
    stdout: /--- corpora\/named\/schema\.yaml\n[^]*kind: \{ type: \["string","null"\] \}/
  })
  t.notOk(existsSync(join(folder, 'corpora/named')), 'a dry run writes nothing')
  t.match(await told('odd', '--key', 'a b', '--dry-run'), { stderr: /Not served: a b \(its name\), bytes \(bytea\)/ })
  await database.bulk.raw('drop view named; drop table odd')
})

type Logged = Readonly<{ level: string; msg: string }>

/** What the log says of a start up to its first request. */
async function loggedAtStart(t: Test): Promise<readonly Logged[]> {
  const logged: Logged[] = []
  const note =
    (level: string) =>
    (facts: object, msg: string): unknown =>
      logged.push({ level, ...facts, msg })
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const { registry, roots } = await registryOf([folder])
  const config = { dataDir: '', databaseUrl: url } as Config
  const services = await openServices(roots, registry, config, log)
  t.teardown(() => services.close())
  await services.prepare(() => undefined)
  return logged
}

t.test('differences are told by migrate, doctor and serve, and taken over on request', async t => {
  await database.bulk.raw(
    'drop view harbours; alter table places alter column population type text; alter table places drop column notes; alter table places add area integer; alter table places alter column kind drop not null'
  )
  const told = /error\[D102\]: `places` has no column `notes`[^]*error\[D103\]|error\[D103\][^]*error\[D102\]/
  t.match(await pantry(['migrate', '--root', root], env), { code: 0, stderr: told })
  const logged = await loggedAtStart(t)
  t.match(
    logged.filter(({ level }) => level === 'error'),
    [
      { code: 'D103', msg: /^The column `population` is `text`/, fix: /pantry table places/ },
      { code: 'D102', msg: '`places` has no column `notes`.', fix: /\S/ }
    ],
    'serve names each difference, and goes on'
  )
  t.match(
    await pantry(['validate', '--root', root]),
    { code: 0, stdout: /^(?![^]*D10\d)/, stderr: /\nTables are compared with the database by `pantry doctor`\.\n$/ },
    'files alone cannot tell'
  )
  const doctor = JSON.parse((await pantry(['doctor', '--root', root, '--format', 'json'], env)).stdout) as object[]
  t.match(
    doctor.find(one => 'name' in one && one.name === 'tables'),
    { ok: false, detail: /D102[^]*notes/, fix: /pantry table places --corpus places --update/ }
  )
  writeFileSync(
    join(folder, 'corpora/places/schema.yaml'),
    read('corpora/places/schema.yaml').replace(
      'id: { type: "integer" }',
      'id: { type: "integer", description: Its number. }'
    )
  )
  t.match(await pantry(['table', 'places', '--update', '--root', root], env), {
    code: 0,
    stderr: /New in the table, and not served until you name them: area\.\nNo longer in the table: notes\.\n/
  })
  const schema = read('corpora/places/schema.yaml')
  t.match(schema, /  id: \{ type: "integer", description: "Its number\." \}\n/)
  t.match(
    schema,
    /  kind: \{ type: \["string","null"\] \}\n[^]*  population: \{ type: \["string","null"\], description/
  )
  t.notMatch(schema, /notes|area/)
  const after = await pantry(['migrate', '--root', root], env)
  t.notMatch(after.stderr, /D10[1-4]/)
})
