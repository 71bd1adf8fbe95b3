import Type from 'typebox'
import { closed, Count, NullableText, NullDate, Path, Text } from '../catalogue/schemas.ts'

const Withheld = Type.Null({ description: 'Withheld; `publication_boundary` says why.' })
const Nothing = Type.Array(Type.Unknown(), { maxItems: 0, description: 'Withheld, so always empty; `publication_boundary` says why.' })
const Links = Type.Record(Text, Path)
const Game = Type.Object({ slug: Text, game_code: Text, display_name: Text }, closed)

const common = {
  cross_source_signals: Type.Array(Type.Object({
    source_id: Text,
    label: Text,
    state: Type.Enum(['observed_withheld', 'blocked', 'planned']),
    license: NullableText,
    available: Type.Literal(false),
    price_gbp: Withheld,
    detail: Text,
    signed_in_path: Type.Null({ description: 'Signing in opens nothing.' })
  }, closed), { description: 'Each source that declares the game.' }),
  publication_boundary: Type.Record(Text, Text),
  _links: Links
}

const printing = { sku: Text, name: NullableText, card_number: Text, rarity: NullableText, lang: Text, variant: NullableText, price_gbp: Withheld, stock: Withheld }

export const GuideSchema = Type.Object({
  slug: Text,
  game_code: Text,
  display_name: Text,
  short_name: Text,
  hero_paragraph: Text,
  publisher: Text,
  coverage_status: Type.Enum(['observed', 'anticipated'], { description: '`observed` when cards of the game are held, `anticipated` until then.' }),
  total_set_count: Count,
  total_card_count: Type.Integer({ minimum: 0, description: 'Printings held, in all languages and variants.' }),
  sets: Type.Array(Type.Object({ code: Text, name: NullableText, card_count: Count, release_date: NullDate, api_path: Path }, closed)),
  top_cards: Nothing,
  movers: Nothing,
  ...common
}, closed)

export const SetGuideSchema = Type.Object({
  game: Game,
  set: Type.Object({ code: Text, name: NullableText, card_count: Count, release_date: NullDate }, closed),
  total_in_set: Count,
  cards: Type.Array(Type.Object({ ...printing, api_path: Path }, closed)),
  ...common
}, closed)

export const CardGuideSchema = Type.Object({
  game: Game,
  set: Type.Object({ code: Text, name: NullableText, release_date: NullDate }, closed),
  card: Type.Object({ ...printing, image_url: Withheld, updated_at: Type.String({ format: 'date-time' }) }, closed),
  printings: Type.Array(Type.Object({ ...printing, is_main: Type.Boolean() }, closed), { minItems: 1, description: 'All printings of the number in this set, the main one first.' }),
  main_printing_rule: Text,
  ambiguous: Type.Boolean({ description: 'Whether the number stands for several cards of the set.' }),
  price_history: Nothing,
  ...common
}, closed)
