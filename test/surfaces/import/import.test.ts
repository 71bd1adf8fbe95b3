// test: slow.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gameContentHash, setContentHash } from '../../../surfaces/cards/documents/sets-and-games.ts'
import { runsText } from '../../../surfaces/import/command.ts'
import { importSource } from '../../../surfaces/importer.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { testDatabase } from '../../support/database.ts'
import { dataFolder, lantern } from './lantern.ts'
import { plain, writeRows, type Row } from './rows-on-disk.ts'

const { database } = await testDatabase(t)
const tables = [
  'runs',
  'games',
  'sets',
  'cards',
  'observations',
  'sightings',
  'declared_sets',
  'disagreements',
  'quarantine'
]

const query = async <T extends object>(sql: string): Promise<T[]> => (await database.bulk.raw<{ rows: T[] }>(sql)).rows
const load = (rows: readonly Row[], folder: string, id?: string) =>
  importSource(database, plain(id), { folder: writeRows(folder, rows) })
t.beforeEach(async () => {
  await database.bulk.raw(`truncate ${tables.join(', ')} restart identity cascade`)
})

t.test('rows become cards, sets and a game, and the run says how many', async t => {
  t.match(await importSource(database, lantern, { folder: dataFolder }), {
    run: 1,
    source: 'lantern',
    read: 5,
    written: 5,
    unchanged: 0,
    quarantined: 0
  })
  t.match(
    await query(
      'select sku, game, set_code, card_number, lang, variant, name, rarity, illustrators, sources from cards order by sku limit 1'
    ),
    [
      {
        sku: 'lan-ab1-001-en',
        game: 'lan',
        set_code: 'AB1',
        card_number: 'AB1-001',
        lang: 'en',
        variant: '',
        name: 'First Lantern',
        rarity: 'R',
        illustrators: ['A. Painter'],
        sources: ['lantern']
      }
    ]
  )
  t.same(
    await query(
      'select code, name, released_on, released_note, declared_total, card_count, content_hash from sets order by code'
    ),
    [
      {
        code: 'AB1',
        name: 'Alpha Beacon',
        released_on: '2024-02-29',
        released_note: null,
        declared_total: 2,
        card_count: 4,
        content_hash: setContentHash({
          game: 'lan',
          set_code: 'AB1',
          name: null,
          released_on: '2024-02-29',
          declared_total: 2,
          card_count: 4
        })
      },
      {
        code: 'P',
        name: 'Promos',
        released_on: null,
        released_note: '0000-00-00',
        declared_total: null,
        card_count: 1,
        content_hash: setContentHash({
          game: 'lan',
          set_code: 'P',
          name: null,
          released_on: null,
          declared_total: null,
          card_count: 1
        })
      }
    ]
  )
  const game = { set_count: 2, card_count: 5, declared_card_count: 2 }
  t.match(await query('select * from games'), [
    { token: 'lan', ...game, content_hash: gameContentHash({ game: 'lan', ...game }) }
  ])
  t.match(await query('select * from runs'), [
    { status: 'succeeded', rows_read: 5, rows_written: 5, rows_unchanged: 0, rows_quarantined: 0 }
  ])
})

t.test('no price, image, shop id or link is in the database', async t => {
  await importSource(database, lantern, { folder: dataFolder })
  const stored = await query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'"
  )
  t.same(
    tables.filter(table => !stored.some(({ name }) => name === table)),
    []
  )
  for (const { name } of stored) {
    const text = JSON.stringify(await query(`select * from ${name}`))
    t.notMatch(text, /CANARY/, name)
    t.notMatch(text, /https?:/, name)
  }
})

t.test('a second run of the same files changes no card, set or game', async t => {
  await importSource(database, lantern, { folder: dataFolder })
  const before = await query(
    'select xmin::text, sku from cards union all select xmin::text, code from sets union all select xmin::text, token from games order by 2'
  )
  t.match(await importSource(database, lantern, { folder: dataFolder }), {
    read: 5,
    written: 0,
    unchanged: 5,
    quarantined: 0
  })
  t.same(
    await query(
      'select xmin::text, sku from cards union all select xmin::text, code from sets union all select xmin::text, token from games order by 2'
    ),
    before
  )
  t.same(await query('select distinct from_run from observations'), [{ from_run: 1 }])
  t.same(await query('select from sightings'), [])
})

t.test('only what changed is written', async t => {
  const folder = scratchFolder(t)
  await load(
    [
      { id: 'a', name: 'A' },
      { id: 'b', number: '002', name: 'B' }
    ],
    folder
  )
  t.match(
    await load(
      [
        { id: 'a', name: 'A' },
        { id: 'b', number: '002', name: 'Better' }
      ],
      folder
    ),
    { written: 1, unchanged: 1 }
  )
  t.match(await query('select sku, name from cards where updated_at > first_seen_at'), [
    { sku: 'lan-ab1-002-en', name: 'Better' }
  ])
})

t.test('of two rows with one SKU the first is kept, the other quarantined with both native ids', async t => {
  const folder = scratchFolder(t)
  t.match(
    await load(
      [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' }
      ],
      folder
    ),
    { read: 2, written: 1, quarantined: 1 }
  )
  t.match(await query('select native_id, other_native_id, sku, reason from quarantine'), [
    {
      native_id: 'b',
      other_native_id: 'a',
      sku: 'lan-ab1-001-en',
      reason: 'Another row of this source has the same SKU.'
    }
  ])
  t.match(
    await load(
      [
        { id: 'b', name: 'B' },
        { id: 'a', name: 'A' }
      ],
      folder
    ),
    { written: 1, unchanged: 0, quarantined: 1 }
  )
  t.match(await query('select name from cards'), [{ name: 'B' }], 'the first of the files, whatever was held')
})

t.test('a repeated native id is quarantined, and the reason tells copies from contradictions', async t => {
  await load(
    [
      { id: 'a', name: 'A' },
      { id: 'a', name: 'A' },
      { id: 'a', number: '003' }
    ],
    scratchFolder(t)
  )
  t.same(
    (await query<{ reason: string }>('select reason from quarantine order by id')).map(({ reason }) => reason),
    [
      'Another row of this source has the same id, and both say the same of what is kept.',
      'Another row of this source has the same id, and the two differ.'
    ]
  )
  t.match(await query('select sku from cards'), [{ sku: 'lan-ab1-001-en' }])
})

t.test('a row that cannot be kept is quarantined with the reason', async t => {
  t.match(await load([{ id: 'a' }, { id: 'b', lang: 'no language' }, { id: '' }], scratchFolder(t)), {
    read: 3,
    written: 1,
    quarantined: 2
  })
  t.match(await query('select native_id, sku, reason from quarantine order by id'), [
    { native_id: 'b', sku: null, reason: /`lang`/ },
    { native_id: 'row 3', sku: null, reason: '`native_id` is missing.' }
  ])
})

t.test('a row with a value that its attribute does not allow is kept without it, which is told', async t => {
  const attributes = [{ name: 'category', types: ['text' as const], values: ['spell'], meaning: 'Kind of card.' }]
  const run = await importSource(database, { ...lantern, attributes }, { folder: dataFolder, dryRun: true })
  t.match(run, { read: 5, written: 5, quarantined: 0, refusals: [] })
  const [odd] = run.odd_attributes
  t.match(odd, { attribute: 'category', reason: '`attributes.category` must be one of spell.' })
  t.ok(odd!.rows > 0 && odd!.rows < 5)
  t.match(
    runsText([run]),
    new RegExp(`lantern +${odd!.rows} +category +\`attributes.category\` must be one of spell\\.`)
  )
})

t.test('two sources that see one card make one card and two observations', async t => {
  const folder = scratchFolder(t)
  await load(
    [
      { id: '1', name: 'Other' },
      { id: '3', number: '003', name: 'C', setName: 'Filled by the second', total: 9 }
    ],
    folder,
    'zeta'
  )
  await load(
    [
      { id: 'a', name: 'A' },
      { id: 'c', number: '003' }
    ],
    folder,
    'alpha'
  )
  t.match(
    await query('select name, sources from cards order by sku'),
    [
      { name: 'A', sources: ['alpha', 'zeta'] },
      { name: 'C', sources: ['alpha', 'zeta'] }
    ],
    'the first by id speaks first, though it came later, and the second fills the gap'
  )
  t.match(await query('select name, declared_total, card_count from sets'), [
    { name: 'Filled by the second', declared_total: 9, card_count: 2 }
  ])
  t.match(
    await query("select source, row ->> 'name' as name from observations where sku = 'lan-ab1-001-en' order by source"),
    [
      { source: 'alpha', name: 'A' },
      { source: 'zeta', name: 'Other' }
    ],
    'and the disagreement is on record'
  )
  t.match(
    await load(
      [
        { id: 'a', name: 'A' },
        { id: 'c', number: '003' }
      ],
      folder,
      'alpha'
    ),
    { written: 0, unchanged: 2 }
  )
})

t.test('a source of the release speaks before one of a folder, and does so at once when that changes', async t => {
  const folder = writeRows(scratchFolder(t), [{ id: 'a', name: 'Folder' }])
  await importSource(database, plain('alpha'), { folder })
  writeRows(folder, [{ id: 'a', name: 'Release' }])
  for (const [where, name] of [
    ['package', 'Release'],
    ['folder', 'Folder'],
    ['package', 'Release']
  ] as const) {
    await importSource(database, { ...plain('zeta'), where }, { folder })
    t.match(await query('select name from cards'), [{ name }], where)
  }
})

t.test('names of two sources join, and the name that leads stays under its own language', async t => {
  const folder = writeRows(scratchFolder(t), [{ id: 'a', name: 'Lead' }])
  await importSource(database, plain('alpha'), { folder })
  const { reader } = plain('zeta')
  writeRows(folder, [{ id: 'a', name: 'Other', setName: 'Chef' }])
  const withFrench = { ...reader!.map, name_translations: { languages: { fr: 'row.setName' } } }
  await importSource(database, { ...plain('zeta'), reader: { ...reader!, map: withFrench } }, { folder })
  t.same(await query('select name, name_translations from cards'), [
    { name: 'Lead', name_translations: { en: 'Lead', fr: 'Chef' } }
  ])
})

t.test('what a row no longer says, nobody says: its observation ends, and its sighting says when', async t => {
  const folder = scratchFolder(t)
  await load(
    [
      { id: 'a', name: 'A' },
      { id: 'b', number: '002' }
    ],
    folder
  )
  t.match(await load([{ id: 'a', name: 'A' }], folder), {
    read: 1,
    written: 0,
    unchanged: 1,
    withdrawals: { cards: 1, examples: [{ sku: 'lan-ab1-002-en', reason: 'gone', successor: null }] }
  })
  t.same(await query('select native_id, from_run from observations'), [{ native_id: 'a', from_run: 1 }])
  t.match(await query('select native_id, from_run, until_run from sightings'), [
    { native_id: 'b', from_run: 1, until_run: 2 }
  ])
  t.match(await query('select card_count from games'), [{ card_count: 1 }])
  await load(
    [
      { id: 'a', name: 'A' },
      { id: 'b', number: '002' }
    ],
    folder
  )
  t.match(
    await query('select native_id, from_run from observations order by 1'),
    [
      { native_id: 'a', from_run: 1 },
      { native_id: 'b', from_run: 3 }
    ],
    'and when it is seen again'
  )
  t.match(await query('select card_count from games'), [{ card_count: 2 }])
  t.same(await query('select from withdrawals'), [], 'a card that is back is not withdrawn')
})

t.test('a card whose upstream gives it another identity moves, and an empty set goes', async t => {
  const folder = scratchFolder(t)
  await load(
    [
      { id: 'a', set: 'OLD' },
      { id: 'b', set: 'AB1' }
    ],
    folder
  )
  await load(
    [
      { id: 'a', set: 'NEW' },
      { id: 'b', set: 'AB1' }
    ],
    folder
  )
  t.same(
    (await query<{ sku: string }>('select sku from cards order by 1')).map(({ sku }) => sku),
    ['lan-ab1-001-en', 'lan-new-001-en']
  )
  t.same(
    (await query<{ code: string }>('select code from sets order by 1')).map(({ code }) => code),
    ['AB1', 'NEW']
  )
  t.match(await query('select set_count, card_count from games'), [{ set_count: 2, card_count: 2 }])
})

t.test(
  'a repeated row is found however far apart the two are, also in a source of several games of which one is held already',
  async t => {
    const folder = t.testdir()
    const two = { ...plain('two'), games: ['lan', 'tow'] }
    const source = { ...two, reader: { ...two.reader!, map: { ...two.reader!.map, game: 'row.set_name' } } }
    const row = (id: string, game: string, number: number, name = 'Card') => ({
      id,
      set_name: game,
      number: String(number),
      name
    })
    const between = Array.from({ length: 4500 }, (_, index) => row(`id ${index}`, 'tow', index + 1))
    await load([{ id: 'a', number: '1' }], folder, 'one')
    writeRows(folder, [
      row('twice', 'lan', 1),
      ...between,
      row('twice', 'tow', 9000, 'Other'),
      row('id 7', 'tow', 8),
      row('late', 'tow', 5)
    ])
    t.match(await importSource(database, source, { folder }), { read: 4504, written: 4501, quarantined: 3 })
    t.same(await query("select native_id, other_native_id from quarantine where source = 'two' order by native_id"), [
      { native_id: 'id 7', other_native_id: 'id 7' },
      { native_id: 'late', other_native_id: 'id 4' },
      { native_id: 'twice', other_native_id: 'twice' }
    ])
  }
)

t.test('a native id that was renamed takes over from the one that vanished', async t => {
  const folder = scratchFolder(t)
  await load([{ id: 'old', name: 'Old', setName: 'Old set' }], folder)
  await load([{ id: 'new', name: 'New', setName: 'New set' }], folder)
  t.match(await query('select c.name, s.name as set_name from cards c join sets s on s.id = c.set_id'), [
    { name: 'New', set_name: 'New set' }
  ])
})

t.test('a failed import leaves the cards as they are and is on record', async t => {
  const folder = scratchFolder(t)
  await load([{ id: 'a', name: 'A' }], folder)
  await t.rejects(load([{ id: 'a', lang: 'none at all' }], folder), {
    message: /None of 1 rows could be kept\. `lang`/
  })
  await t.rejects(load([], folder), { message: /None of 0 rows could be kept/ })
  rmSync(join(folder, 'rows.json'))
  await t.rejects(importSource(database, plain(), { folder }), { message: /no file `rows\.json`/ })
  t.match(await query('select name from cards'), [{ name: 'A' }])
  t.same(
    (await query<{ status: string }>('select status from runs order by id')).map(({ status }) => status),
    ['succeeded', 'failed', 'failed']
  )
})

t.test('an import that is interrupted leaves what was there, wherever it was', async t => {
  const folder = scratchFolder(t)
  await load([{ id: 'a', name: 'A' }], folder)
  writeRows(folder, [
    { id: 'a', name: 'Half' },
    { id: 'b', number: '002' }
  ])
  for (const place of [0.1, 0.6, 1]) {
    const stop = ({ fraction }: { fraction: number }): void => {
      if (fraction >= place) throw new Error('interrupted')
    }
    await t.rejects(importSource(database, plain(), { folder, progress: stop }), { message: 'interrupted' })
    t.match(await query('select sku, name from cards'), [{ sku: 'lan-ab1-001-en', name: 'A' }])
    t.match(await query('select native_id, from_run from observations'), [{ native_id: 'a', from_run: 1 }])
  }
  t.match(await importSource(database, plain(), { folder }), { read: 2, written: 2 })
})

t.test('a run that was killed counts as failed from the next one on', async t => {
  await database.bulk.raw("insert into runs (source, status, started_at) values ('killed', 'running', now())")
  await load([{ id: 'a' }], scratchFolder(t))
  t.match(await query("select status from runs where source = 'killed'"), [{ status: 'failed' }])
})

t.test('a dry run reads everything without writing', async t => {
  t.match(await importSource(database, lantern, { folder: dataFolder, dryRun: true }), { read: 5, written: 5 })
  for (const table of tables) t.match(await query(`select count(*)::int as count from ${table}`), [{ count: 0 }], table)
})

t.test('a source that is not wired is refused before anything is read', async t => {
  for (const access of ['planned', 'blocked'] as const) {
    await t.rejects(importSource(database, { ...lantern, access }, { folder: 'no such folder' }), {
      message: new RegExp(`its access is \`${access}\``)
    })
  }
  t.match(await query('select count(*)::int as count from runs'), [{ count: 0 }])
})

t.test('a source whose upstream asks for something is refused until it is recorded or said to be done', async t => {
  const asking = {
    ...lantern,
    conditions: [{ asks: 'Write to us first.', met: 'Written on 2026-01-02.' }, { asks: 'Keep the terms.' }]
  }
  await t.rejects(importSource(database, asking, { folder: 'no such folder' }), {
    message: /condition of its upstream is open: Keep the terms\./
  })
  t.match(await importSource(database, asking, { folder: dataFolder, conditionsMet: true }), { read: 5 })
  t.match(
    await importSource(database, { ...lantern, conditions: asking.conditions.slice(0, 1) }, { folder: dataFolder }),
    { read: 5 }
  )
})

t.test('a dry run says how full each field is, and what was refused', async t => {
  const folder = writeRows(scratchFolder(t), [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
    { id: 'c', number: '003' },
    { id: 'd', lang: 'no language' }
  ])
  const { survey, refusals } = await importSource(database, plain(), { folder, dryRun: true })
  t.match(survey, {
    files: 1,
    rows: 4,
    passed_over: 0,
    mapped: 3,
    examples: [{ native_id: 'a', sku: 'lan-ab1-001-en', row: { name: 'A' } }, {}, {}]
  })
  t.match(refusals, [
    {
      reason: 'Another row of this source has the same SKU.',
      rows: 1,
      examples: [{ native_id: 'b', other_native_id: 'a', sku: 'lan-ab1-001-en' }]
    },
    { reason: /`lang`/, examples: [{ native_id: 'd' }] }
  ])
  t.match(
    survey?.fields.find(({ field }) => field === 'name'),
    { filled: 2, share: 2 / 3, samples: ['A', 'B'] }
  )
  t.match(
    survey?.fields.find(({ field }) => field === 'set_name'),
    { filled: 0, doubt: 'no row has it' }
  )
  t.match(await query('select count(*)::int as count from quarantine'), [{ count: 0 }])
})

t.test('progress goes from the first row to the whole', async t => {
  const seen: number[] = []
  await importSource(database, lantern, { folder: dataFolder, progress: ({ fraction }) => seen.push(fraction) })
  t.same(
    seen,
    [...seen].sort((a, b) => a - b)
  )
  t.equal(seen.at(-1), 1)
})

t.test('imports at the same time wait for each other', async t => {
  const folder = writeRows(scratchFolder(t), [{ id: 'a', name: 'A' }])
  const runs = await Promise.all(['one', 'two'].map(id => importSource(database, plain(id), { folder })))
  t.same(
    runs.map(({ read }) => read),
    [1, 1]
  )
  t.match(await query('select sources from cards'), [{ sources: ['one', 'two'] }])
  t.same(
    (await query<{ status: string }>('select status from runs')).map(({ status }) => status),
    ['succeeded', 'succeeded']
  )
})
