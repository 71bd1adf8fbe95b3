// test: sampled.
import { join } from 'node:path'
import t from 'tap'
import { cards } from '../../../../surfaces/handlers/search.ts'
import { importSource } from '../../../../surfaces/importer.ts'
import { cardFolder, withoutCards } from '../../../support/card-folder.ts'
import { testDatabase } from '../../../support/database.ts'
import { someOf } from '../../../support/effort.ts'
import { declaredSources } from '../../import/bundled-sources.ts'
import { searchOver, type Match } from './ask-search.ts'

/**
 * What trips a reader of numbers: the game, the text asked for, the card that must come first, whether it is exact, and
 * whether several cards share the text.
 */
const traps: readonly (readonly [
  trap: string,
  game: string,
  q: string,
  first: string,
  confidence: 'exact' | 'fuzzy',
  ambiguous: boolean
])[] = [
  ['a hyphen in a set code', 'vtes', 'Promo-19960101 200312', 'vtes-promo_19960101-200312-en', 'exact', false],
  ['a hyphen in the set code of a game on screens', 'ptcgp', 'PROMO-A 7', 'ptcgp-promo_a-7-en', 'exact', false],
  [
    'hyphens throughout a set code',
    'l5r',
    "A Champion's Foresight 100",
    'l5r-a_champion_s_foresight-100-en',
    'exact',
    false
  ],
  ['a hyphen in a number', 'onr', 'all-nighter', 'onr-base-all_nighter-en', 'exact', false],
  [
    'an ampersand and an underscore in a number',
    'onr',
    'R&D-Protocol_Files',
    'onr-base-r~26d_protocol~5ffiles-en',
    'exact',
    false
  ],
  ['a number of title, wave and card', 'ua', 'UE01ST/BLC-1-035', 'ua-ue01st-blc_1_035-en', 'exact', false],
  ['one number in several sets', 'ua', 'BLC-1-103', 'ua-ue01st-blc_1_103-en', 'exact', true],
  ['an action point', 'ua', '2024-AP02', 'ua-uepr-2024_ap02-en', 'exact', false],
  ['a rarity behind a number', 'fftcg', '1-001H', 'fftcg-opus~5fi-1_001h-en', 'exact', false],
  ['two numbers on one card', 'fftcg', '6-006C/1-011C', 'fftcg-opus~5fvi-6_006c~2f1_011c-en', 'exact', false],
  ['a slash in a set code', 'ws', 'CCS/WX01-001', 'ws-ccs~2fwx01-001-en', 'exact', false],
  ['a set code of three parts', 'ws', 'CCS/WX01-BSF2019-02', 'ws-ccs~2fwx01-bsf2019_02-en', 'exact', false],
  ['a total behind a number, in two sets', 'tf', '58/81', 'tf-wave.1-058~2f081-en', 'fuzzy', true],
  ['a letter on both sides of the total', 'tf', 'T26/T46', 'tf-wave.2-t26~2ft46-en', 'fuzzy', false],
  ['letters before a number', 'pkm', 'swsh9tg-TG01', 'pkm-swsh9tg-tg01-en', 'exact', false],
  ['a number that is a word', 'pkm', 'FOUR', 'pkm-hgss4-four-en', 'fuzzy', false],
  ['a number of a total that one set declares', 'pkm', '4/102', 'pkm-base1-4-en', 'exact', false],
  ['four cards with one number', 'pkm', 'cel25c-15', 'pkm-cel25c-15-en-a1', 'exact', true],
  ['one of four cards with one number', 'pkm', 'cel25c-15_A3', 'pkm-cel25c-15-en-a3', 'exact', false],
  ['an apostrophe in a set name', 'ga', "Proxia's Vault 001T", 'ga-proxia~27s.vault-001t-en', 'exact', false],
  [
    'a colon in a set name',
    'ga',
    'Re:Collection Shadowdancer 004',
    'ga-re~3acollection.shadowdancer-004-en',
    'exact',
    false
  ],
  ['padding that one upstream writes and another does not', 'swu', 'sor 1', 'swu-sor-001-en', 'exact', false],
  ['a family of its own', 'gcg', 'EXBP-001', 'gcg-exbp-001-en', 'exact', false],
  ['a beta edition with the number of a later set', 'gcg', 'ST01-001 beta', 'gcg-st01-001-en-beta', 'exact', false],
  ['a variant that only an address kept', 'dgm', 'BT4-011_P5', 'dgm-bt4-011-en-p5', 'exact', false],
  ['other pictures of one number', 'swccg', '203-26 (AI)', 'swccg-203-26-en-ai', 'exact', false],
  ['five cards of one number', 'lor', 'iti-4', 'lor-iti-4-de-a', 'exact', true],
  ['one of five cards of one number', 'lor', 'iti-4c', 'lor-iti-4-de-c', 'exact', false],
  ['a maverick', 'kf', '341-85 maverick', 'kf-341-85-en-maverick', 'exact', false],
  ['a card without a set', 'ccs', 'S48', 'ccs-unknown-s48-en', 'exact', false]
]

t.test('numbers that trip a reader find their card', { skip: withoutCards }, async t => {
  const { database, url } = await testDatabase(t)
  const wanted = new Set(someOf([...new Set(traps.map(([, game]) => game))]))
  for (const source of declaredSources().values()) {
    if (source.where !== 'folder' || !source.games.some(game => wanted.has(game))) continue
    await importSource(database, source, { folder: join(cardFolder ?? '', source.id), conditionsMet: true })
  }
  const { ask } = await searchOver(t, url)
  for (const [trap, game, q, first, confidence, ambiguous] of traps.filter(([, game]) => wanted.has(game))) {
    const { matches, summary } = await ask<{ matches: Match[]; summary: { ambiguous: boolean } }>(cards, {
      query: { game, q, limit: 100 }
    })
    t.same(
      { sku: matches[0]?.sku, confidence: matches[0]?.confidence, ambiguous: summary.ambiguous },
      { sku: first, confidence, ambiguous },
      `${trap}: ${q}`
    )
  }
})
