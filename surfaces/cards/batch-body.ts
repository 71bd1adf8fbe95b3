import type { DataOf, PathTo } from 'pantry/data'
import type { CardInBrief } from '../catalogue/catalogue.ts'
import { canonicalCode } from '../catalogue/set-code.ts'
import type { Resolution } from './resolve-sku.ts'
import type { BatchSchema } from './schemas.ts'

export const batchLimit = 100

type Batch = DataOf<typeof BatchSchema>
type Result = Batch['results'][number]
type FoundResult = Extract<Result, { status: 'found' }>

/** Returns the facts of a card as a flat object. */
export const cardBody = (card: CardInBrief): FoundResult['card'] => ({
  sku: card.sku,
  canonical_sku: card.sku,
  card_number: card.card_number,
  name: card.name,
  name_en: card.names?.['en'] ?? null,
  name_translations: card.names,
  set: { code: canonicalCode(card.set_code), printed_code: card.set_code, name: card.set_name },
  game: card.game,
  lang: card.lang,
  variant: card.variant === '' ? null : card.variant,
  rarity: card.rarity
})

/** Returns links to more data on a card. */
export const cardLinks = (sku: string, pathTo: PathTo): FoundResult['links'] => ({
  universal: pathTo('universal/card', { sku }),
  everything: pathTo('cards/everything', { sku }),
  evidence: pathTo('cards/evidence', { sku })
})

/** Returns the result for one requested SKU. */
function resultOf(requested: string, resolution: Resolution<CardInBrief>, pathTo: PathTo): Result {
  switch (resolution.status) {
    case 'found': {
      const { sku } = resolution
      return {
        requested_sku: requested,
        status: 'found',
        matched_by: requested.toLowerCase() === sku ? 'stored_sku' : 'canonical_alias',
        card: cardBody(resolution.card),
        links: cardLinks(sku, pathTo)
      }
    }
    case 'invalid':
      return {
        requested_sku: requested,
        status: 'invalid_sku',
        reason: 'It has neither the form <game>-<set>-<number>-<lang>[-<variant>] nor one of the older forms.'
      }
    case 'absent':
      return {
        requested_sku: requested,
        canonical_sku: resolution.canonical,
        status: 'not_in_storefront_mirror',
        reason: 'No card with this SKU is held here. That says nothing about whether the card exists.'
      }
    case 'ambiguous':
      return {
        requested_sku: requested,
        canonical_sku: resolution.canonical,
        status: 'ambiguous_mirror_match',
        candidate_skus: resolution.candidates,
        reason: 'It can be read as more than one card that is held. Ask for one of the candidates.'
      }
  }
}

/** Builds the response to a batch: one result per requested SKU, in the order of the request. */
export function batchBody(
  requested: readonly string[],
  resolutions: readonly Resolution<CardInBrief>[],
  pathTo: PathTo
): Batch {
  const results = resolutions.map((resolution, index) => resultOf(requested[index] ?? '', resolution, pathTo))
  const count = (status: Resolution<CardInBrief>['status']): number =>
    resolutions.filter(resolution => resolution.status === status).length
  return {
    '@kind': 'card-batch',
    limit: batchLimit,
    order: 'The results are in the order of the request; a SKU that was asked twice is answered twice.',
    absence_semantics:
      'A SKU that is not held is absent from this catalogue only. When the catalogue cannot be read the whole request fails, and no SKU is called absent.',
    rights_note:
      'Names, rarities and set names come from upstreams that assert no rights for reuse. Prices and images are not held.',
    requested_count: requested.length,
    unique_requested_count: new Set(requested).size,
    found_count: count('found'),
    not_in_mirror_count: count('absent'),
    invalid_count: count('invalid'),
    ambiguous_count: count('ambiguous'),
    mirror_queried: resolutions.some(({ status }) => status !== 'invalid'),
    results
  }
}
