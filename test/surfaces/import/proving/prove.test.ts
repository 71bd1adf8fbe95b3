// test: slow.
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importSource } from '../../../../surfaces/importer.ts'
import { linesOf } from '../../../../surfaces/import/proving/held-rows.ts'
import { prove, type Proving } from '../../../../surfaces/import/proving/prove.ts'
import { readAgain, type SecondReaderOptions } from '../../../../surfaces/import/proving/second-reader.ts'
import { proofOf } from '../../../../surfaces/sources/source-proofs.ts'
import { testDatabase } from '../../../support/database.ts'
import { python } from '../../../support/python.ts'
import { scratchFolder } from '../../../support/scratch.ts'
import { dataFolder, lantern } from '../lantern.ts'

const skip =
  (await python(['--version'])) === undefined ? 'the second reader needs python3, which this machine lacks' : false

const { database } = await testDatabase(t)
const source = {
  ...lantern,
  reader: {
    ...lantern.reader!,
    sets: {
      files: [{ shape: 'json', path: 'sets.json' }],
      rows: [{ as: 'series' }, { as: 'set', each: 'series' }],
      map: { game: { const: 'lan' }, code: 'set.code', name: 'set.name.en', declared_total: 'set.count' }
    }
  }
} as const
const { run, snapshot } = await importSource(database, source, { folder: dataFolder })
const compared = (options: SecondReaderOptions & Readonly<{ folder?: string }> = {}): Promise<Proving> =>
  prove(database, source, { run, snapshot, folder: dataFolder, ...options })
const change = async (sql: string): Promise<void> => {
  await database.bulk.raw(sql)
}

t.test('rows that are held as the files have them are proved, with the digests of the files', { skip }, async t => {
  const found = await compared()
  t.match(found, {
    verdict: 'proved',
    reason: null,
    counts: { rows: 5, sets: 2, equal: 5, different: 0, missing: 0, more: 0, left_out: 0, repeated: 0 },
    first: []
  })
  const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
  const files = ['en.json', 'ja.json', 'sets.json'].map(path => ({
    path,
    sha256: sha256(readFileSync(join(dataFolder, path)))
  }))
  t.same(found.files, Object.fromEntries(files.map(one => [one.path, one.sha256])))
  t.match(await proofOf(database, 'lantern'), {
    verdict: 'proved',
    is_current: true,
    counts: found.counts,
    file_count: 3,
    files,
    files_digest: sha256(files.map(one => `${one.sha256}  ${one.path}\n`).join(''))
  })
  t.equal(await proofOf(database, 'other'), null)
})

const first = "native_id = 'en:AB1-001'"
/** Ways to change what is held, each with the difference that is found first. */
const changes: readonly (readonly [what: string, sql: string, found: object])[] = [
  [
    'a name',
    `update observations set row = jsonb_set(row::jsonb, '{name}', '"Last Lantern"') where ${first}`,
    { kind: 'different', member: 'row.name', read: 'First Lantern', held: 'Last Lantern' }
  ],
  [
    'a number that becomes a text',
    `update observations set row = jsonb_set(row::jsonb, '{attributes,cost}', '"3"') where ${first}`,
    { kind: 'different', member: 'row.attributes' }
  ],
  [
    'the order of a list',
    `update observations set row = jsonb_set(row::jsonb, '{illustrators}', '["B. Inker", "A. Painter"]')
     where native_id = 'en:AB1-001_p1'`,
    { kind: 'different', member: 'row.illustrators', read: ['A. Painter', 'B. Inker'] }
  ],
  [
    'a language',
    `update observations set row = jsonb_set(row::jsonb, '{lang}', '"ja"') where ${first}`,
    { kind: 'different', member: 'row.lang', read: 'en', held: 'ja' }
  ],
  [
    'a name of another language',
    `update observations set row = jsonb_set(row::jsonb, '{name_translations,fr}', '"Premier"') where ${first}`,
    { kind: 'different', member: 'row.name_translations' }
  ],
  [
    'a SKU',
    `update observations set sku = 'lan-ab1-009-en' where ${first}`,
    { kind: 'different', member: 'sku', read: 'lan-ab1-001-en', held: 'lan-ab1-009-en' }
  ],
  ['a row that is gone', `delete from observations where ${first}`, { kind: 'missing', native_id: 'en:AB1-001' }],
  [
    'a row that is in no file',
    `insert into observations (source, native_id, sku, digest, row, from_run, statement_id, game)
     select source, 'en:AB1-777', 'lan-ab1-777-en', digest, row, from_run, statement_id, game
     from observations where ${first}`,
    { kind: 'more', native_id: 'en:AB1-777' }
  ],
  [
    'a row that is held twice',
    `insert into observations (source, native_id, sku, digest, row, from_run, statement_id, game)
     select source, native_id, sku, digest, row, from_run, statement_id, 'other' from observations where ${first}`,
    { kind: 'more', native_id: 'en:AB1-001' }
  ],
  [
    'the date of a set',
    `update set_statements set statement = jsonb_set(statement, '{released_on}', '"2024-03-01"')
     where statement->>'released_on' = '2024-02-29'`,
    { kind: 'different', member: 'set.released_on', read: '2024-02-29', held: '2024-03-01' }
  ],
  [
    'the number of cards of a set that the source lists',
    "update declared_sets set declared_total = 3 where code = 'AB1'",
    { kind: 'different', member: 'set AB1.declared_total', read: 2, held: 3 }
  ],
  [
    'a set that the source lists',
    "delete from declared_sets where code = 'P'",
    { kind: 'missing', member: 'set P', read: 'P' }
  ],
  [
    'the card that is served, although its row is right',
    "update cards set rarity = 'C' where sku = 'lan-ab1-001-en'",
    { kind: 'different', member: 'card.rarity', read: 'R', held: 'C' }
  ],
  ['a card that is gone', "delete from cards where sku = 'lan-ab1-001-en'", { kind: 'different', held: null }]
]

t.test('whatever is changed in what is held is found', { skip }, async t => {
  for (const [what, sql, found] of changes) {
    const held = await database.bulk.transaction()
    await held.raw(sql)
    t.match(await readAgain(linesOf(held, source, dataFolder)), { verdict: 'different', first: [found] }, what)
    await held.rollback()
  }
})

t.test('a file that was changed is found, and one that cannot be read is never called equal', { skip }, async t => {
  const folder = scratchFolder(t)
  cpSync(dataFolder, folder, { recursive: true })
  const file = join(folder, 'en.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"name": "Tide"', '"name": "Ebb"'))
  t.match(await compared({ folder }), { verdict: 'different', counts: { different: 1 }, first: [{ read: 'Ebb' }] })
  writeFileSync(file, '{')
  t.match(await compared({ folder }), { verdict: 'not proved', reason: /en\.json, which is no json/, counts: null })
  const unknown = { ...source, reader: { ...source.reader, files: [{ shape: 'module', path: 'cards.cjs' }] as const } }
  t.match(await prove(database, unknown, { run, snapshot, folder: dataFolder }), {
    verdict: 'not proved',
    reason: 'The second reader does not know the shape `module`.'
  })
})

t.test('without Python the reason says so, and nothing is proved', async t => {
  const found = await compared({ command: 'no-such-python' })
  t.match(found, { verdict: 'not proved', reason: /needs Python 3/, counts: null, digest: null })
  t.match(await proofOf(database, 'lantern'), { verdict: 'not proved', files: [] })
  await change(
    "insert into runs (source, status, started_at, snapshot) values ('lantern', 'succeeded', now(), 'later')"
  )
  t.match(await proofOf(database, 'lantern'), { is_current: false })
})

t.test('a second reader that fails after its answer proves nothing', async t => {
  const command = join(scratchFolder(t), 'failing')
  const answer = JSON.stringify({ verdict: 'proved', reason: null, counts: null, first: [], files: {} })
  writeFileSync(command, `#!/bin/sh\ncat > /dev/null\necho '${answer}'\nexit 1\n`, { mode: 0o755 })
  t.match(await compared({ command }), { verdict: 'not proved', reason: 'The second reader failed.' })
})

t.test('a second reader that does not end is ended, and nothing is proved', async t => {
  const command = join(scratchFolder(t), 'endless')
  writeFileSync(command, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
  t.match(await compared({ command, minutes: 0.01 }), {
    verdict: 'not proved',
    reason: 'The second reader did not end in 0.01 minutes.'
  })
})

t.test(
  'a card that is kept without an attribute is proved, and the attribute that is held is not',
  { skip },
  async t => {
    const attributes = [
      { name: 'category', types: ['text'], values: ['spell'], meaning: 'Kind.' },
      { name: 'cost', types: ['integer', 'text'], most: 2, form: '^[0-9]$', meaning: 'Cost.' },
      { name: 'types', types: ['list'], longest: 3, meaning: 'Types.' }
    ] as const
    const odd = { ...source, id: 'odd', attributes }
    const { run, snapshot, odd_attributes: left } = await importSource(database, odd, { folder: dataFolder })
    t.same([...new Set(left.map(({ attribute }) => attribute))].sort(), ['category', 'cost', 'types'])
    const proved = (): Promise<Proving> => prove(database, odd, { run, snapshot, folder: dataFolder })
    t.match(await proved(), { verdict: 'proved', counts: { rows: 5, equal: 5 } })
    await change(
      `update observations set row = jsonb_set(row::jsonb, '{attributes}', '{"cost": 3}')::json where source = 'odd' and native_id = (
      select min(native_id) from observations where source = 'odd')`
    )
    t.match(await proved(), { verdict: 'different', counts: { different: 1 } })
  }
)
