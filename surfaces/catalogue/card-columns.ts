import type { JsonObject } from '../../core/canonical/json.ts'
import type { CardFacts, GameFacts, SetFacts } from './facts.ts'

/** A card with the set and the game it belongs to; `content_hash` is the `@content_hash` of each one's document. */
export type CardInFull = Readonly<{
  card: CardFacts & { content_hash: string }
  set: SetFacts & { content_hash: string }
  game: GameFacts & { content_hash: string }
}>

/** What a query selects after its key, over `cards c`, `sets s` and `games g`. */
export const cardColumns = `c.sku, c.game, c.set_code, c.card_number, c.lang, c.variant, c.name, c.name_translations, c.rarity, c.illustrators,
  c.attributes, c.sources, c.content_hash, s.code, s.name, s.released_on, s.declared_total, s.card_count, s.content_hash,
  g.set_count, g.card_count, g.declared_card_count, g.content_hash`

/** A row of such a query. */
export type CardTuple = readonly [
  key: string,
  sku: string, game: string, setCode: string, cardNumber: string, lang: string, variant: string, name: string | null, translations: JsonObject | null,
  rarity: string | null, illustrators: readonly string[] | null, attributes: JsonObject | null, sources: readonly string[], hash: string,
  code: string, setName: string | null, releasedOn: string | null, declaredTotal: number | null, setCards: number, setHash: string,
  setCount: number, gameCards: number, declaredCards: number | null, gameHash: string
]

export function cardInFull (row: CardTuple): CardInFull {
  const [
    , sku, game, setCode, cardNumber, lang, variant, name, translations, rarity, illustrators, attributes, sources, hash,
    code, setName, releasedOn, declaredTotal, setCards, setHash, setCount, gameCards, declaredCards, gameHash
  ] = row
  return {
    card: {
      sku, game, set_code: setCode, card_number: cardNumber, lang, variant, name, name_translations: translations, rarity, illustrators, attributes, sources,
      content_hash: hash
    },
    set: { game, set_code: code, name: setName, released_on: releasedOn, declared_total: declaredTotal, card_count: setCards, content_hash: setHash },
    game: { game, set_count: setCount, card_count: gameCards, declared_card_count: declaredCards, content_hash: gameHash }
  }
}
