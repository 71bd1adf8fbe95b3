/** Bodies of answers on cards without hashes (contract `envelope`): a random card, a batch, all of one card. */
import { closed, Count, nullable, NullableText, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import { Faces, PrintedIn, printedInOf } from './card-fields.ts'
import type { CardInBrief, Catalogue } from './catalogue.ts'
import { withheld } from './documents/parts.ts'
import { Path } from './documents/schemas.ts'
import { SaidFact, saidFacts } from './facts-by-source.ts'
import { namesOf } from './languages.ts'
import { Neighbours } from './neighbours.ts'
import { PriceState, priceStates } from './price-states.ts'
import type { RegisteredSource } from './registered-source.ts'
import type { CardInFull } from './rows.ts'
import { differences, siblingKinds, siblingsOf, type Sibling } from './siblings.ts'
import { canonicalCode, type Resolution } from './sku.ts'

const Null = Type.Null()
const Names = nullable(Type.Record(Text, Text))
/** The schema of a list that is always empty, because nothing of it is published. */
export const Nothing = Type.Array(Type.Unknown(), { maxItems: 0, description: 'Always empty.' })

/** The schema of a card SKU as a parameter. */
export const SkuText = Type.String({
  minLength: 1,
  maxLength: 160,
  description: 'Card SKU: canonical, in any letter case, or in an older form.'
})

/** The schema of the facts of a card in a batch and of a random card. */
const CardBody = closed({
  sku: Text,
  canonical_sku: Text,
  card_number: Text,
  name: NullableText,
  name_en: NullableText,
  name_translations: Names,
  set: closed({ code: Text, printed_code: Text, name: NullableText }),
  game: Text,
  lang: Text,
  variant: NullableText,
  rarity: NullableText
})
const CardLinks = closed({ universal: Path, everything: Path, evidence: Path })

const Found = closed({
  requested_sku: Text,
  status: Type.Literal('found'),
  matched_by: Type.Enum(['stored_sku', 'canonical_alias']),
  card: CardBody,
  links: CardLinks
})

/** The schema of a random card; `drawn_from`: the number of cards it was drawn from. */
export const RandomCardSchema = closed({
  '@kind': Type.Literal('random-card'),
  game: NullableText,
  drawn_from: Count,
  card: CardBody,
  links: CardLinks
})

const Invalid = closed({ requested_sku: Text, status: Type.Literal('invalid_sku'), reason: Text })
const Absent = closed({
  requested_sku: Text,
  canonical_sku: Text,
  status: Type.Literal('not_in_storefront_mirror'),
  reason: Text
})
const Ambiguous = closed({
  requested_sku: Text,
  canonical_sku: Text,
  status: Type.Literal('ambiguous_mirror_match'),
  candidate_skus: Type.Array(Text, { minItems: 2 }),
  reason: Text
})

export const BatchSchema = closed({
  '@kind': Type.Literal('card-batch'),
  limit: Count,
  order: Text,
  absence_semantics: Text,
  rights_note: Text,
  requested_count: Count,
  unique_requested_count: Count,
  found_count: Count,
  not_in_mirror_count: Count,
  invalid_count: Count,
  ambiguous_count: Count,
  mirror_queried: Type.Boolean(),
  results: Type.Array(Type.Union([Found, Invalid, Absent, Ambiguous]))
})

/** The schema of the reasons why values are null or lists are empty, by the name of what is withheld. */
export const Boundary = Type.Record(Text, Text)

export const SourceStates = Type.Array(
  closed({ id: Text, name: Text, ...PriceState, observed_this_card: Type.Boolean() }),
  { description: 'Every source that declares the game, and every one that is not read at all.' }
)

/** The schema of the result of `everythingOf`. */
export const EverythingSchema = closed({
  card: closed({
    sku: Text,
    game: Text,
    set_code: Text,
    printed_code: Text,
    card_number: Text,
    lang: Text,
    variant: NullableText,
    name: NullableText,
    name_en: NullableText,
    name_translations: Names,
    image_url: Null,
    face: Path,
    rarity: NullableText,
    set_name: NullableText,
    printed_in: PrintedIn,
    faces: Faces
  }),
  prices_today: closed({ snapshot_date: Null, rows: Nothing, agreement: Null, note: Text }),
  history: Nothing,
  siblings: Type.Array(
    closed({
      sku: Text,
      lang: Text,
      variant: NullableText,
      set_code: Text,
      rarity: NullableText,
      name: NullableText,
      image_url: Null,
      has_current_price: Type.Literal(false),
      price_gbp: Null,
      is_self: Type.Boolean(),
      variant_kind: Type.Enum([...siblingKinds]),
      variant_kind_reason: Text,
      differs_in: Type.Array(Type.Enum([...differences]), {
        description:
          'In what it differs from the card that was asked for, as far as sources say it; `unknown` alone where they say nothing.'
      }),
      printed_in: PrintedIn,
      effective_language: Type.Enum(['ja', 'en', 'unknown'])
    })
  ),
  neighbours: Neighbours,
  reference_price: closed({ reference_price_gbp: Null, provenance: Text, is_offer: Type.Literal(false) }),
  facts: Type.Array(SaidFact),
  source_states: SourceStates,
  publication_boundary: Boundary,
  composition: closed({
    calls: closed({
      card: Text,
      siblings: Text,
      price_sources: Text,
      cardshop_history: Text,
      marketplace_history: Text
    })
  })
})

/**
 * Returns the price state of each source that declares the game or is not wired, and whether the source is one of the
 * `observers` of a card.
 */
export async function sourceStates(
  catalogue: Pick<Catalogue, 'isObserved'>,
  sources: ReadonlyMap<string, RegisteredSource>,
  game: string,
  observers: readonly string[]
): Promise<DataOf<typeof SourceStates>> {
  const states = await priceStates(catalogue, sources, game)
  return states.map(({ source: { id, label }, ...state }) => ({
    id,
    name: label,
    ...state,
    observed_this_card: observers.includes(id)
  }))
}

export const batchLimit = 100

type Batch = DataOf<typeof BatchSchema>
type Result = Batch['results'][number]
type FoundResult = Extract<Result, { status: 'found' }>

/** Returns the facts of a card in a batch and of a random card. */
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

type Everything = DataOf<typeof EverythingSchema>

const priceNote =
  'No price is published: no source gave the right to publish one, and a price that may not be published is not stored. An empty list says nothing about the market.'
const referenceNote = 'No reference is computed, because there is no published price that it could be computed from.'

/** The outcome of each part of the composition: `ok`, `absent`, or `blocked` because of the rights of its sources. */
const calls = {
  card: 'ok',
  siblings: 'ok',
  price_sources: 'absent',
  cardshop_history: 'blocked',
  marketplace_history: 'blocked'
}

const cardOf = ({ card, set }: CardInFull, pathTo: PathTo): Everything['card'] => ({
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
  face: pathTo('cards/face', { sku: card.sku }),
  rarity: card.rarity,
  set_name: set.name,
  printed_in: printedInOf(card.printed_in),
  faces: card.faces
})

const siblingBody = ({
  card,
  kind,
  reason,
  differsIn,
  effectiveLanguage
}: Sibling): Everything['siblings'][number] => ({
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
  differs_in: differsIn,
  printed_in: printedInOf(card.printed_in),
  effective_language: effectiveLanguage
})

/**
 * Returns everything published about one card (its facts, the printings with the same game, set and number, the reasons
 * why there are no prices and histories, the numbers beside it, and the state of each source), and the sources that
 * list these printings; `undefined` when there is no card with the canonical `sku`. Runs three queries.
 */
export async function everythingOf(
  catalogue: Pick<Catalogue, 'family' | 'isObserved' | 'neighboursOf' | 'statementsOf'>,
  sources: ReadonlyMap<string, RegisteredSource>,
  sku: string,
  pathTo: PathTo
): Promise<Readonly<{ body: Everything; sources: readonly string[] }> | undefined> {
  const [family, statements] = await Promise.all([catalogue.family(sku), catalogue.statementsOf(sku)])
  const self = family.find(({ card }) => card.sku === sku)
  if (self === undefined) return undefined
  const body: Everything = {
    card: cardOf(self, pathTo),
    prices_today: { snapshot_date: null, rows: [], agreement: null, note: priceNote },
    history: [],
    siblings: siblingsOf(
      self.card,
      family.map(({ card }) => card)
    ).map(siblingBody),
    neighbours: await catalogue.neighboursOf(self.card),
    reference_price: { reference_price_gbp: null, provenance: referenceNote, is_offer: false },
    facts: saidFacts(self.card, statements),
    source_states: await sourceStates(catalogue, sources, self.card.game, self.card.sources),
    publication_boundary: { price: withheld, history: withheld, reference_price: withheld, image: withheld },
    composition: { calls }
  }
  return { body, sources: [...new Set(family.flatMap(({ card }) => card.sources))].sort() }
}
