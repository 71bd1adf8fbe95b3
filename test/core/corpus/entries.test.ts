import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { JsonObject, JsonValue } from '../../../core/canonical/json.ts'
import { loadOneCorpus } from '../../../core/corpus/load.ts'
import { cutLines } from '../../../core/source/records.ts'
import { piecesOf } from '../../support/json-pieces.ts'

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'string' },
    text: { type: 'string' },
    whole: { type: 'integer' },
    number: { type: 'number' },
    flag: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } }
  }
}

/** The entries of a corpus whose one file of entries is given. */
function load(
  folder: string,
  file: string,
  text: string,
  more = ''
): { entries: readonly JsonObject[]; wrong: readonly string[] } {
  const top = join(folder, 'corpora', 'things')
  mkdirSync(top, { recursive: true })
  writeFileSync(
    join(top, 'corpus.yaml'),
    `title: Things\nkey: id\norder: [id]\nlicense: CC0-1.0\nsource: Here.\nseparator: ";"\n${more}`
  )
  writeFileSync(join(top, 'schema.yaml'), JSON.stringify(schema))
  writeFileSync(join(top, file), text)
  const { loaded, diagnostics = [] } = loadOneCorpus('main', folder, 'things') ?? {}
  return { entries: loaded?.corpus.entries ?? [], wrong: diagnostics.map(({ code, message }) => `${code} ${message}`) }
}

const name = fc.stringMatching(/^[a-z]{1,8}$/)
// What a cell may hold: a control character is refused in every text, and a newline is one character however it is
// written.
const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map(one => one.replaceAll(/[\u0000-\u001f\u007f]/g, '\n'))
const item = fc.stringMatching(/^[a-z ,"]{1,8}$/).filter(one => one.trim() === one)
const number = fc.oneof(
  fc.integer({ min: -1e12, max: 1e12 }),
  fc.integer({ min: -9999, max: 9999 }).map(one => one / 8)
)
const thing = fc.record(
  {
    text,
    whole: fc.integer(),
    number,
    flag: fc.boolean(),
    tags: fc.array(item, { minLength: 1, maxLength: 3 }),
    sizes: fc.array(fc.integer(), { maxLength: 3 })
  },
  { requiredKeys: [] }
)
const things = fc.dictionary(name, thing, { maxKeys: 8, noNullPrototype: true }).map(all =>
  Object.entries(all)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, rest]): JsonObject => ({ id, ...rest }))
)

const cell = (value: JsonValue | undefined): string =>
  value === undefined
    ? ''
    : `"${(Array.isArray(value) ? value.join(';') : typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('"', '""')}"`
const columns = Object.keys(schema.properties)
const table = (entries: readonly JsonObject[], end: string): string =>
  [columns.join(','), ...entries.map(entry => columns.map(column => cell(entry[column])).join(','))].join(end)

t.test('a table gives back what was written, whatever is in its cells', async t => {
  const folder = t.testdir()
  fc.assert(
    fc.property(things, fc.constantFrom('\n', '\r\n'), (entries, end) => {
      const { entries: read, wrong } = load(folder, 'entries.csv', table(entries, end))
      t.same(wrong, [])
      t.strictSame(
        read.map(one => ({ ...one })),
        entries.map(one => ({ ...one }))
      )
    }),
    { numRuns: 60 }
  )
})

t.test('JSON Lines and a JSON list give back what was written', async t => {
  const [lines, list] = [t.testdir({ lines: {}, list: {} }), `${t.testdirName}/list`]
  fc.assert(
    fc.property(things, entries => {
      t.strictSame(
        load(`${lines}/lines`, 'entries.jsonl', entries.map(one => JSON.stringify(one)).join('\n')).entries.map(
          one => ({ ...one })
        ),
        entries
      )
      t.strictSame(
        load(list, 'entries.json', JSON.stringify(entries, null, 1)).entries.map(one => ({ ...one })),
        entries
      )
    }),
    { numRuns: 60 }
  )
})

t.test('a table is cut in the same way wherever its pieces end', async t => {
  const csv = Buffer.from('id,text\r\na,"x\ny ""z"", é"\r\nb,\n\nc,"1"')
  for (let size = 1; size < csv.length; size++) {
    const cuts = [...cutLines(piecesOf(csv, [size]), { quoted: true })].map(cut =>
      'bytes' in cut ? cut : (t.fail('no problem') as never)
    )
    t.equal(Buffer.concat(cuts.map(({ bytes }) => bytes)).toString(), csv.toString())
    let at = 0
    for (const { bytes, from, line } of cuts) {
      t.same([from, line], [at, csv.subarray(0, at).toString().split('\n').length])
      at += bytes.length
      t.equal((bytes.toString().match(/"/g)?.length ?? 0) % 2, 0, 'no line ends between quotes')
    }
  }
})

t.test(
  'an empty cell is absent, a quoted one is an empty text, and a nullable field that is required is null',
  async t => {
    const folder = t.testdir()
    t.strictSame({ ...load(folder, 'entries.csv', 'id,text,tags\na,,\n').entries[0] }, { id: 'a' })
    t.strictSame(
      { ...load(folder, 'entries.csv', '\ufeffid,text,tags\na,"",""\n\n').entries[0] },
      { id: 'a', text: '', tags: [] }
    )
  }
)

t.test('a record that cannot be held is refused, and so is a line that never ends', async t => {
  const long = 'x'.repeat(1_200_000)
  t.match(
    load(t.testdir({ a: {} }) + '/a', 'entries.jsonl', `{"id": "a", "text": "${long}"}`).wrong[0],
    /M109 The line has more than 1048576 bytes/
  )
  t.match(
    load(t.testdir({ b: {} }) + '/b', 'entries.json', `[{"id": "a", "text": "${long}"}]`).wrong[0],
    /M109 The entry has more than 1048576 bytes/
  )
  t.match(
    load(t.testdir({ c: {} }) + '/c', 'entries.csv', `id,text\na,"${long}`).wrong[0],
    /M109 The line has more than 1048576 bytes/
  )
})
