import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { ColumnType, misfit } from '../../bin/load/column-types.ts'
import { migrationsOf } from '../../bin/roots.ts'
import { migrationStatus } from '../../core/database/migrations.ts'
import { describeTable } from '../../core/database/tables/describe.ts'
import { pantry, type Outcome } from '../support/command-line.ts'
import { testDatabase } from '../support/database.ts'
import { migrateRoot } from '../support/migrate-root.ts'
import { gazetteer } from '../support/registry.ts'

const { database, url } = await testDatabase(t, 'empty')
const { bulk } = database
const env = { DATABASE_URL: url, PORT: '0' }
const folder = t.testdir()
for (const part of ['migrations', 'manifests/service.yaml'])
  cpSync(join(gazetteer, part), join(folder, part), { recursive: true })
const root = relative(process.cwd(), folder)

const fileOf = (name: string, text: string | Buffer): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const load = (file: string, ...args: readonly string[]): Promise<Outcome> =>
  pantry(['load', file, '--root', root, '--format', 'json', ...args], env)

const rowsOf = async (table: string, key = 'id'): Promise<readonly Record<string, unknown>[]> =>
  await bulk(table).orderBy(key).select<Record<string, unknown>[]>()

const towns = `id,Town name,Post code,lat,height,founded,seen at,harbour,remark
1,Ashport,01234,4.5,12,1612-05-01,2026-03-01T10:00:00Z,true,"a ""quoted"", cell
with a line"
2,Dunmere,12345,-0.25,,1688-09-14,2026-03-02T10:00:00+02:00,false,\\N and a\ttab
`

t.test('a file becomes a table with a type for each column', async t => {
  const file = fileOf('towns.csv', `\ufeff${towns}`)
  const dry = await load(file, '--table', 'towns', '--key', 'id', '--dry-run')
  t.equal(dry.code, 0, dry.stderr)
  t.match(JSON.parse(dry.stdout), {
    created: true,
    left_out: 0,
    columns: [
      { name: 'id', type: 'integer', nulls: 0, example: '1' },
      { name: 'town_name', type: 'text' },
      { name: 'post_code', type: 'text', example: '01234' },
      { name: 'lat', type: 'double precision' },
      { name: 'height', type: 'integer', nulls: 1 },
      { name: 'founded', type: 'date' },
      { name: 'seen_at', type: 'timestamp with time zone' },
      { name: 'harbour', type: 'boolean' },
      { name: 'remark', type: 'text' }
    ]
  })
  t.notOk(await bulk.schema.hasTable('towns'), 'a dry run writes nothing')
  t.notOk(await bulk.schema.hasTable('places'), 'and runs no migration')
  const done = await load(file, '--table', 'towns', '--key', 'id', '--search', 'town_name,remark', '--index', 'lat')
  t.match(JSON.parse(done.stdout), {
    created: true,
    inserted: 2,
    updated: 0,
    repeated: 0,
    left_out: 0,
    migration: join(root, 'migrations/0002_towns.js')
  })
  t.match(done.stderr, /0002_towns\.js makes the table in other databases/)
  t.match(done.stderr, /2 rows are new in `towns`[^]*pantry table towns/)
  t.match(await rowsOf('towns'), [
    { id: 1, post_code: '01234', seen_at: '2026-03-01T10:00:00.000Z', remark: 'a "quoted", cell\nwith a line' },
    { id: 2, lat: -0.25, height: null, founded: '1688-09-14', harbour: false, remark: '\\N and a\ttab' }
  ])
  t.equal((await pantry(['table', 'towns', '--root', root], env)).code, 0, 'it can be declared as it is')
})

t.test('the migration of a new table makes the same table in another database', async t => {
  const { done, pending } = await migrationStatus(bulk, migrationsOf([root]))
  t.same([done.slice(-2), pending], [['0001_places', '0002_towns'], []])
  const other = await testDatabase(t, 'empty')
  await migrateRoot(other.database.bulk, root)
  t.same(await describeTable(other.database.bulk, 'towns'), await describeTable(bulk, 'towns'))
})

t.test('a new table has no migration where none is wanted, or no row was loaded', async t => {
  const there = readdirSync(join(folder, 'migrations'))
  const file = fileOf('spare.csv', 'id\n1\n')
  t.equal((await load(file, '--table', 'spare', '--key', 'id', '--no-migration')).code, 0)
  t.equal((await load(fileOf('twice.csv', 'id,n\n1,\\u0000\n'), '--table', 'no_schema.spare', '--key', 'id')).code, 3)
  t.same(readdirSync(join(folder, 'migrations')), there)
})

t.test('a second load takes over what has changed, by the key', async t => {
  const file = fileOf('more.csv', 'id,town_name\n2,Dun Mere\n3,Cold Well\n3,Cold Wells\n')
  t.match(JSON.parse((await load(file, '--table', 'towns', '--key', 'id')).stdout), {
    created: false,
    inserted: 1,
    updated: 1,
    repeated: 1
  })
  t.match(await rowsOf('towns'), [
    { town_name: 'Ashport' },
    { town_name: 'Dun Mere', post_code: '12345' },
    { town_name: 'Cold Wells', post_code: null }
  ])
  t.match(JSON.parse((await load(file, '--table', 'towns', '--key', 'id')).stdout), { inserted: 0, updated: 2 })
  t.match(JSON.parse((await load(file, '--table', 'towns', '--key', 'id', '--replace')).stdout), { inserted: 2 })
  t.equal((await rowsOf('towns')).length, 2)
})

t.test('several columns are one key, by which rows take the place of others', async t => {
  const head = 'trip_id,stop_sequence,stop_id'
  const file = fileOf('stop_times.csv', `${head}\na,1,x\na,2,y\nb,1,x\nb,,x\n,1,x\n`)
  const first = await load(file, '--table', 'stop_times', '--key', 'trip_id, stop_sequence')
  t.equal(first.code, 1, first.stderr)
  t.match(JSON.parse(first.stdout), {
    inserted: 3,
    reasons: [
      { line: 5, reason: 'The key `stop_sequence` is empty.' },
      { line: 6, reason: 'The key `trip_id` is empty.' }
    ]
  })
  const described = await describeTable(bulk, 'stop_times')
  t.same(described?.key, ['id'], 'a surface names a row by its number')
  t.match(
    described?.columns.map(({ name, isNullable }) => [name, isNullable]),
    [
      ['id', false],
      ['trip_id', false],
      ['stop_sequence', false],
      ['stop_id', true]
    ]
  )
  const more = fileOf('stop_times.csv', `${head}\nb,1,z\nb,1,zz\nc,1,x\n`)
  for (const key of [
    ['--key', 'trip_id,stop_sequence'],
    ['--key', 'stop_sequence', '--key', 'trip_id']
  ])
    t.match(await load(more, '--table', 'stop_times', ...key), { code: 0 })
  t.match(await bulk('stop_times').orderBy(['trip_id', 'stop_sequence']).select('id', 'trip_id', 'stop_id'), [
    { id: 1, stop_id: 'x' },
    { id: 2, stop_id: 'y' },
    { id: 3, trip_id: 'b', stop_id: 'zz' },
    { trip_id: 'c' }
  ])
  t.match(await load(more, '--table', 'stop_times', '--key', 'trip_id,stop_id'), {
    code: 2,
    stderr: /Nothing keeps `trip_id, stop_id` unique in `stop_times`/
  })
  t.match(await load(more, '--table', 'other_times', '--key', 'trip_id,stop_sequenc'), {
    code: 2,
    stderr: /no column `stop_sequenc`; did you mean `stop_sequence`/
  })
  t.equal((await pantry(['table', 'stop_times', '--root', root, '--dry-run'], env)).code, 0)
})

t.test('several columns are the primary key where the file has a column that is called as the number is', async t => {
  const file = fileOf('names.csv', 'id,lang,name\n1,en,Ash\n1,de,Esche\n')
  const { code, stderr } = await load(file, '--table', 'names', '--key', 'id,lang', '--no-migration')
  t.equal(code, 0, stderr)
  t.same((await describeTable(bulk, 'names'))?.key, ['id', 'lang'])
  t.notMatch(stderr, /pantry table/, 'it cannot be declared without one more column')
  t.match(await load(file, '--table', 'names', '--key', 'id,lang'), { code: 0, stderr: /2 took the place/ })
})

t.test('a type that is stated is that of the column, and a value beyond it is left out', async t => {
  const file = fileOf('codes.csv', 'Stop code,fare,seen,name\n17,1.50,2026-03-01T10:00:00,Ash\n18,free,,Birch\n')
  const types = ['--type', 'stop_code=text, fare=numeric', '--type', 'seen=timestamp without time zone']
  const { code, stdout, stderr } = await load(file, '--table', 'codes', '--key', 'stop_code', ...types)
  t.equal(code, 1, stderr)
  t.match(JSON.parse(stdout), {
    inserted: 1,
    reasons: [{ line: 3, reason: '`fare` is `free`, and the column is `numeric`.' }],
    columns: [
      { name: 'stop_code', type: 'text' },
      { name: 'fare', type: 'numeric' },
      { name: 'seen', type: 'timestamp without time zone' },
      { name: 'name', type: 'text' }
    ]
  })
  t.match((await describeTable(bulk, 'codes'))?.columns, [{ type: 'text' }, { type: 'numeric' }])
  const nested = fileOf('nested.jsonl', '{"id":1,"tags":["x"]}\n')
  t.match(JSON.parse((await load(nested, '--table', 'nested', '--dry-run', '--type', 'tags=text')).stdout), {
    columns: [{}, { name: 'tags', type: 'text', example: '["x"]' }]
  })
  for (const [type, told] of [
    ['stop_cod=text', /--type: the file has no column `stop_cod`; did you mean `stop_code`/],
    ['fare=money', /but it is `fare=money`\. Types: `boolean`, `integer`,[^]*`numeric`[^]*`text`/],
    ['fare', /such as `code=text`, but it is `fare`/],
    ['fare=text,fare=real', /states two types of `fare`/]
  ] as const)
    t.match(await load(file, '--table', 'more_codes', '--type', type), { code: 2, stderr: told })
  t.match(await load(file, '--table', 'codes', '--key', 'stop_code', '--type', 'fare=text'), {
    code: 2,
    stderr: /`codes` exists: [^]*`--type` are for a new table/
  })
})

t.test('a row that a column cannot hold is left out, and named with its line', async t => {
  const file = fileOf(
    'wrong.csv',
    'id,town_name,height,harbour,founded\n7,Low,3,true,1700-01-01\n8,High,tall,true,1700-01-01\n9,Odd,3,perhaps,1700-01-01\n10,Late,3,true,1700-02-30\n11,Short,3\n,Nameless,3,true,1700-01-01\n'
  )
  const { code, stdout, stderr } = await load(file, '--table', 'towns', '--key', 'id')
  t.equal(code, 1)
  t.match(JSON.parse(stdout), {
    inserted: 1,
    left_out: 5,
    reasons: [
      { line: 3, reason: '`height` is `tall`, and the column is `integer`.' },
      { line: 4, reason: '`harbour` is `perhaps`, and the column is `boolean`.' },
      { line: 5, reason: '`founded` is `1700-02-30`, and the column is `date`.' },
      { line: 6, reason: 'It has 3 cells instead of 5.' },
      { line: 7, reason: 'The key `id` is empty.' }
    ]
  })
  t.match(stderr, /wrong\.csv:3: left out: `height` is `tall`/)
})

t.test('U+0000 within what is nested is found before the database refuses it', async t => {
  const lines = ['ok', 'x\0', '\\u0000', '\\\0'].map((text, id) => JSON.stringify({ id, notes: { said: [text] } }))
  const { code, stdout, stderr } = await load(fileOf('nul.jsonl', lines.join('\n')), '--table', 'said', '--key', 'id')
  t.equal(code, 1, stderr)
  t.match(JSON.parse(stdout), {
    inserted: 2,
    reasons: [
      { line: 2, reason: '`notes` holds U+0000.' },
      { line: 4, reason: '`notes` holds U+0000.' }
    ]
  })
  t.match(await rowsOf('said'), [{ notes: { said: ['ok'] } }, { notes: { said: ['\\u0000'] } }])
})

t.test('any name that a table can have is that of the table', async t => {
  const file = fileOf('few.csv', 'id\n1\n')
  for (const table of ['pantry_load', 'a'.repeat(63)]) {
    t.equal((await load(file, '--table', table, '--key', 'id', '--no-migration')).code, 0)
    t.same(await rowsOf(table), [{ id: 1 }], table)
  }
})

t.test('the database refuses all rows or none', async t => {
  await bulk.raw('alter table towns add check (height < 1000)')
  const before = await rowsOf('towns')
  const file = fileOf('check.csv', 'id,height\n20,5\n21,5000\n')
  const { code, stderr } = await load(file, '--table', 'towns', '--key', 'id')
  t.equal(code, 3)
  t.match(
    stderr,
    /error\[O305\]: No row was loaded: the table `towns` refused them with SQLSTATE 23514: [^\n]*check constraint/
  )
  t.notMatch(stderr, /\n +at /, 'without a stack')
  t.same(await rowsOf('towns'), before)
})

t.test('JSON Lines, JSON lists and TSV are read too, and nested values are kept', async t => {
  const list = [
    { id: 'a', size: 1, tags: ['x', 'y'], note: null },
    { id: 'b', size: 2.5, note: 'tab\t"quote" \\ 😀' }
  ]
  for (const [name, text] of [
    ['list.json', JSON.stringify(list, null, 2)],
    ['lines.ndjson', `${list.map(row => JSON.stringify(row)).join('\n\n')}\n`],
    ['lines.jsonl', list.map(row => JSON.stringify(row)).join('\n')]
  ] as const) {
    const { code, stderr } = await load(fileOf(name, text), '--table', 'things', '--key', 'id', '--no-migration')
    t.equal(code, 0, stderr)
    t.match(await rowsOf('things'), [
      { id: 'a', size: 1, tags: ['x', 'y'], note: null },
      { id: 'b', size: 2.5, tags: null, note: 'tab\t"quote" \\ 😀' }
    ])
    await bulk.schema.dropTable('things')
  }
  t.match(JSON.parse((await load(fileOf('list.tsv', 'id\tname\n1\ta, b\n'), '--table', 'things')).stdout), {
    inserted: 1
  })
  t.match(await rowsOf('things'), [{ id: 1, name: 'a, b' }])
})

t.test(
  'a file in .txt is CSV or TSV as its first line says, and --file-format names the form of any other',
  async t => {
    const columnsOf = ({ code, stdout, stderr }: Outcome): unknown => {
      t.equal(code, 0, stderr)
      return (JSON.parse(stdout) as { columns: { name: string }[] }).columns.map(({ name }) => name)
    }
    const wanted = ['--table', 'stops', '--dry-run']
    t.same(columnsOf(await load(fileOf('stops.txt', 'stop_id,stop_name\n1,Ash\tport\n'), ...wanted)), [
      'stop_id',
      'stop_name'
    ])
    t.same(columnsOf(await load(fileOf('tabs.txt', 'id\tname\n1\ta, b\n'), ...wanted)), ['id', 'name'])
    t.same(columnsOf(await load(fileOf('feed', '{"a":1}\n{"a":2}\n'), ...wanted, '--file-format', 'jsonl')), ['a'])
    const { code, stderr } = await load(fileOf('feed', 'a\n1\n'), ...wanted, '--file-format', 'xml')
    t.equal(code, 2)
    t.match(stderr, /csv, tsv, jsonl, json, parquet, sqlite/)
  }
)

t.test('the first line shows what separates cells, and --separator names what it does not', async t => {
  const columnsOf = async (text: string, ...args: readonly string[]): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await load(fileOf('signs.csv', text), '--table', 'signs', '--dry-run', ...args)
    t.equal(code, 0, stderr)
    return (JSON.parse(stdout) as { columns: { name: string }[] }).columns.map(({ name }) => name)
  }
  for (const [text, names] of [
    ['id;name\n1;"a; b"\n', ['id', 'name']],
    ['\ufeff\n"id; no";name, first;age\n1;a, b;3\n', ['id_no', 'name_first', 'age']],
    ['id\tname\n1\ta, b\n', ['id', 'name']],
    ['id|name\n1|a\n', ['id', 'name']],
    ['id,tags (a;b;c)\n1,x\n', ['id', 'tags_a_b_c']],
    ['note\nx; y\n', ['note']]
  ] as const)
    t.same(await columnsOf(text), names, text)
  t.same(await columnsOf('a;b,c\n1;2,3\n', '--separator', ';'), ['a', 'b_c'])
  t.same(await columnsOf('Ort, Land;Einwohner\nBonn, DE;330000\nUlm, DE;126000\n'), ['ort_land', 'einwohner'])
  t.same(await columnsOf('a,b;c\n1,2;3\n1,2;3,4\n'), ['a_b', 'c'], 'more rows are looked at than the next')
  t.same(await columnsOf('a|b\n1|2\n', '--file-format', 'tsv', '--separator', '|'), ['a', 'b'])
  const told = async (name: string, text: string, ...args: readonly string[]): Promise<Outcome> =>
    await load(fileOf(name, text), '--table', 'signs', ...args)
  t.match(await told('commas.tsv', 'a,b,c\n1,2,3\n'), {
    code: 2,
    stderr:
      /error\[O410\]: \S+commas\.tsv:1: `tab` leaves one column, `a,b,c`, and `,` makes 3\.\nSay --separator ','\./
  })
  t.match(await told('x.csv', 'a;b\n1;2\n', '--separator', ':'), { code: 2, stderr: /,, ;, tab, \|/ })
  t.match(await told('x.json', '[]', '--separator', ';'), { code: 2, stderr: /is read as json/ })
})

t.test('a file of another form than its name says is refused with what it is', async t => {
  for (const [name, start, told] of [
    ['page.csv', '\ufeff \n<!DOCTYPE html><title>a,b</title>', /page\.csv is an HTML page, and not CSV\.\n\S/],
    ['page.json', '<html lang="en">', /is an HTML page, and not JSON/],
    ['feed.txt', '<?xml version="1.0"?>', /is XML/],
    ['list.csv', '[\n {"a":1}]', /is JSON, and not CSV\.\nSay --file-format json for a list, or --file-format jsonl/],
    ['lines.tsv', '{"a":1}\n', /is JSON, and not TSV/],
    ['sheet.csv', 'PK\x03\x04', /is a ZIP archive/],
    ['rows.csv', Buffer.from([0x1f, 0x8b, 8]), /is compressed with gzip/],
    ['rows.csv', 'PAR1', /is Parquet/],
    ['rows.jsonl', 'SQLite format 3\0', /is an SQLite database/],
    ['rows.csv', Buffer.from('\ufeffa,b\n', 'utf16le'), /is text in UTF-16/],
    ['x.csv', 'id,name\n1,a\n2,"b\n3,c\n', /x\.csv:3: A quote does not end\.\nClose it\./],
    ['x.csv', 'id,name\n1,a\n2,"b" c\n', /x\.csv:3: Text follows the quote that ends a cell\.\nWrite a quote/],
    ['x.csv', 'id,name\n1,"a\nb"\n2,b "c"\n', /x\.csv:4: A cell holds a quote and does not begin with one\./],
    ['x.csv', Buffer.from([0x69, 0x64, 0x0a, 0xff, 0x0a]), /not UTF-8\.\nConvert the file/]
  ] as const) {
    const { code, stderr } = await load(fileOf(name, start), '--table', 'forms')
    t.equal(code, 2, stderr)
    t.match(stderr, /^error\[O410\]: /)
    t.match(stderr, told)
  }
})

t.test('what cannot be loaded is told before anything is written', async t => {
  for (const [name, text, args, told] of [
    [
      'x.xml',
      '<a/>',
      ['--table', 'x'],
      /--file-format, which is one of `csv`, `tsv`, `jsonl`, `json`, `parquet`, `sqlite`/
    ],
    ['x.csv', 'id\n1\n', ['--table', 'x; drop table towns'], /must be a name/],
    ['x.csv', 'id\n1\n', ['--table', `geo.${'a'.repeat(64)}`], /longer than 63 characters/],
    ['x.csv', '', ['--table', 'x'], /no row that can be loaded/],
    ['x.csv', 'id\n1\n', ['--table', 'x', '--key', 'di'], /no column `di`; did you mean `id`/],
    ['x.csv', 'id,words\n1,a\n', ['--table', 'x', '--search', 'words'], /one of that name/],
    ['x.csv', 'a b,a-b\n1,2\n', ['--table', 'x'], /would both be `a_b`/],
    ['x.csv', 'id,name, id\n1,a,2\n', ['--table', 'x'], /x\.csv:1: two columns are called `id`/],
    [
      'x.json',
      '{"a":1}',
      ['--table', 'x'],
      /error\[O410\]: \S+x\.json:1: The file must hold a list of entries\.\nStart it/
    ],
    ['x.csv', 'id,size\n1,2\n', ['--table', 'towns', '--key', 'id'], /`towns` has no column `size`/],
    ['x.csv', 'id\n1\n', ['--table', 'towns'], /name the `--key` by which rows are the same, or `--replace`/],
    ['x.csv', 'id,height\n1,2\n', ['--table', 'towns', '--key', 'height'], /Nothing keeps `height` unique/],
    ['x.csv', 'id\n1\n', ['--table', 'towns', '--key', 'id', '--index', 'id'], /are for a new table/],
    ['x.csv', 'id\n1\n', ['--table', 'harbours', '--key', 'id'], /`harbours` is a view/]
  ] as const) {
    const { code, stderr } = await load(fileOf(name, text), ...args)
    t.equal(code, 2, String(told))
    t.match(stderr, told)
  }
  t.notOk(await bulk.schema.hasTable('x'))
  t.match(await load(join(folder, 'none.csv'), '--table', 'x'), { code: 2, stderr: /There is no file/ })
  t.match(await load(folder, '--table', 'x', '--file-format', 'csv'), { code: 2, stderr: /` is a folder, and no file/ })
})

t.test('the type of a column holds every value that it was inferred from', t => {
  const value = fc.oneof(
    fc.constantFrom(
      '0',
      '-1',
      '007',
      '1e3',
      '2147483648',
      '0.1',
      '1.50',
      'true',
      'TRUE',
      '',
      '2024-02-29',
      '2023-02-29'
    ),
    fc.constantFrom('2024-02-29T00:00:00Z', '2024-02-29T25:00:00Z', '9'.repeat(19), '0.30000000000000004', '-0'),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.string()
  )
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), values => {
      const column = new ColumnType()
      for (const one of values) column.note(one)
      return values.every(one => one === null || String(one).includes('\0') || misfit(column.type, one) === undefined)
    })
  )
  t.end()
})
