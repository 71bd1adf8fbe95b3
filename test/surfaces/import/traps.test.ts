import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { mappedRows } from '../../support/mapped-rows.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { declaredSources } from './bundled-sources.ts'

const sources = declaredSources()

/**
 * Rows of a declared source, read from files made here in the shape of its upstream. A value that is no text is written
 * as JSON.
 */
async function read(
  t: Test,
  id: string,
  files: Readonly<Record<string, unknown>>
): Promise<{ sku: string; native: string; row: Readonly<Record<string, unknown>> }[]> {
  const folder = scratchFolder(t)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const rows = []
  for await (const mapped of mappedRows(sources.get(id)!.reader!, folder)) {
    rows.push(
      'reason' in mapped
        ? { sku: mapped.reason, native: mapped.nativeId, row: {} }
        : { sku: mapped.sku, native: mapped.nativeId, row: { ...mapped.row } }
    )
  }
  return rows
}
const skus = (rows: readonly { sku: string }[]): string[] => rows.map(({ sku }) => sku)

t.test(
  'a reprint lies in another pack than its set; Japanese packs have their label in the title; entities are characters',
  async t => {
    const pack = { label: 'OP-01', title: 'DAWN' }
    const rows = await read(t, 'punk-records', {
      'english/packs.json': {
        1: { id: '1', title_parts: pack },
        2: { id: '2', title_parts: { label: null, title: 'Promotion card' } }
      },
      'japanese/packs.json': {
        3: { id: '3', raw_title: 'ブースターパック 夜明け【OP-01】', title_parts: { label: null } }
      },
      'english/data/2.json': [
        {
          id: 'OP01-006_r1',
          pack_id: '2',
          name: 'Kid &amp; Killer',
          power: null,
          cost: 1,
          img_full_url: 'https://example.com/CANARY.png'
        }
      ],
      'japanese/data/3.json': [{ id: 'OP01-006', pack_id: '3', name: 'キッド' }]
    })
    t.same(skus(rows), ['op-op01-006-en-r1', 'op-op01-006-ja'])
    t.match(rows[0]?.row, {
      name: 'Kid & Killer',
      variant: 'r1',
      set: { name: 'DAWN', name_translations: { en: 'DAWN', ja: 'ブースターパック 夜明け' } }
    })
    t.notMatch(JSON.stringify(rows), /CANARY/)
  }
)

t.test('four cards with one number differ in the tail of the id; the file names the set', async t => {
  const rows = await read(t, 'pokemon-tcg-data', {
    'sets/en.json': [
      { id: 'cel25c', name: 'Classic', releaseDate: '2021/10/08', total: 25, ptcgoCode: 'CEL' },
      { id: 'cel25', ptcgoCode: 'CEL' }
    ],
    'cards/en/cel25c.json': [
      { id: 'cel25c-15_A1', number: '15', name: 'One' },
      { id: 'cel25c-15_A2', number: '15', name: 'Two' },
      { id: 'cel25c-TG01', number: 'TG01', name: 'Three' }
    ]
  })
  t.same(skus(rows), ['pkm-cel25c-15-en-a1', 'pkm-cel25c-15-en-a2', 'pkm-cel25c-tg01-en'])
  t.match(rows[0]?.row, { set: { released_on: '2021-10-08', declared_total: 25 } })
})

t.test(
  'a hyphen, a slash, a blank, a colon or an apostrophe in a part cannot be mistaken for the end of it',
  async t => {
    const pocket = await read(t, 'ptcg-pocket', {
      'dist/sets.json': { A: [{ code: 'PROMO-A', name: { en: 'Promo-A' }, releaseDate: '2024-10-30' }] },
      'dist/cards/PROMO-A.json': [{ set: 'PROMO-A', number: 1, name: 'A', rarity: 'C' }],
      'dist/cards/fr/PROMO-A.json': [{ set: 'PROMO-A', number: 1, name: 'B', rarity: 'C' }]
    })
    t.same(skus(pocket), ['ptcgp-promo_a-1-en', 'ptcgp-promo_a-1-fr'])
    t.match(pocket[1]?.row, {
      name: 'B',
      rarity: 'C',
      name_translations: { en: 'A', fr: 'B' },
      set: { declared_total: null }
    })
    t.same(
      skus(
        await read(t, 'weiss-schwarz-eng-db', {
          'DB/A.json': [
            { code: 'CCS/WX01-001', name: 'a' },
            { code: 'CCS/WX01-BSF2019-02', name: 'b' }
          ]
        })
      ),
      ['ws-ccs~2fwx01-001-en', 'ws-ccs~2fwx01-bsf2019_02-en']
    )
    t.same(
      skus(
        await read(t, 'grandarchive-csv', {
          'cards_data.csv':
            "set,collector_number,name,slug,rarity,illustrator\r\nRe:Collection,004,,tristan-shd,4,A\r\nRe:Collection,004,,tristan-shd-csr,7,A\r\nProxia's Vault,001T,,b-prxy,1,\r\n"
        })
      ),
      ['ga-re~3acollection-004-en', 'ga-re~3acollection-004-en-csr', 'ga-proxia~27s.vault-001t-en']
    )
  }
)

t.test('a variant that only an address kept', async t => {
  const image = (name: string) => ({
    images: { small: `https://world.digimoncard.com/images/cardlist/card/${name}.png` }
  })
  const digimon = await read(t, 'apitcg-digimon', {
    'cards/en/bt04.json': [
      { id: 'BT4-011', name: 'A', dp: '-', set: { id: 'bt04', name: 'Great' }, ...image('BT4-011') },
      { id: 'BT4-011', name: 'A', set: { id: 'bt04' }, ...image('BT4-011_P5') },
      { id: 'BT4-012-p1', name: 'B', set: { id: 'bt04' }, ...image('BT4-012_P1') }
    ],
    'sets/en/index.json': [{ id: 'bt04', name: 'test' }]
  })
  t.same(
    digimon.map(({ sku, native }) => [sku, native]),
    [
      ['dgm-bt4-011-en', 'BT4-011'],
      ['dgm-bt4-011-en-p5', 'BT4-011_P5'],
      ['dgm-bt4-012-en-p1', 'BT4-012_P1']
    ]
  )
  t.match(digimon[0]?.row, { set: { name: 'Great' } }, 'the stub of sets says nothing')
  const url = (no: string): string => `https://example.com/detail_iframe.php?card_no=${no}`
  t.same(
    skus(
      await read(t, 'apitcg-union-arena', {
        'cards/en/general.json': [
          { code: 'BLC-1-103', name: 'a', url: url('UE01ST/BLC-1-103') },
          { code: 'BLC-1-103', name: 'a', url: url('UEPR/BLC-1-103_p5'), rarity: 'SR★★' },
          { code: '2024-AP02', name: 'b', url: url('UEPR/2024-AP02') }
        ]
      })
    ),
    ['ua-ue01st-blc_1_103-en', 'ua-uepr-blc_1_103-en-p5', 'ua-uepr-2024_ap02-en']
  )
})

t.test('the beta edition has the numbers of later sets; layout within a rarity is one blank', async t => {
  const card = { id: 'ST01-001', name: 'G', rarity: 'LR                +' }
  const rows = await read(t, 'apitcg-gundam', {
    'cards/en/beta.json': [{ ...card, set: { id: 'beta', name: 'Beta' } }],
    'cards/en/st01.json': [{ ...card, set: { id: 'st01', name: 'Heroic [ST01]' } }]
  })
  t.same(skus(rows), ['gcg-st01-001-en-beta', 'gcg-st01-001-en'])
  t.match(rows[0]?.row, { rarity: 'LR +', set: { name: 'Heroic' } })
})

t.test('a translation lies over a card by its code, and an empty one is none', async t => {
  const rows = await read(t, 'netrunner-cards-json', {
    'packs.json': [{ code: 'core', name: 'Core', date_release: '2012-09-06', size: 113 }],
    'pack/core.json': [
      { code: '01001', pack_code: 'core', position: 1, title: 'Noise', illustrator: 'A & B' },
      { code: '01002', pack_code: 'core', position: 2, title: 'Déjà Vu' }
    ],
    'translations/fr/packs.fr.json': [{ code: 'core', name: '\uFEFFBase' }],
    'translations/fr/pack/core.fr.json': [{ code: '01001', title: 'Bruit' }],
    'translations/ja/packs.ja.json': [],
    'translations/ja/pack/core.ja.json': [
      { code: '01001', title: null, text: null },
      { code: '01002', title: 'デジャヴ' }
    ],
    'translations/ja/mwl.ja.json': [{ code: 'no card', title: 'none' }]
  })
  t.same(skus(rows), ['nr-core-1-en', 'nr-core-2-en', 'nr-core-1-fr', 'nr-core-2-ja'])
  t.match(rows[2]?.row, {
    name: 'Bruit',
    illustrators: ['A', 'B'],
    name_translations: { en: 'Noise', fr: 'Bruit' },
    set: { name_translations: { fr: 'Base' }, released_on: '2012-09-06' }
  })
})

t.test('one card per file, joined by the file of its pack', async t => {
  const rows = await read(t, 'fiveringsdb-data', {
    'json/Pack.json': [{ id: 'a-champion-s-foresight', name: 'Foresight', released_at: '2019-10-01', size: 22 }],
    'json/PackCard/a-champion-s-foresight.json': [
      { card_id: '23-shiro', position: '89', illustrator: null },
      { card_id: '23-other', position: 61 }
    ],
    'json/Card/23-shiro.json': { id: '23-shiro', name: 'Shiro', type: 'stronghold' },
    'json/Card/23-other.json': { id: '23-other', name: 'Other' }
  })
  t.same(skus(rows), ['l5r-a_champion_s_foresight-89-en', 'l5r-a_champion_s_foresight-61-en'])
  t.match(rows[0]?.row, { name: 'Shiro', attributes: { category: 'stronghold' }, set: { name: 'Foresight' } })
})

t.test('all sets of a card in one text, without numbers; dates without separators', async t => {
  const rows = await read(t, 'vtescsv', {
    'vtessets.csv': '"Id","Abbrev","Release Date","Full Name","Company"\n"1","Jyhad","19940816","Jyhad, first", "W"\n',
    'vtescrypt.csv':
      '"Id","Name","Type","Clan","Card Text","Set","Artist"\n"200001","Né","Vampire","A","One\nTwo","Jyhad:C, Promo-19960101","A; B & C"\n',
    'vteslib.csv': '"Id","Name","Type","Set","Artist"\n'
  })
  t.same(skus(rows), ['vtes-jyhad-200001-en', 'vtes-promo_19960101-200001-en'])
  t.match(rows[0]?.row, {
    rarity: 'C',
    illustrators: ['A', 'B', 'C'],
    set: { name: 'Jyhad, first', released_on: '1994-08-16' }
  })
  t.match(rows[1]?.row, { rarity: null, set: { name: null } })
})

t.test('tables without quoting, numbers behind the name, names with brackets, tokens without a name', async t => {
  const rows = await read(t, 'fftcg-lackey', {
    'sets/carddata.txt':
      'Name\tSet\tImageFile\tCategory 1 \tType\nMog (XIII-2) (1-196S)\tOpus_I\tCANARY.jpg\t"X\tBackup\n (C-001)\tBoss\tx.jpg\tX\tnull\nA (6-006C/1-011C)\tOpus_I\tx\tX\tForward\n'
  })
  t.same(skus(rows), ['fftcg-opus~5fi-1_196s-en', 'fftcg-boss-c_001-en', 'fftcg-opus~5fi-6_006c~2f1_011c-en'])
  t.same(
    rows.map(({ row }) => row['name']),
    ['Mog (XIII-2)', null, 'A']
  )
  t.notMatch(JSON.stringify(rows), /CANARY/)
})

t.test('other pictures by the end of the title, rarities by their keys, a day that is none as a note', async t => {
  const card = (id: number, title: string, set = '203') => ({
    id,
    gempId: '203_26',
    set,
    rarity: 'U',
    front: { title, imageUrl: 'https://example.com/CANARY.gif' }
  })
  const rows = await read(t, 'swccg-card-json', {
    'sets.json': [
      { id: '203', name: 'Set 3', date_release: '2016-01-01', size: 30 },
      { id: '1000d', name: 'Promo', date_release: '0000-00-00', size: -99 }
    ],
    'rarity.json': { U: 'Uncommon' },
    'Dark.json': {
      cards: [card(1, '•Maul, Hunter (V)'), card(2, '•Maul, Hunter (V) (C-Slip AI 2)'), card(3, 'Other', '1000d')]
    }
  })
  t.same(skus(rows), ['swccg-203-26-en', 'swccg-203-26-en-c_slip.ai.2', 'swccg-1000d-26-en'])
  t.match(rows[0]?.row, { rarity: 'Uncommon' })
  t.match(rows[2]?.row, { set: { released_on: null, released_note: '0000-00-00', declared_total: null } })
})

t.test('YAML: printings in several sets and languages; one card per file, one of them without a set', async t => {
  const set = (name: string): string =>
    `- variants:\n    - { set: ${name}, id: 4, suffix: a, dreamborn: "003-004", rarity: rare }\n    - { set: p2, id: 24, rarity: special }\n  type: glimmer\n  third_party: { card_market: "https://example.com/CANARY" }\n  languages:\n    en: { name: "Stitch\u00a0", title: Pilot }\n    fr: { name: Stitch }\n`
  const files = Object.fromEntries(
    ['tfc', 'rotf', 'iti', 'urr', 'ssk', 'azu', 'arc', 'roj', 'fab', 'whi'].map(name => [
      `data/${name}.yml`,
      name === 'iti' ? set(name) : '[]'
    ])
  )
  const rows = await read(t, 'lorcana-data', files)
  t.same(skus(rows), ['lor-iti-4-en-a', 'lor-iti-4-fr-a', 'lor-p2-24-en', 'lor-p2-24-fr'])
  t.match(rows[0]?.row, { name: 'Stitch - Pilot', card_number: '4a', name_translations: { fr: 'Stitch' } })
  t.notMatch(JSON.stringify(rows), /CANARY/)
  t.same(
    skus(
      await read(t, 'cardcaptors-tcg-data', {
        'cards/S1.yml': 'name: A\nnumber: "S1"\nset_name: Starter Deck\n',
        'cards/S48.yml': 'name: B\nnumber: "S48"\nset_name: ""\n'
      })
    ),
    ['ccs-starter.deck-s1-en', 'ccs-unknown-s48-en']
  )
})

t.test('emoji as field names, a repeated identifier, affiliate links', async t => {
  const record = (id: string, number: string) => ({
    id,
    fields: {
      Name: 'Six-Gun',
      Subtitle: 'Soldier',
      Set: 'Wave 1A',
      'Card #': number,
      '⭐': 9,
      '🧡': 12,
      'Bot⚔️': 4,
      'Check Prices (TCGPlayer)': 'https://example.com/CANARY'
    }
  })
  const rows = await read(t, 'tftcg-cards-json', {
    'json/battle-cards.json': { records: [] },
    'json/bot-cards.json': { records: [record('rec1', 'T09/T52'), record('rec1', 'T10/T52')] }
  })
  t.same(
    rows.map(({ sku, native }) => [sku, native]),
    [
      ['tf-wave.1a-t09~2ft52-en', 'rec1 T09/T52'],
      ['tf-wave.1a-t10~2ft52-en', 'rec1 T10/T52']
    ]
  )
  t.match(rows[0]?.row, { name: 'Six-Gun - Soldier', attributes: { cost: 9, life: 12, power: 4 } })
  t.notMatch(JSON.stringify(rows), /CANARY/)
})
