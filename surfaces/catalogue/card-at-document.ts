import { mirrorDocument, type JsonObject, type JsonValue, type MirrorText } from 'pantry/data'
import { cardSeed, hashContract, hashesOf, normalBody } from './card-body.ts'
import type { CardInFull } from './facts.ts'
import { aboutCard, linksOf, paths } from './links.ts'
import { datedMembers } from './requested-date.ts'
import { licenseLabels } from './document-members.ts'

const reason = 'No price of any date is published or kept: no source gave the right to.'

/**
 * Builds the document of a card requested under a date. The facts and the content hash are those of the current
 * document, whatever the date.
 */
export function cardAtDocument(held: CardInFull, date: string, rarity: JsonValue, encoding: string): MirrorText {
  const { card } = held
  const set = paths.set(card.game, card.set_code)
  const normal = normalBody(card, hashesOf(held), { date, wanted: [], rarity })
  const body: JsonObject = {
    ...Object.fromEntries(Object.entries(normal).filter(([name]) => name !== '@density')),
    ...datedMembers(date),
    '@content_hash_contract': { ...hashContract, requested_date_affects_hash: false },
    _links: linksOf({
      kind: 'card_at_date',
      connections: aboutCard(card.sku),
      canonical: paths.cardAt(date, card.sku),
      pattern: '/api/at/{date}/card/{sku}',
      parent: set,
      siblings: set,
      contentHash: card.content_hash,
      temporal: paths.card(card.sku)
    }),
    price_unavailable_at_date: { reason }
  }
  return mirrorDocument({
    encoding,
    kind: 'card_at_date',
    seed: cardSeed(card),
    body,
    sources: card.sources,
    sourceLicense: licenseLabels(card.sources)
  })
}
