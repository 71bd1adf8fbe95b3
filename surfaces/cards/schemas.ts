/** Answers on cards as flat objects: a random card, a batch, and everything of one card. */
import { Type, closed, Count, nullable, NullableText, Text } from 'pantry/data'
import { Path } from '../catalogue/schemas.ts'
import { PriceState } from '../sources/price-states.ts'
import { siblingKinds } from './siblings.ts'

const Null = Type.Null()
const Names = nullable(Type.Record(Text, Text))
/** The schema of a list of which nothing is published. */
export const Nothing = Type.Array(Type.Unknown(), { maxItems: 0, description: 'Always empty.' })

/** The schema of a card SKU as a parameter. */
export const SkuText = Type.String({
  minLength: 1,
  maxLength: 160,
  description: 'Card SKU: canonical, in any letter case, or in an older form.'
})

/** The facts of a card as a flat object. */
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

/** The reasons why values are null and lists are empty. */
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
    rarity: NullableText,
    set_name: NullableText
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
      effective_language: Type.Enum(['ja', 'en', 'unknown'])
    })
  ),
  reference_price: closed({ reference_price_gbp: Null, provenance: Text, is_offer: Type.Literal(false) }),
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
