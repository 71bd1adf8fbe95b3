// test: slow.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import t from 'tap'
import { openApart, type BinaryFile } from '../../../bin/load/read-apart.ts'
import { pantry } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'
import { writeSqlite } from '../../support/sqlite-file.ts'

const folder = t.testdir()
const ample = { memory: 2 ** 32, silence: 120_000 }

const sqliteOf = (name: string, sql: string): string => writeSqlite(join(folder, name), sql)

function parquetOf(name: string, columns: Parameters<typeof parquetWriteBuffer>[0]['columnData']): string {
  const path = join(folder, name)
  writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData: columns })))
  return path
}

/** A Parquet file whose list of columns is made of these bytes. */
function parquetWith(name: string, columns: Buffer): string {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(columns.length)
  const path = join(folder, name)
  writeFileSync(path, Buffer.concat([Buffer.from('PAR1'), columns, size, Buffer.from('PAR1')]))
  return path
}

async function rowsOf(file: BinaryFile, limits = ample) {
  const opened = await openApart(file, limits)
  const readings = []
  for (let round = 0; round < 2; round++) {
    const rows = []
    for await (const row of opened.read()) rows.push(row)
    readings.push(rows)
  }
  return { opened, readings }
}

t.test('a file is read in another process as it is read here, each time from its start', async t => {
  const many = Array.from({ length: 1500 }, (_, at) => at)
  const parquet = parquetOf('towns.parquet', [
    { name: 'id', data: many, type: 'INT32' },
    { name: 'tags', data: many.map(at => [at, 'x']), type: 'JSON' }
  ])
  const sqlite = sqliteOf(
    'towns.sqlite',
    `create table towns (id integer, tags text, picture blob);
    with recursive n (i) as (select 0 union all select i + 1 from n where i < 1499) insert into towns select i, 'x', x'ff' from n`
  )
  for (const file of [
    { path: parquet, form: 'parquet', table: undefined },
    { path: sqlite, form: 'sqlite', table: 'towns' }
  ] as const) {
    const { opened, readings } = await rowsOf(file)
    t.equal(opened.declared.get('id')?.empty, file.form === 'parquet' ? 'integer' : 'bigint')
    for (const rows of readings) {
      t.equal(rows.length, 1500)
      t.strictSame(rows[1499], {
        line: 1500,
        values: new Map<string, unknown>([
          ['id', 1499],
          ['tags', file.form === 'parquet' ? [1499, 'x'] : 'x']
        ])
      })
    }
    t.strictSame([...opened.notes], file.form === 'parquet' ? [] : ['`picture` is not taken: it holds bytes.'])
  }
  await t.rejects(openApart({ path: sqlite, form: 'sqlite', table: 'town' }), {
    name: 'Error',
    message: /has no table `town`; did you mean `towns`/
  })
})

t.test('a file that never ends is left after a time without a row', async t => {
  const view = sqliteOf(
    'endless.sqlite',
    'create view v as with recursive n (i) as (select 1 union all select i + 1 from n) select i from n'
  )
  const limits = { ...ample, silence: 2000 }
  // A number to which each byte adds seven bits.
  const number = parquetWith('endless.parquet', Buffer.concat([Buffer.from([0x16]), Buffer.alloc(1 << 24, 0xff)]))
  await t.rejects(openApart({ path: number, form: 'parquet', table: undefined }, limits), {
    code: 'O409',
    message: /endless\.parquet is not read any further: no row came for 2 s\. It may be damaged/,
    fix: /smaller row groups, or as CSV/
  })
  await t.rejects(openApart({ path: view, form: 'sqlite', table: 'v' }, limits), {
    code: 'O409',
    message: /endless\.sqlite is not read any further: no row came/,
    fix: /sqlite3 -header -csv .*endless\.sqlite 'select \* from <table>'/
  })
})

t.test('a file that grows is left at the limit of memory, and the process goes on', async t => {
  // A list of 2^22 columns, each of one byte.
  const list = Buffer.concat([Buffer.from([0x29, 0xfc, 0x80, 0x80, 0x80, 0x02]), Buffer.alloc((1 << 22) + 1)])
  const columns = parquetWith('columns.parquet', list)
  await t.rejects(
    openApart({ path: columns, form: 'parquet', table: undefined }, { ...ample, memory: 100 * 2 ** 20 }),
    { code: 'O409', message: /columns\.parquet is not read any further: it takes more than 100 MiB/ }
  )
  const growing = sqliteOf(
    'growing.sqlite',
    `create view v as with recursive n (b) as (select randomblob(1000000) union select randomblob(1000000) from n)
    select count(*) as c from n`
  )
  await t.rejects(openApart({ path: growing, form: 'sqlite', table: 'v' }, { ...ample, memory: 300 * 2 ** 20 }), {
    code: 'O409',
    message: /growing\.sqlite is not read any further: it takes more than 300 MiB/
  })
})

t.test('the command loads what another process has read', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const path = sqliteOf('towns.db', 'create table towns (id integer); insert into towns values (1)')
  const ran = await pantry(['load', path, '--table', 'towns', '--key', 'id', '--no-migration'], {
    DATABASE_URL: url,
    PORT: '0'
  })
  t.equal(ran.code, 0, ran.stderr)
  t.strictSame(await database.bulk('towns').select('id'), [{ id: 1 }])
  t.match(await pantry(['explain', 'O409']), { code: 0, stdout: /more than 3 GiB/ })
})

/** Hides packages from processes that begin while `work` runs, as where they are not installed. */
async function without<T>(packages: string, work: () => Promise<T>): Promise<T> {
  const hook = `export const resolve = (name, context, next) => {
    if (!/^(?:${packages})(?:[/]|$)/.test(name)) return next(name, context)
    throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
  const url = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
  const hiding = ['--import', url(`import { register } from 'node:module'; register(${JSON.stringify(url(hook))})`)]
  const before = process.execArgv
  process.execArgv = [...before, ...hiding]
  try {
    return await work()
  } finally {
    process.execArgv = before
  }
}

t.test('a file needs the packages of its own form alone, and without them says what to install', async t => {
  const parquet = parquetOf('isles.parquet', [{ name: 'id', data: [1], type: 'INT32' }])
  const sqlite = sqliteOf('isles.sqlite', 'create table isles (id integer); insert into isles values (1)')
  const { url } = await testDatabase(t, 'empty')
  const load = (file: string): ReturnType<typeof pantry> =>
    pantry(['load', file, '--table', 'isles', '--dry-run', '--no-migration'], { DATABASE_URL: url })
  const [byParquet, bySqlite] = ['hyparquet|hyparquet-compressors', 'sql[.]js']
  t.match(await without(byParquet, () => load(sqlite)), { code: 0 })
  t.match(await without(bySqlite, () => load(parquet)), { code: 0 })
  for (const [packages, file] of [
    [byParquet, parquet],
    [bySqlite, sqlite]
  ] as const)
    t.match(await without(packages, () => load(file)), {
      code: 3,
      stderr: /error\[O406\]: .* what reads it is not installed\.\nRun: npm install --save-exact (?:hyparquet|sql\.js)@/
    })
  t.match(await without('node:worker_threads', () => load(sqlite)), {
    code: 3,
    stderr: /error\[O902\]: .*isles\.sqlite cannot be read: its reader ended \(1\)\.\nThis is a fault of Pantry/
  })
})
