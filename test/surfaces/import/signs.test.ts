// test: slow.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import type { Source, SourceReader } from '../../../surfaces/import/source.ts'
import type { Survey } from '../../../surfaces/import/survey.ts'
import { importSource } from '../../../surfaces/importer.ts'
import { testDatabase } from '../../support/database.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { plain } from './rows-on-disk.ts'

const { database } = await testDatabase(t)

/** What the dry run of an import of these files says; `lan` is the game of all of them. */
async function surveyOf(t: Test, reader: SourceReader, files: Readonly<Record<string, unknown>>): Promise<Survey> {
  const folder = scratchFolder(t)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), JSON.stringify(content))
  }
  const source: Source = { ...plain(), languages: ['en', 'ja', 'de'], reader }
  return (await importSource(database, source, { folder, dryRun: true })).survey!
}

const map = {
  native_id: 'row.id',
  game: { const: 'lan' },
  set_code: 'row.set',
  number: 'row.id',
  name: 'row.name',
  lang: { const: 'en' }
} as const satisfies SourceReader['map']
const reader = (more: Partial<SourceReader['map']>, others: Partial<SourceReader> = {}): SourceReader => ({
  files: [{ shape: 'json', path: 'rows.json' }],
  rows: [{ as: 'row' }],
  map: { ...map, ...more },
  ...others
})

type Row = Readonly<Record<string, unknown>>
const rows = (count: number, of: (at: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}a`, set: `AB${at % 3}`, name: `Card ${at}`, ...of(at) }))
const doubtsOf = ({ fields }: Survey): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.flatMap(({ field, doubt }) => (doubt === null ? [] : [[field, doubt]])))

/** Rows of which a field is marked, with what is said; and the same rows without the mistake, where nothing is. */
const marks: Readonly<
  Record<
    string,
    readonly [more: Partial<SourceReader['map']>, wrong: readonly Row[], right: readonly Row[], doubts: Row]
  >
> = {
  'two fields with the same values': [
    { rarity: 'row.rarity', illustrators: { path: 'row.artist', transform: ['list'] } },
    rows(12, at => ({ rarity: `[EX] ${at % 4}`, artist: `[EX] ${at % 4}` })),
    rows(12, at => ({ rarity: `R ${at % 4}`, artist: `A ${at % 4}` })),
    { illustrators: 'has the same values as `rarity`' }
  ],
  'the name of the card as name of the set': [
    { set_name: 'row.of' },
    rows(3, at => ({ of: `Card ${at}` })),
    rows(3, at => ({ of: `Set ${at}` })),
    { set_name: 'has the same values as `name`' }
  ],
  'fewer names than one for a hundred rows': [
    {},
    rows(301, at => ({ name: `Kind ${at % 3}` })),
    rows(300, at => ({ name: `Kind ${at % 3}` })),
    { name: 'fewer names than one for a hundred rows' }
  ],
  'a set with several names': [
    { set_name: 'row.of' },
    rows(9, at => ({ of: `Set ${at % 6}` })),
    rows(9, at => ({ of: `Set ${at % 3}` })),
    { set_name: '`ab0` has 2 names: `Set 0`, `Set 3`; so have 2 more' }
  ],
  'a total that varies within a set': [
    { declared_total: 'row.total' },
    rows(9, at => ({ total: at === 4 ? 7 : 100 + (at % 3) })),
    rows(9, at => ({ total: 100 + (at % 3) })),
    { declared_total: '`ab1` has 2 totals: `101`, `7`' }
  ],
  'Japanese names as English ones': [
    {},
    rows(50, at => (at < 3 ? { name: `島の${at}` } : {})),
    rows(80, at => (at < 3 ? { name: `島の${at}` } : {})),
    { name: '3 of 50 in `en` are in another script, as `島の0`' }
  ],
  'English names as Japanese ones': [
    { lang: { const: 'ja' } },
    rows(9, at => ({ name: at < 5 ? `Isle ${at}` : `島の${at}` })),
    rows(9, at => ({ name: at < 4 ? `Isle ${at}` : `島の${at}` })),
    { name: '5 of 9 in `ja` are in another script, as `Isle 0`' }
  ],
  'sets that differ by case alone': [
    {},
    rows(9, at => ({ set: at < 2 ? 'blcr' : 'BLCR', at })),
    rows(9, at => ({ set: at < 2 ? 'blc' : 'BLCR', at })),
    { set_code: '`blcr` has 2 spellings, which are one set: `blcr`, `BLCR`' }
  ],
  'a translation that many names have': [
    { name_translations: { languages: { de: 'row.de' } } },
    rows(12, at => ({ de: `Art ${at % 5}` })),
    rows(12, at => ({ de: `Art ${at % 6}` })),
    { name_translations: '12 names have 5 in `de`' }
  ],
  'text that was encoded twice': [
    {},
    rows(9, at => (at === 8 ? { name: 'PokÃ©mon Center' } : {})),
    rows(9, at => (at === 8 ? { name: 'Pokémon Center, São Ângelo' } : {})),
    { name: 'was encoded twice, as in "PokÃ©mon Center"' }
  ],
  'a quotation mark that was encoded twice': [
    {},
    rows(9, at => (at === 8 ? { name: 'Naturâ€™s' } : {})),
    rows(9, at => (at === 8 ? { name: 'Natur’s' } : {})),
    { name: 'was encoded twice, as in "Naturâ€™s"' }
  ],
  'a lost character': [
    {},
    rows(9, at => (at === 8 ? { name: 'Pok\ufffdmon' } : {})),
    rows(9, at => (at === 8 ? { name: 'Pokémon' } : {})),
    { name: 'has the character U+FFFD, which stands for one that was lost, as in "Pok\ufffdmon"' }
  ]
}

for (const [mistake, [more, wrong, right, doubts]] of Object.entries(marks)) {
  t.test(mistake, async t => {
    t.same(doubtsOf(await surveyOf(t, reader(more), { 'rows.json': wrong })), doubts)
    t.same(doubtsOf(await surveyOf(t, reader(more), { 'rows.json': right })), {}, 'nothing is said without it')
  })
}

t.test('a translation that the names of several languages have is no sign', async t => {
  const languages = rows(24, at => ({
    lang: at < 12 ? 'en' : 'ja',
    name: at < 12 ? `Card ${at}` : `島 ${at}`,
    de: `Karte ${at % 12}`
  }))
  t.same(
    doubtsOf(
      await surveyOf(t, reader({ lang: 'row.lang', name_translations: { languages: { de: 'row.de' } } }), {
        'rows.json': languages
      })
    ),
    {}
  )
})

t.test('every name of a long list is looked at', async t => {
  const wrong = rows(6_000, at => (at === 5_999 ? { name: 'Ãœberdrache' } : {}))
  t.same(doubtsOf(await surveyOf(t, reader({}), { 'rows.json': wrong })), {
    name: 'was encoded twice, as in "Ãœberdrache"'
  })
})

t.test('parts of a reader that are of no use', async t => {
  const tables = { file: { shape: 'json', path: 'sets.json' }, rows: [{ as: 'set' }], key: 'set.code' } as const
  const of = async (more: Partial<SourceReader['map']>, others: Partial<SourceReader> = {}): Promise<unknown> =>
    (
      await surveyOf(t, reader(more, others), {
        'rows.json': rows(6, at => ({ rarity: at < 3 ? 'C' : 'R', stats: [{ name: 'Cost', value: at }] })),
        'more.json': rows(2, at => ({ id: `${at}m` })),
        'sets.json': [{ code: 'AB0', name: 'Zero' }]
      })
    ).unused
  t.same(await of({ rarity: { path: 'row.rarity', values: { C: 'Common', R: 'Rare', r: 'Rare' } } }), [
    { at: 'map.rarity.values', doubt: 'matches nothing: `r`' }
  ])
  t.same(await of({ rarity: { path: 'row.rarity', none: ['C', '-'], replace: { R: 'Rare', U: 'Uncommon' } } }), [
    { at: 'map.rarity.replace', doubt: 'matches nothing: `U`' }
  ])
  t.same(await of({ rarity: { first: ['row.rarity', { path: 'row.id', values: { x: 'y' } }] } }), [], 'never tried')
  t.same(
    await of({
      rarity: { first: [{ path: 'row.rarity', pattern: '^(?<x>X)', group: 'x' }, 'row.rarity'] },
      variant: { path: 'row.rarity', pad: 3 },
      attributes: { cost: { path: 'row.stats', where: { name: 'cost' }, take: 'value' } }
    }),
    [
      { at: 'map.rarity.first.0.pattern', doubt: 'matches nothing' },
      { at: 'map.variant.pad', doubt: 'fills up nothing: no value is digits alone' },
      { at: 'map.attributes.cost.where', doubt: 'finds no member' }
    ]
  )
  t.same(await of({ variant: { const: 'x', when: { value: 'row.rarity', is: ['C', 'Q'] } } }), [
    { at: 'map.variant.when.is', doubt: 'matches nothing: `Q`' }
  ])
  t.same(
    await of(
      { set_name: { lookup: 'sets', key: 'row.name', path: 'set.name' } },
      { tables: { sets: tables, packs: tables }, expressions: { low: 'row.name' } }
    ),
    [
      { at: 'map.set_name.lookup', doubt: 'finds nothing: no key is in the table' },
      { at: 'tables.packs', doubt: 'nothing reads it' },
      { at: 'expressions.low', doubt: 'nothing reads it' }
    ]
  )
  t.same(
    await of({}, { files: [{ shape: 'json', path: '*.json', except: ['sets.json', 'packs.json', 'more.json'] }] }),
    [{ at: 'files.0.except', doubt: 'matches nothing: `packs.json`' }]
  )
})
