import { Type, canonicalize, closed, nullable, sha256Hex, Text, Texts, type DataOf, type JsonObject } from 'pantry/data'
import { ratioOf, Ratio, decimalOf } from './numbers.ts'
import { canonicalCode } from './sku.ts'

/**
 * The rarities of a game in the corpus `games`: tiers from the most frequent to the rarest, those
 * without a place, and other names for them.
 */
export const RarityScale = Type.Object({
  basis: Text,
  tiers: Type.Array(Texts),
  apart: Type.Optional(Texts),
  names: Type.Optional(Type.Record(Type.String(), Type.String()))
})
export type RarityScale = DataOf<typeof RarityScale>

/**
 * The share of a rarity among the cards of a booster, as numerator and denominator, with the source of the rates; or
 * the reason why it is unknown.
 */
export type PullShare = Readonly<{ share: readonly [cards: number, of: number]; basis: string } | { reason: string }>
/** The game, set, language and rarity for which a pull share is looked up. `set` is the canonical code. */
export type PullQuery = Readonly<{ game: string; set: string; lang: string; rarity: string }>

const pulls = {
  ratio_in_pulls: nullable(Ratio),
  decimal_probability: nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Of a card pulled from a booster to have this rarity.' })
  ),
  pulls_basis: Type.String({
    description: 'Who states the rates that the ratio is computed from; or why there is no ratio.'
  })
}
const position = {
  position_in_ordered_rarities: nullable(
    closed({
      ordering: Type.Array(Texts, {
        description: 'From the most frequent rarity to the rarest; those of one place have no order among themselves.'
      }),
      position: Type.Integer({ minimum: 1 }),
      of: Type.Integer({ minimum: 1 })
    })
  ),
  position_basis: Type.String({ description: 'What the position rests on; or why there is none.' })
}

/** The schema of the rarity in a card's document. */
export const Rarity = closed({ natural_label: Text, ...pulls, ...position })

/** The facts of a card by which its rarity is looked up. */
type RarityQuery = Readonly<{ game: string; set_code: string; lang: string; rarity: string | null }>

/** The JSON text of a rarity in a document, and a hash of that text for the ETag. */
export type RarityText = Readonly<{ text: string; tag: string }>
const none: RarityText = { text: 'null', tag: sha256Hex('null') }

/** Computes, for a rarity, its share of the cards in boosters and its position among the rarities of the game. */
export class Rarities {
  readonly #scales: ReadonlyMap<string, RarityScale>
  readonly #shareOf: (asked: PullQuery) => PullShare
  /** Texts by game, set, language and rarity of a card; most of them share a text in `#made`. */
  readonly #texts = new Map<string, RarityText>()
  readonly #made = new Map<string, RarityText>()

  constructor(scales: ReadonlyMap<string, RarityScale>, shareOf: (asked: PullQuery) => PullShare) {
    this.#scales = scales
    this.#shareOf = shareOf
  }

  of({ game, set_code: set, lang, rarity }: RarityQuery): JsonObject | null {
    if (rarity === null) return null
    return {
      natural_label: rarity,
      ...this.#pulls({ game, set: canonicalCode(set), lang, rarity }),
      ...this.#position(game, rarity)
    }
  }

  /** Returns the canonical JSON text of the result of `of`, with its hash, from a cache. */
  textOf(card: RarityQuery): RarityText {
    if (card.rarity === null) return none
    const key = JSON.stringify([card.game, card.set_code, card.lang, card.rarity])
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = canonicalize(this.of(card))
    const made = this.#made.get(text) ?? { text, tag: sha256Hex(text) }
    this.#made.set(text, made)
    this.#texts.set(key, made)
    return made
  }

  /** Returns the name in the scale for a rarity as a source writes it. */
  #labelOf(game: string, rarity: string): string {
    return this.#scales.get(game)?.names?.[rarity] ?? rarity
  }

  #pulls(asked: PullQuery): JsonObject {
    const found = this.#shareOf({ ...asked, rarity: this.#labelOf(asked.game, asked.rarity) })
    if ('reason' in found) return { ratio_in_pulls: null, decimal_probability: null, pulls_basis: found.reason }
    return {
      ratio_in_pulls: ratioOf(...found.share),
      decimal_probability: decimalOf(...found.share),
      pulls_basis: found.basis
    }
  }

  #position(game: string, rarity: string): JsonObject {
    const scale = this.#scales.get(game)
    if (scale === undefined)
      return {
        position_in_ordered_rarities: null,
        position_basis: 'No order of the rarities of this game is declared.'
      }
    const { tiers, apart = [], basis } = scale
    const label = this.#labelOf(game, rarity)
    const at = tiers.findIndex(tier => tier.includes(label))
    if (at < 0)
      return {
        position_in_ordered_rarities: null,
        position_basis: apart.includes(label)
          ? basis
          : 'The order that is declared for this game leaves this rarity out, as it does promotions and special printings.'
      }
    return {
      position_in_ordered_rarities: { ordering: tiers.map(tier => [...tier]), position: at + 1, of: tiers.length },
      position_basis: basis
    }
  }
}
