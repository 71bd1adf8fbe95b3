/** Price guides: the structure of a game, without prices. */
import { Type, closed, Count, nullable, NullableText, Text, type DataOf } from 'pantry/data'
import { NullDate, Path } from '../catalogue/schemas.ts'
import { PriceState } from '../sources/price-states.ts'

const Withheld = Type.Null({ description: 'Withheld; `publication_boundary` says why.' })
const Nothing = Type.Array(Type.Unknown(), {
  maxItems: 0,
  description: 'Withheld, so always empty; `publication_boundary` says why.'
})
const Links = Type.Record(Text, Path)
const GameHead = closed({ slug: Text, game_code: Text, display_name: Text })

const SignalSchema = closed({
  source_id: Text,
  label: Text,
  state: PriceState.state,
  withheld: PriceState.withheld,
  license: PriceState.license,
  available: Type.Literal(false),
  price_gbp: Withheld,
  detail: Text,
  signed_in_path: Type.Null({ description: 'Signing in opens nothing.' })
})

/** What one source may state about a price. */
export type Signal = DataOf<typeof SignalSchema>

const common = {
  cross_source_signals: Type.Array(SignalSchema, {
    description: 'Every source that declares the game, and every one that is not read at all.'
  }),
  publication_boundary: Type.Record(Text, Text),
  _links: Links
}

const Attributes = Type.Record(Text, Type.Unknown(), { description: 'Structural attributes as the sources name them.' })

const printing = {
  sku: Text,
  name: NullableText,
  card_number: Text,
  rarity: NullableText,
  lang: Text,
  variant: NullableText,
  price_gbp: Withheld,
  stock: Withheld
}

export const GuideSchema = closed({
  slug: Text,
  game_code: Text,
  display_name: Text,
  short_name: Text,
  hero_paragraph: Text,
  publisher: Text,
  coverage_status: Type.Enum(['observed', 'anticipated'], {
    description: '`observed` when cards of the game are held, `anticipated` until then.'
  }),
  total_set_count: Count,
  total_card_count: Type.Integer({ minimum: 0, description: 'Printings held, in all languages and variants.' }),
  sets: Type.Array(
    closed({
      code: Text,
      printed_code: Text,
      name: NullableText,
      card_count: Count,
      release_date: NullDate,
      api_path: Path
    })
  ),
  top_cards: Nothing,
  movers: Nothing,
  ...common
})

export const SetGuideSchema = closed({
  game: GameHead,
  set: closed({ code: Text, printed_code: Text, name: NullableText, card_count: Count, release_date: NullDate }),
  total_in_set: Count,
  cards: Type.Array(closed({ ...printing, attributes: nullable(Attributes), api_path: Path })),
  ...common
})

export const CardGuideSchema = closed({
  game: GameHead,
  set: closed({ code: Text, printed_code: Text, name: NullableText, release_date: NullDate }),
  card: closed({ ...printing, image_url: Withheld, updated_at: Type.String({ format: 'date-time' }) }),
  printings: Type.Array(closed({ ...printing, is_main: Type.Boolean() }), {
    minItems: 1,
    description: 'All printings of the number in this set, the main one first.'
  }),
  main_printing_rule: Text,
  ambiguous: Type.Boolean({ description: 'Whether the number stands for several cards of the set.' }),
  price_history: Nothing,
  ...common
})
