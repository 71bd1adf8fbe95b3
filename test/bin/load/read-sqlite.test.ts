import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { openSqlite } from '../../../bin/load/read-sqlite.ts'
import { pantry, type Outcome } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'
import { gazetteer } from '../../support/registry.ts'
import { writeSqlite } from '../../support/sqlite-file.ts'

const folder = t.testdir()

const fileOf = (name: string, sql: string): string => writeSqlite(join(folder, name), sql)

async function rowsOf(path: string, table?: string) {
  const opened = await openSqlite(path, table)
  const rows = []
  for await (const row of opened.read()) rows.push('values' in row ? Object.fromEntries(row.values) : row)
  return { rows, notes: [...opened.notes] }
}

t.test('a value is taken as it is stored', async t => {
  const path = fileOf(
    'values.sqlite',
    `create table "a ""quoted"" table" (
      id integer primary key, "full ""name""" text, height real, big int, harbour boolean, picture blob, loose, code varchar(9));
    insert into "a ""quoted"" table" values
      (1, 'Ashport', 4.5, 9007199254740993, 1, x'00ff', 1.5, '007'),
      (2, 'a' || char(0) || 'b', 9e999, -5, 0, null, 'x', null),
      (3, cast(x'ff' as text), null, null, null, null, null, null),
      (4, 'Dunmere', null, null, null, null, x'01', null)`
  )
  const { rows, notes } = await rowsOf(path)
  const first = { id: 1, 'full "name"': 'Ashport', height: 4.5, big: '9007199254740993', harbour: true, loose: 1.5 }
  const second = { id: 2, 'full "name"': 'a\0b', height: null, big: -5, harbour: false, loose: 'x', code: null }
  t.strictSame(rows, [
    { ...first, code: '007' },
    second,
    { line: 3, reason: '`full "name"` is text in another encoding.' },
    { line: 4, reason: '`loose` holds bytes.' }
  ])
  t.strictSame(notes, ['`picture` is not taken: it holds bytes.', '`height`: infinity is null.'])
})

t.test('a table is named where there are several; views and tables without row ids are read too', async t => {
  const path = fileOf(
    'several.db',
    `create table towns (id integer, name text); insert into towns values (1, 'Ashport'), (2, 'Dunmere');
    create table codes (code text primary key, meaning text) without rowid; insert into codes values ('a', 'harbour');
    create view named as select name, upper(name) as loud from towns;
    create table doubled (size int, twice int generated always as (size * 2)); insert into doubled (size) values (4)`
  )
  await t.rejects(rowsOf(path), {
    message: /several\.db has 4 tables: name one with --from-table: `codes`, `doubled`, `named`, `towns`\.$/
  })
  await t.rejects(rowsOf(path, 'town'), { message: /has no table `town`; did you mean `towns`\?*\.$/ })
  t.strictSame((await rowsOf(path, 'codes')).rows, [{ code: 'a', meaning: 'harbour' }])
  t.strictSame((await rowsOf(path, 'named')).rows[1], { name: 'Dunmere', loud: 'DUNMERE' })
  t.strictSame((await rowsOf(path, 'doubled')).rows, [{ size: 4, twice: 8 }])
  await t.rejects(rowsOf(fileOf('none.sqlite', 'create table a (b); drop table a')), { message: /has no table/ })
  const broken = fileOf('broken.sqlite', `create table a (b); create view v as select missing from a`)
  await t.rejects(rowsOf(broken, 'v'), { message: /cannot be read as SQLite: no such column: missing/ })
})

t.test('texts of UTF-16 are read', async t => {
  for (const encoding of ['UTF-16le', 'UTF-16be']) {
    const path = fileOf(
      `${encoding}.sqlite`,
      `pragma encoding = '${encoding}'; create table a (b text); insert into a values ('Ærø 😀')`
    )
    t.strictSame((await rowsOf(path)).rows, [{ b: 'Ærø 😀' }], encoding)
  }
})

t.test('a file that is damaged, too large or still written is refused in words', async t => {
  const many = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) insert into a select i, 'row ' || i from n`
  const whole = readFileSync(fileOf('whole.sqlite', `create table a (id integer, b text); ${many}`))
  const changed = (change: (bytes: Buffer) => Buffer): string => {
    const path = join(folder, 'damaged.sqlite')
    writeFileSync(path, change(Buffer.from(whole)))
    return path
  }
  const cases: readonly (readonly [string, (bytes: Buffer) => Buffer, RegExp])[] = [
    ['empty', () => Buffer.alloc(0), /is no SQLite file/],
    ['of another form', () => Buffer.from('id,name\n'.repeat(50)), /is no SQLite file/],
    ['cut off', bytes => bytes.subarray(0, bytes.length - 4096), /is cut off: it has \d+ bytes of \d+\./],
    ['a page of ones', bytes => bytes.fill(0xff, 4096, 8192), /cannot be read as SQLite/],
    ['a list of tables of ones', bytes => bytes.fill(0xff, 100, 4096), /cannot be read as SQLite/]
  ]
  for (const [name, change, told] of cases) await t.rejects(rowsOf(changed(change)), { message: told }, name)
  const path = changed(bytes => bytes)
  writeFileSync(`${path}-wal`, 'changes')
  await t.rejects(rowsOf(path), { message: /damaged\.sqlite-wal has changes that are not in/ })
  writeFileSync(`${path}-wal`, '')
  const waiting = Buffer.from(whole)
  waiting[18] = waiting[19] = 2
  writeFileSync(path, waiting)
  t.equal((await rowsOf(path)).rows.length, 5000, 'a file in the mode of write-ahead logs')
  t.ok(readFileSync(path).equals(waiting), 'is not written')
  truncateSync(path, 2 ** 28 + 1)
  await t.rejects(rowsOf(path), { message: /has 257 MiB, and at most 256 MiB are read\. [^]*sqlite3 -header -csv / })
})

t.test('pantry load takes a table of an SQLite file, twice without doubles', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const root = relative(process.cwd(), gazetteer)
  const load = (...args: readonly string[]): Promise<Outcome> =>
    pantry(['load', ...args, '--root', root, '--no-migration', '--format', 'json'], { DATABASE_URL: url, PORT: '0' })
  const path = fileOf(
    'towns.sqlite',
    `create table towns (id integer primary key, name text, phone text, height real, founded date, seen datetime, picture blob);
    insert into towns values (1, 'Ashport', '0123', 4, '1612-05-01', '2026-03-01T10:00:00Z', x'01'),
      (9007199254740993, 'Dunmere', '42', 0.1 + 0.2, '1688-09-14', null, x'02');
    create table other (id integer)`
  )
  const named = ['--from-table', 'towns', '--table', 'stored', '--key', 'id']
  const { code, stdout, stderr } = await load(path, ...named)
  t.equal(code, 0, stderr)
  t.match(JSON.parse(stdout), {
    inserted: 2,
    notes: ['`picture` is not taken: it holds bytes.'],
    columns: [
      { name: 'id', type: 'bigint' },
      { name: 'name', type: 'text' },
      { name: 'phone', type: 'text' },
      { name: 'height', type: 'double precision' },
      { name: 'founded', type: 'date' },
      { name: 'seen', type: 'timestamp with time zone' }
    ]
  })
  t.match(JSON.parse((await load(path, ...named)).stdout), { inserted: 0, updated: 2 })
  const { rows } = await database.bulk.raw<{ rows: unknown[] }>(
    'select id::text, phone, height from stored order by stored.id'
  )
  t.strictSame(rows, [
    { id: '1', phone: '0123', height: 4 },
    { id: '9007199254740993', phone: '42', height: 0.30000000000000004 }
  ])
  t.match(await load(path, '--table', 'stored', '--key', 'id'), { code: 2, stderr: /2 tables: name one/ })
})
