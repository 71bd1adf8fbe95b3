import type { DataOf } from 'pantry/data'
import type { CardInFull } from '../catalogue/facts.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { canonicalCode } from '../catalogue/set-code.ts'
import { namesOf } from '../catalogue/languages.ts'
import { withheld } from '../catalogue/document-members.ts'
import type { RegisteredSource } from '../catalogue/registered-source.ts'
import type { EverythingSchema } from './schemas.ts'
import { siblingsOf, type Sibling } from './siblings.ts'
import { sourceStates } from './source-states.ts'

type Everything = DataOf<typeof EverythingSchema>

const priceNote =
  'No price is published: no source gave the right to publish one, and a price that may not be published is not stored. An empty list says nothing about the market.'
const referenceNote = 'No reference is computed, because there is no published price that it could be computed from.'

/** The outcome of each part of the composition: read, absent, or blocked because of the source's rights. */
const calls = {
  card: 'ok',
  siblings: 'ok',
  price_sources: 'absent',
  cardshop_history: 'blocked',
  marketplace_history: 'blocked'
}

const cardOf = ({ card, set }: CardInFull): Everything['card'] => ({
  sku: card.sku,
  game: card.game,
  set_code: canonicalCode(card.set_code),
  printed_code: card.set_code,
  card_number: card.card_number,
  lang: card.lang,
  variant: card.variant === '' ? null : card.variant,
  name: card.name,
  name_en: namesOf(card)?.['en'] ?? null,
  name_translations: namesOf(card),
  image_url: null,
  rarity: card.rarity,
  set_name: set.name
})

const siblingBody = ({ card, kind, reason, effectiveLanguage }: Sibling): Everything['siblings'][number] => ({
  sku: card.sku,
  lang: card.lang,
  variant: card.variant === '' ? null : card.variant,
  set_code: canonicalCode(card.set_code),
  rarity: card.rarity,
  name: card.name,
  image_url: null,
  has_current_price: false,
  price_gbp: null,
  is_self: kind === 'self',
  variant_kind: kind,
  variant_kind_reason: reason,
  effective_language: effectiveLanguage
})

/**
 * Returns everything published about one card: its facts, the printings with the same game, set and number, why there
 * are no prices and histories, the state of each source, and the sources that list these printings. `sku` is canonical;
 * `undefined` when the card does not exist. Runs two queries.
 */
export async function everythingOf(
  catalogue: Pick<Catalogue, 'family' | 'isObserved'>,
  sources: ReadonlyMap<string, RegisteredSource>,
  sku: string
): Promise<Readonly<{ body: Everything; sources: readonly string[] }> | undefined> {
  const family = await catalogue.family(sku)
  const self = family.find(({ card }) => card.sku === sku)
  if (self === undefined) return undefined
  const body: Everything = {
    card: cardOf(self),
    prices_today: { snapshot_date: null, rows: [], agreement: null, note: priceNote },
    history: [],
    siblings: siblingsOf(
      self.card,
      family.map(({ card }) => card)
    ).map(siblingBody),
    reference_price: { reference_price_gbp: null, provenance: referenceNote, is_offer: false },
    source_states: await sourceStates(catalogue, sources, self.card.game, self.card.sources),
    publication_boundary: { price: withheld, history: withheld, reference_price: withheld, image: withheld },
    composition: { calls }
  }
  return { body, sources: [...new Set(family.flatMap(({ card }) => card.sources))].sort() }
}
