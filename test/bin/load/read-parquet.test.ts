// test: slow.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import t from 'tap'
import { openParquet } from '../../../bin/load/read-parquet.ts'
import type { FileRow } from '../../../bin/load/table-file.ts'
import { pantry, type Outcome } from '../../support/command-line.ts'
import { testDatabase } from '../../support/database.ts'
import { gazetteer } from '../../support/registry.ts'

const folder = t.testdir()

type Options = Omit<Parameters<typeof parquetWriteBuffer>[0], 'columnData'>

/** Writes a Parquet file of columns, with their elements of the schema. */
function fileOf(name: string, columns: readonly (ColumnSource & { as?: object })[], options: Options = {}): string {
  const path = join(folder, name)
  const schema = columns.flatMap(({ name, as }) => (as === undefined ? [] : [{ name, ...as }]))
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const given = schema.length === 0 ? options : { ...options, schema: [root, ...schema] }
  writeFileSync(
    path,
    Buffer.from(
      parquetWriteBuffer({
        columnData: columns.map(({ as, ...column }) => (as === undefined ? column : { ...column })),
        ...given
      })
    )
  )
  return path
}

async function rowsOf(path: string) {
  const opened = await openParquet(path)
  const rows: FileRow[] = []
  for await (const row of opened.read()) rows.push(row)
  return {
    types: Object.fromEntries([...opened.declared].map(([name, { empty }]) => [name, empty])),
    notes: [...opened.notes],
    rows: rows.map(row => ('values' in row ? Object.fromEntries(row.values) : row))
  }
}

const int64 = { type: 'INT64', repetition_type: 'OPTIONAL' }

t.test('a value keeps all of its digits, its day and its time', async t => {
  const stamp = (unit: string, isAdjustedToUTC: boolean) => ({
    ...int64,
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit }
  })
  const path = fileOf('values.parquet', [
    { name: 'id', data: [1, 2], as: { type: 'INT32' } },
    { name: 'big', data: [9007199254740993n, -1n], as: int64 },
    {
      name: 'price',
      data: [123456789012345678n, -5n],
      as: { ...int64, converted_type: 'DECIMAL', scale: 2, precision: 18 }
    },
    { name: 'whole', data: [7, -7], as: { type: 'INT32', converted_type: 'DECIMAL', scale: 0, precision: 9 } },
    { name: 'unsigned', data: [4294967295, 1], as: { type: 'INT32', converted_type: 'UINT_32' } },
    { name: 'single', data: [0.1, NaN], as: { type: 'FLOAT' } },
    { name: 'double', data: [0.1 + 0.2, 1e-300], as: { type: 'DOUBLE' } },
    {
      name: 'day',
      data: [new Date('1969-12-31'), new Date('2024-02-29')],
      as: { type: 'INT32', converted_type: 'DATE' }
    },
    { name: 'at', data: [-1n, 1709210096123456n], as: stamp('MICROS', true) },
    { name: 'local', data: [0n, 1709210096000000001n], as: stamp('NANOS', false) },
    { name: 'clock', data: [1n, 86399000000n], as: { ...int64, converted_type: 'TIME_MICROS' } },
    { name: 'is', data: [true, false], as: { type: 'BOOLEAN' } },
    { name: 'code', data: ['007', '8'], as: { type: 'BYTE_ARRAY', converted_type: 'UTF8' } },
    { name: 'bytes', data: [new Uint8Array([255]), new Uint8Array([0])], as: { type: 'BYTE_ARRAY' } }
  ])
  const { types, rows, notes } = await rowsOf(path)
  t.strictSame(types, {
    id: 'integer',
    big: 'bigint',
    price: 'numeric',
    whole: 'numeric',
    unsigned: 'bigint',
    single: 'real',
    double: 'double precision',
    day: 'date',
    at: 'timestamp with time zone',
    local: 'timestamp without time zone',
    clock: 'text',
    is: 'boolean',
    code: 'text'
  })
  t.strictSame(rows, [
    {
      id: 1,
      big: '9007199254740993',
      price: '1234567890123456.78',
      whole: '7',
      unsigned: 4294967295,
      single: 0.1,
      double: 0.30000000000000004,
      day: '1969-12-31',
      at: '1969-12-31T23:59:59.999999Z',
      local: '1970-01-01T00:00:00.000',
      clock: '00:00:00.000001',
      is: true,
      code: '007'
    },
    {
      id: 2,
      big: -1,
      price: '-0.05',
      whole: '-7',
      unsigned: 1,
      single: null,
      double: 1e-300,
      day: '2024-02-29',
      at: '2024-02-29T12:34:56.123456Z',
      local: '2024-02-29T12:34:56.000',
      clock: '23:59:59.000',
      is: false,
      code: '8'
    }
  ])
  t.strictSame(notes, [
    '`bytes` is not taken: it holds bytes.',
    '`single`: NaN and infinity are null.',
    '`local`: nanoseconds are cut to microseconds.'
  ])
})

t.test('lists, structures and JSON are kept as they are nested', async t => {
  const schema = [
    { name: 'root', num_children: 4 },
    { name: 'tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'INT64', repetition_type: 'OPTIONAL', converted_type: 'DECIMAL', scale: 1, precision: 9 },
    { name: 'place', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'name', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', converted_type: 'UTF8' },
    { name: 'since', type: 'INT32', repetition_type: 'OPTIONAL', converted_type: 'DATE' },
    { name: 'note', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL', converted_type: 'JSON' },
    { name: 'box', repetition_type: 'OPTIONAL', num_children: 1 },
    { name: 'raw', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' }
  ] as SchemaElement[]
  const path = fileOf(
    'nested.parquet',
    [
      { name: 'tags', data: [[15n, null], null] },
      { name: 'place', data: [{ name: 'Ashport', since: new Date('2020-01-02') }, null] },
      { name: 'note', data: [{ a: [1, 'x'] }, null] },
      { name: 'box', data: [{ raw: new Uint8Array([1]) }, null] }
    ],
    { schema }
  )
  const { types, rows, notes } = await rowsOf(path)
  t.strictSame(types, { tags: 'jsonb', place: 'jsonb', note: 'jsonb' })
  t.strictSame(rows, [
    { tags: ['1.5', null], place: { name: 'Ashport', since: '2020-01-02' }, note: { a: [1, 'x'] } },
    { tags: null, place: null, note: null }
  ])
  t.strictSame(notes, ['`box` is not taken: `raw` in it is not taken: it holds bytes.'])
})

t.test('rows come in parts of row groups, with any compression, and the same each time', async t => {
  const count = 150_000
  const numbers = Array.from({ length: count }, (_, at) => at)
  // A frame of Zstandard with blocks that are not compressed (RFC 8878).
  const zstd = (input: Uint8Array): Uint8Array => {
    const blocks = []
    for (let from = 0; from < input.length; from += 1 << 16) {
      const part = input.subarray(from, from + (1 << 16))
      const head = Buffer.alloc(3)
      head.writeUIntLE((part.length << 3) | Number(from + part.length >= input.length), 0, 3)
      blocks.push(head, part)
    }
    const size = Buffer.alloc(4)
    size.writeUInt32LE(input.length)
    return new Uint8Array(Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, ...blocks]))
  }
  for (const [codec, options] of [
    ['SNAPPY', {}],
    ['GZIP', { compressors: { GZIP: (input: Uint8Array) => new Uint8Array(gzipSync(input)) } }],
    ['ZSTD', { compressors: { ZSTD: zstd } }]
  ] as const) {
    const path = fileOf(
      `${codec}.parquet`,
      [
        { name: 'id', data: numbers, type: 'INT32' },
        { name: 'kind', data: numbers.map(at => `kind ${at % 7}`), type: 'STRING' }
      ],
      { codec, ...options, rowGroupSize: [1000, 140_000] }
    )
    const opened = await openParquet(path)
    for (const round of codec === 'SNAPPY' ? [1, 2] : [1]) {
      let at = 0
      for await (const row of opened.read()) {
        const { line, values = new Map<string, unknown>() } = 'values' in row ? row : { line: 0 }
        if (line !== at + 1 || values.get('id') !== at || values.get('kind') !== `kind ${at % 7}`) break
        at += 1
      }
      t.equal(at, count, `${codec}, round ${round}`)
    }
  }
})

t.test('a file that is damaged is refused in words, and none of it is loaded', async t => {
  const whole = readFileSync(
    fileOf('whole.parquet', [{ name: 'id', data: Array.from({ length: 5000 }, (_, at) => at), type: 'INT32' }])
  )
  const changed = (change: (bytes: Buffer) => Buffer): string => {
    const path = join(folder, 'damaged.parquet')
    writeFileSync(path, change(Buffer.from(whole)))
    return path
  }
  const cases: readonly (readonly [string, (bytes: Buffer) => Buffer, RegExp])[] = [
    ['empty', () => Buffer.alloc(0), /does not begin with PAR1/],
    ['of another form', () => Buffer.from('id,name\n1,Ashport, a town\n'), /does not begin with PAR1/],
    ['cut off', bytes => bytes.subarray(0, bytes.length - 20), /does not end with PAR1: it is cut off/],
    [
      'a huge list of columns',
      bytes => {
        bytes.writeUInt32LE(0x7fffffff, bytes.length - 8)
        return bytes
      },
      /its list of columns would have 2147483647 bytes/
    ],
    [
      'encrypted',
      bytes => {
        bytes.write('PARE')
        return bytes
      },
      /encrypted/
    ],
    ['a hole', bytes => Buffer.concat([bytes.subarray(0, 4), bytes.subarray(2000)]), /cannot be read as Parquet/],
    ['a page of zeros', bytes => bytes.fill(0, 4, 60), /cannot be read as Parquet/],
    ['a page of ones', bytes => bytes.fill(0xff, 4, 60), /cannot be read as Parquet/]
  ]
  for (const [name, change, told] of cases) await t.rejects(rowsOf(changed(change)), { message: told }, name)
  const wrongText = fileOf('text.parquet', [
    { name: 'a', data: ['plain'], as: { type: 'BYTE_ARRAY', converted_type: 'UTF8' } }
  ])
  const bytes = readFileSync(wrongText)
  bytes[bytes.indexOf('plain')] = 0xff
  writeFileSync(wrongText, bytes)
  await t.rejects(rowsOf(wrongText), { message: /holds text that is not UTF-8\./ })
  // Each byte of the file in turn: it is read, or refused; it never ends the process.
  const short = readFileSync(fileOf('short.parquet', [{ name: 'id', data: [1, 2, 3], type: 'INT32' }]))
  for (let at = 0; at < short.length; at++) {
    const copy = Buffer.from(short)
    copy[at] = (copy[at] ?? 0) ^ 0x7f
    const path = join(folder, 'flipped.parquet')
    writeFileSync(path, copy)
    await rowsOf(path).catch((error: unknown) => {
      t.match(error, { name: 'Error', message: /cannot be read as Parquet|no column that can be loaded/ }, `byte ${at}`)
    })
  }
})

t.test('pantry load takes a Parquet file, twice without doubles', async t => {
  const { database, url } = await testDatabase(t, 'empty')
  const root = relative(process.cwd(), gazetteer)
  const load = (...args: readonly string[]): Promise<Outcome> =>
    pantry(['load', ...args, '--root', root, '--no-migration', '--format', 'json'], { DATABASE_URL: url, PORT: '0' })
  const path = fileOf('towns.parquet', [
    { name: 'id', data: [1n, 9007199254740993n], as: int64 },
    { name: 'Town name', data: ['Ashport', 'Dunmere'], as: { type: 'BYTE_ARRAY', converted_type: 'UTF8' } },
    {
      name: 'price',
      data: [1250n, 99999999999999999n],
      as: { ...int64, converted_type: 'DECIMAL', scale: 2, precision: 18 }
    },
    { name: 'height', data: [0.1 + 0.2, 1e300], as: { type: 'DOUBLE' } },
    { name: 'seen', data: [0n, 1n], as: { ...int64, converted_type: 'TIMESTAMP_MICROS' } },
    { name: 'picture', data: [new Uint8Array([1]), new Uint8Array([2])], as: { type: 'BYTE_ARRAY' } }
  ])
  const { code, stdout, stderr } = await load(path, '--table', 'typed', '--key', 'id')
  t.equal(code, 0, stderr)
  t.match(stderr, /`picture` is not taken: it holds bytes\./)
  t.match(JSON.parse(stdout), {
    inserted: 2,
    notes: ['`picture` is not taken: it holds bytes.'],
    columns: [
      { name: 'id', type: 'bigint' },
      { name: 'town_name', type: 'text' },
      { name: 'price', type: 'numeric', example: '12.50' },
      { name: 'height', type: 'double precision' },
      { name: 'seen', type: 'timestamp with time zone' }
    ]
  })
  t.match(JSON.parse((await load(path, '--table', 'typed', '--key', 'id')).stdout), { inserted: 0, updated: 2 })
  const { rows } = await database.bulk.raw<{ rows: unknown[] }>(
    'select id::text, town_name, price::text, height, seen::text like $$%00.000001%$$ as micro from typed order by id'
  )
  t.strictSame(rows, [
    { id: '1', town_name: 'Ashport', price: '12.50', height: 0.30000000000000004, micro: false },
    { id: '9007199254740993', town_name: 'Dunmere', price: '999999999999999.99', height: 1e300, micro: true }
  ])
  t.match(await load(path, '--table', 'typed', '--from-table', 'x'), {
    code: 2,
    stderr: /of an SQLite file or a sheet/
  })
  writeFileSync(path, readFileSync(path).subarray(0, 100))
  t.match(await load(path, '--table', 'typed', '--key', 'id'), { code: 2, stderr: /cannot be read as Parquet/ })
})

t.test('without its packages a file is refused with the command that installs them', async t => {
  const { withReaders } = await import('../../../bin/load/reader-packages.ts')
  const missing = 'hyparquet-is-not-here'
  await t.rejects(
    withReaders('towns.parquet', 'parquet', async () => (await import(missing)) as unknown),
    {
      code: 'O406',
      message: /towns\.parquet cannot be read, because what reads it is not installed\./,
      fix: /^Run: npm install --save-exact hyparquet@\d+\.\d+\.\d+ hyparquet-compressors@\d+\.\d+\.\d+$/
    }
  )
  await t.rejects(
    withReaders('towns.parquet', 'parquet', () => Promise.reject(new Error('another'))),
    { message: 'another' }
  )
})
