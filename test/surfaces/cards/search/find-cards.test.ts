import t from 'tap'
import { findCards } from '../../../../surfaces/cards/search/find-cards.ts'
import { searchColumns, type FoundCard, type NumberIndex } from '../../../../surfaces/cards/search/number-index.ts'
import { buildSku } from '../../../../surfaces/cards/sku.ts'
import { declaredGames } from './declared-games.ts'

const game = declaredGames().named('mtg')

/** An index over cards of one set, by their printed numbers. */
function indexOf(set: string, ...numbers: readonly string[]): NumberIndex {
  const cards = numbers.map((card_number): FoundCard & { keys: readonly string[] } => {
    const sku = buildSku({ game: game.token, set, number: card_number, lang: 'en', variant: '' })
    const [place, number, printed] = searchColumns({ sku, game: game.token, card_number })
    return {
      keys: [`p${place}`, `n${number}`, `w${printed}`],
      sku,
      set_code: set,
      card_number,
      lang: 'en',
      variant: '',
      name: 'X',
      name_en: 'X',
      rarity: null,
      updated_at: '',
      sources: []
    }
  })
  return {
    find: (keys: readonly string[]) => Promise.resolve(keys.map(key => cards.filter(card => card.keys.includes(key))))
  } as unknown as NumberIndex
}

const found = async (index: NumberIndex, q: string): Promise<string[]> =>
  (await findCards(index, game, q)).matches.map(
    ({ card: { card_number: number }, confidence }) => `${number} ${confidence}`
  )

t.test('a mark behind a number is part of it', async t => {
  const both = indexOf('UNK', '97s', '97s★')
  t.same(await found(both, 'UNK 97s★'), ['97s★ exact'])
  t.same(await found(both, 'UNK 97s'), ['97s exact'])
  t.same(await found(both, '97s★'), ['97s★ fuzzy'], 'of a set that is not named')
  t.same(await found(both, '97s'), ['97s fuzzy'])
})

t.test('who leaves a mark out, or adds one, gets what is nearest', async t => {
  t.same(await found(indexOf('UNK', '97s★'), 'UNK 97s'), ['97s★ fuzzy'])
  t.same(await found(indexOf('UNK', '97s'), 'UNK 97s★'), ['97s fuzzy'])
})

t.test('other dashes, quotes and spaces are no marks', async t => {
  t.same(await found(indexOf("Proxia's Vault", '001T'), 'Proxia’s Vault\u00a0001T'), ['001T exact'])
  t.same(await found(indexOf('UNK', '97s'), 'UNK–97s'), ['97s exact'])
})
