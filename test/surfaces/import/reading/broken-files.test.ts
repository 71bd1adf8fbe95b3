// test: slow.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { importSource } from '../../../../surfaces/importer.ts'
import { prove } from '../../../../surfaces/import/proving/prove.ts'
import { readMembers } from '../../../../surfaces/import/reading/shapes.ts'
import type { FileOfSource, Source } from '../../../../surfaces/import/source.ts'
import { writeSqlite } from '../../../support/sqlite-file.ts'
import { writeWorkbook } from '../../../support/workbook.ts'
import { testDatabase } from '../../../support/database.ts'
import { python } from '../../../support/python.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { plain } from '../rows-on-disk.ts'

const { database } = await testDatabase(t)
const folder = scratchFolder(t)
const skip = (await python(['--version'])) === undefined ? 'this machine has no python3' : false

function write(path: string, content: string | Buffer): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  return join(folder, path)
}
async function read(path: string, shape: FileOfSource['shape']): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const { members } of readMembers({ path: join(folder, path), declared: { shape, path }, file: {} }))
    found.push(...members.map(({ value, problem }) => problem ?? value))
  return found
}
const reading = (file: FileOfSource): Source => ({ ...plain(), reader: { ...plain().reader!, files: [file] } })
const row = (id: string): Readonly<Record<string, string>> => ({
  id,
  set: 'AB1',
  number: id,
  lang: 'en',
  name: `Card ${id}`
})

t.test('a value in each line, of which a broken one is told and the others are read', async t => {
  write('a.ndjson', '{"a":"é"}\r\n\n[1]\n{"b":}\n2')
  t.same(await read('a.ndjson', 'json-lines'), [{ a: 'é' }, [1], 'Line 4 is not JSON.', 2])
  const long = Array.from({ length: 20_000 }, (_, at) => ({ at, text: 'ü'.repeat(at % 9) }))
  write('long.ndjson', long.map(one => JSON.stringify(one)).join('\n'))
  t.same(await read('long.ndjson', 'json-lines'), long)
})

t.test('YAML of several documents is the list of them, and of one the document', async t => {
  write('many.yaml', '---\na: 1\n---\na: 2\n---\n')
  t.same(await read('many.yaml', 'yaml'), [{ a: 1 }, { a: 2 }])
  write('one.yaml', '---\n- 1\n- 2\n')
  t.same(await read('one.yaml', 'yaml'), [1, 2])
})

t.test('what gzip compressed is read as it was, in every shape', async t => {
  for (const [shape, text, members] of [
    ['json', '[{"a":1},2]', [{ a: 1 }, 2]],
    ['json-lines', '1\n2', [1, 2]],
    ['yaml', '- 1\n- 2', [1, 2]],
    ['table', 'a,b\n1,2', [{ a: '1', b: '2' }]]
  ] as const) {
    write('some.gz', gzipSync(text))
    t.same(await read('some.gz', shape), members, shape)
  }
  const path = write('cut.gz', gzipSync('[1]').subarray(0, -9))
  await t.rejects(read('cut.gz', 'json'), {
    message: `${path} is not whole: what gzip compressed in it is damaged or ends early.`
  })
})

t.test('a broken file is told with line and column, and without its text', async t => {
  for (const [shape, text, place] of [
    ['json', '[\n  {"price": "12" "x"}\n]', '(line 2, column 18)'],
    ['json', '[{"a": 1},\n', '(line 2, column 1)'],
    ['yaml', 'a: 1\nb: [1, 2\nc: 3\n', '(line 3, column 1)']
  ] as const) {
    const path = write('broken', text)
    await t.rejects(read('broken', shape), { message: `${path} is not ${shape.toUpperCase()} ${place}.` })
  }
  const path = write('broken.xml', '<cards>\n  <card></cards>')
  await t.rejects(read('broken.xml', 'xml'), {
    message: `${path}: The XML cannot be read (line 2, column 16): it is not well-formed.`
  })
})

t.test('one broken file does not stop the others; where most are broken, the declaration is', async t => {
  for (const at of [1, 2, 3]) write(`sets/${at}.json`, JSON.stringify([row(`${at}a`), row(`${at}b`)]))
  const broken = write('sets/2.json', `[${JSON.stringify(row('2a'))}, {"id": "2b" "x"}]`)
  const source = reading({ shape: 'json', path: 'sets/*.json' })
  const run = await importSource(database, source, { folder })
  t.match(run, { read: 5, written: 4, quarantined: 1 })
  t.match(run.refusals, [{ reason: new RegExp(`^${broken} is not JSON \\(line 1, column \\d+\\)\\.$`), rows: 1 }])
  write('sets/1.json', '[')
  await t.rejects(importSource(database, source, { folder }), { message: /1\.json is not JSON \(line 1, column 2\)\./ })
  await t.rejects(importSource(database, reading({ shape: 'json', path: 'sets/1.json' }), { folder }), {
    message: /1\.json is not JSON/
  })
})

const tables: Readonly<Record<string, FileOfSource>> = {
  database: { shape: 'sqlite', path: 'cards.db', table: 'cards' },
  workbook: { shape: 'xlsx', path: 'cards.xlsx', table: 'Cards' }
}

for (const [id, file] of Object.entries(tables)) {
  t.test(`a ${id} is read, and by the second reader too`, async t => {
    const rows = ['1', '2'].map(row)
    writeSqlite(
      join(folder, 'cards.db'),
      `create table cards (id text, "set" text, number text, lang text, name text, price real); create table sets (code text);
      ${rows
        .map(
          one =>
            `insert into cards values (${Object.values(one)
              .map(value => `'${value}'`)
              .join(', ')}, null);`
        )
        .join('')}`
    )
    writeWorkbook(join(folder, 'cards.xlsx'), {
      Cards: [[...Object.keys(row('1')), 'price'], ...rows.map(one => Object.values(one))],
      Sets: [['code'], ['AB1']]
    })
    t.same(
      await read(file.path, file.shape).catch((error: unknown) => (error as Error).message.slice(folder.length + 1)),
      {
        database: 'cards.db has 2 tables: name one with `table`: `cards`, `sets`.',
        workbook: 'cards.xlsx has 2 sheets: name one with `table`: `Cards`, `Sets`.'
      }[id]
    )
    const source = { ...reading(file), id }
    const { run, snapshot, written } = await importSource(database, source, { folder })
    t.equal(written, 2)
    if (skip !== false) return
    t.match(await prove(database, source, { run, snapshot, folder }), {
      verdict: 'proved',
      counts: { rows: 2, equal: 2 }
    })
    await database.knex.raw(
      `update observations set row = jsonb_set(cast(row as jsonb), '{name}', '"Other"') where source = ? and native_id = '2'`,
      [id]
    )
    t.match(await prove(database, source, { run, snapshot, folder }), { verdict: 'different' })
  })
}

t.test('the second reader reads lines and what gzip compressed', { skip }, async t => {
  write('rows.ndjson.gz', gzipSync(`${JSON.stringify(row('1'))}\n{\n${JSON.stringify(row('2'))}\n`))
  const source = { ...reading({ shape: 'json-lines', path: 'rows.ndjson.gz' }), id: 'lines' }
  const { run, snapshot, quarantined } = await importSource(database, source, { folder })
  t.equal(quarantined, 1)
  t.match(await prove(database, source, { run, snapshot, folder }), {
    verdict: 'proved',
    counts: { rows: 3, left_out: 1 }
  })
})
