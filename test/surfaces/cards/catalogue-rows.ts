import type { Database } from '../../../core/database/database.ts'
import { storedCardOf } from '../../../surfaces/cards/card-row.ts'
import { searchColumns } from '../../../surfaces/cards/search/number-index.ts'
import type { CardFacts } from '../../../surfaces/cards/card-fields.ts'
import type { GameFacts, SetFacts } from '../../../surfaces/cards/rows.ts'
import { deriveHashes, listMissingCards } from '../../../surfaces/cards/writing.ts'
import { gameContentHash, setContentHash } from '../../../surfaces/cards/documents/sets-and-games.ts'
import { awkward, zoro, zoroParallel } from './facts.ts'

const late: CardFacts = { ...zoro, sku: 'op-op01-010-ja', card_number: 'OP01-010' }
const english: CardFacts = { ...zoro, sku: 'op-op01-001-en', lang: 'en', name: 'Zoro' }
const other: CardFacts = { ...zoro, sku: 'dm-st01-1-en', game: 'dm', set_code: 'ST01', card_number: '1', lang: 'en' }
const starter: CardFacts = { ...zoro, sku: 'op-st01-001-ja', set_code: 'ST01', card_number: 'ST01-001' }

/** Given out of order on purpose. */
export const cards: readonly CardFacts[] = [late, zoroParallel, awkward, english, zoro, other, starter]

const countOf = (matches: (card: CardFacts) => boolean) => cards.filter(matches).length

export const sets: readonly SetFacts[] = [
  { game: 'op', set_code: 'ST01', name: 'Starter', released_on: null, declared_total: null, card_count: 1 },
  { game: 'op', set_code: 'OP01', name: 'First', released_on: '2022-07-22', declared_total: 121, card_count: 5 },
  { game: 'dm', set_code: 'ST01', name: null, released_on: '2002-05-30', declared_total: 40, card_count: 1 }
]

export const games: readonly GameFacts[] = ['op', 'dm'].map(game => ({
  game,
  set_count: sets.filter(set => set.game === game).length,
  card_count: countOf(card => card.game === game),
  declared_card_count: game === 'op' ? 121 : 40
}))

const seen = { first_seen_at: '2026-11-20T08:00:00.123Z' }

/** Writes a small catalogue, as an import would leave it. */
export async function insertCatalogue({ knex }: Pick<Database, 'knex'>): Promise<void> {
  await knex('games').insert(
    games.map(({ game, ...counts }) => ({
      token: game,
      ...counts,
      content_hash: gameContentHash({ game, ...counts }),
      ...seen,
      updated_at: seen.first_seen_at
    }))
  )
  await knex('sets').insert(
    sets.map(set => ({
      game: set.game,
      code: set.set_code,
      code_key: set.set_code.toLowerCase(),
      name: set.name,
      released_on: set.released_on,
      declared_total: set.declared_total,
      card_count: set.card_count,
      number_count: new Set(
        cards.filter(card => card.game === set.game && card.set_code === set.set_code).map(card => card.card_number)
      ).size,
      content_hash: setContentHash(set),
      ...seen
    }))
  )
  const ids = await knex('sets').select<{ id: number; game: string; code: string }[]>('id', 'game', 'code')
  await knex('cards').insert(
    cards.map(card => {
      const { contentHash, document, digest } = storedCardOf(card)
      const [place, number, printed] = searchColumns(card)
      return {
        ...card,
        set_id: ids.find(({ game, code }) => game === card.game && code === card.set_code)?.id,
        attributes: JSON.stringify(card.attributes),
        name_translations: card.name_translations === null ? null : JSON.stringify(card.name_translations),
        content_hash: contentHash,
        document,
        digest,
        place_key: place,
        number_key: number,
        printed_key: printed,
        ...seen,
        updated_at: seen.first_seen_at
      }
    })
  )
  await knex.transaction(async transaction => {
    await listMissingCards(transaction)
    await deriveHashes(transaction, [...new Set(cards.map(({ game }) => game))])
  })
}
