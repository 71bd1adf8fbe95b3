import type { JsonObject } from '../../core/canonical/json.ts'
import { canonicalize } from '../../core/canonical/canonical-json.ts'
import { cardText } from '../catalogue/card-text.ts'
import type { CardFacts } from '../catalogue/facts.ts'
import { searchColumns } from '../catalogue/search-key.ts'
import type { CopyValue } from '../../core/database/copy.ts'

/** Columns of a card that follow from what is observed of it. */
export const cardColumns = [
  'sku', 'game', 'set_code', 'card_number', 'lang', 'variant', 'name', 'name_translations', 'rarity', 'illustrators', 'attributes', 'sources',
  'content_hash', 'document', 'digest', 'place_key', 'number_key', 'printed_key'
] as const

const json = (value: JsonObject | null): string | null => value === null ? null : JSON.stringify(value)

/** `attributes`: their canonical text. */
export function columnsOfCard (card: CardFacts, attributes = canonicalize(card.attributes)): CopyValue[] {
  const { contentHash, document, digest } = cardText(card, attributes)
  const [place, number, printed] = searchColumns(card)
  return [
    card.sku, card.game, card.set_code, card.card_number, card.lang, card.variant, card.name, json(card.name_translations), card.rarity, card.illustrators,
    card.attributes === null ? null : attributes, card.sources, contentHash, document, digest, place, number, printed
  ]
}
