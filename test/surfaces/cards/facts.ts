import {
  cardFieldNames,
  cardFields,
  columnTypes,
  sampleCard,
  type CardFacts
} from '../../../surfaces/cards/card-fields.ts'
import type { GameFacts, SetFacts } from '../../../surfaces/cards/rows.ts'

/** A card whose facts are all null, except those that every card has. */
export const unknownCard: CardFacts = {
  ...sampleCard('example'),
  ...Object.fromEntries(
    cardFieldNames.filter(name => columnTypes[cardFields[name].type].isNullable).map(name => [name, null])
  )
}

/** A small catalogue for tests: the facts behind the published vectors and some with awkward words. */
export const zoro: CardFacts = {
  ...unknownCard,
  sku: 'op-op01-001-ja',
  game: 'op',
  set_code: 'OP01',
  card_number: 'OP01-001',
  lang: 'ja',
  variant: '',
  name: 'ロロノア・ゾロ',
  name_translations: { ja: 'ロロノア・ゾロ' },
  rarity: 'L',
  attributes: { category: 'LEADER', cost: 5 },
  sources: ['one-source']
}

export const zoroParallel: CardFacts = {
  ...zoro,
  sku: 'op-op01-001-ja-p1',
  variant: 'p1',
  name_translations: { en: 'Zoro', fr: 'Zoro', ja: 'ロロノア・ゾロ' },
  illustrators: ['A "quoted" hand']
}

export const awkward: CardFacts = {
  ...zoro,
  sku: 'op-op01-002-ja',
  card_number: 'OP01-002',
  name: 'back\\slash "quote" \\u0001 \u2028 😀 </script>',
  name_translations: null,
  rarity: null,
  attributes: null,
  sources: ['one-source', 'two-source']
}

export const op01: SetFacts = {
  game: 'op',
  set_code: 'OP01',
  name: 'First',
  released_on: '2022-07-22',
  declared_total: 4,
  card_count: 4
}
export const op: GameFacts = { game: 'op', set_count: 2, card_count: 5, declared_card_count: null }
