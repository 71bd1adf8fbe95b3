/** Price guides: the sets and printings of a game, without prices. */
import { closed, Count, notFound, nullable, NullableText, Text, Type, type DataOf, type PathTo } from 'pantry/data'
import type { Catalogue } from './catalogue.ts'
import { withheld } from './documents/parts.ts'
import { NullDate, Path } from './documents/schemas.ts'
import type { Game, GameDirectory } from './games.ts'
import { naturalOrder } from './numbers.ts'
import { conventionsPath, PriceState, priceStates } from './price-states.ts'
import type { RegisteredSource } from './registered-source.ts'
import type { SetRow } from './rows.ts'
import { searchKey, type FoundCard, type NumberIndex } from './search/number-index.ts'

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

/** Returns the paths of the price guides; set codes and numbers are in lower case. */
export const guidePaths = (pathTo: PathTo) => ({
  game: (game: string) => pathTo('prices/game', { game }),
  set: (game: string, code: string) => pathTo('prices/set', { game, set: code.toLowerCase() }),
  card: (game: string, code: string, number: string) =>
    pathTo('prices/card', { game, set: code.toLowerCase(), number: number.toLowerCase() })
})

/**
 * Returns, for each source that declares the game or is not wired, what it may state about a price (nothing) and why.
 */
export async function signalsOf(
  { token }: Game,
  catalogue: Pick<Catalogue, 'isObserved'>,
  sources: ReadonlyMap<string, RegisteredSource>
): Promise<Signal[]> {
  const states = await priceStates(catalogue, sources, token)
  return states.map(({ source: { id, label }, reason: detail, ...state }) => ({
    source_id: id,
    label,
    ...state,
    available: false,
    price_gbp: null,
    detail,
    signed_in_path: null
  }))
}

/** The reasons why the withheld values of a price guide are null, and its withheld lists empty. */
export const boundary = {
  price: withheld,
  stock: withheld,
  image: withheld,
  movers: withheld,
  ranking: withheld,
  note: 'No source gave the right to publish its prices, so none is stored, and none is published to any caller. What is here is structure: which sets and printings are held, and what each source may say.'
}

/**
 * Returns the game with a price guide by its slug; a token is not accepted. For any other text it throws an error that
 * lists the guides.
 */
export function guideOf(games: GameDirectory, slug: string): Game {
  const game = games.guide(slug)
  if (game === undefined)
    throw notFound('price guide', slug, {
      field: 'game',
      known_slugs: games.guides,
      form: 'the slug of a game, such as `one-piece`, not its token'
    })
  return game
}

/**
 * Returns a set of a guide by its code in any letter case. If there is none, it throws an error with a link to the list
 * of sets.
 */
export async function setOf(catalogue: Catalogue, game: Game, code: string, pathTo: PathTo): Promise<SetRow> {
  const [set] = await catalogue.setsByCode(code, game.token)
  if (set === undefined)
    throw notFound(`set of ${game.name} with the code`, code, {
      field: 'set',
      game: game.slug,
      sets: guidePaths(pathTo).game(game.slug)
    })
  return set
}

/** Returns the facts of the game that every response of a guide contains. */
export const gameHead = ({ slug, token, name }: Game) => ({ slug, game_code: token, display_name: name })

/** Returns the links of a card in a guide. */
export const cardLinks = (pathTo: PathTo, game: Game, set: SetRow, { sku, card_number: number }: FoundCard) => ({
  self: guidePaths(pathTo).card(game.slug, set.set_code, number),
  parent_set: guidePaths(pathTo).set(game.slug, set.set_code),
  parent_game: guidePaths(pathTo).game(game.slug),
  math_mirror: pathTo('universal/card', { sku }),
  everything: pathTo('cards/everything', { sku }),
  evidence: pathTo('cards/evidence', { sku }),
  history_status: pathTo('cards/history', { sku }),
  methodology: conventionsPath(pathTo)
})

/** A sentence on the order of the printings of a number, and which of them is the main one. */
export const mainPrintingRule =
  'The ordinary printing comes before its variants, then English before other languages, then the order of the SKUs. The first is the main printing.'

const last = (is: boolean): number => (is ? 1 : 0)

/** Compares printings by number in natural order, then by `mainPrintingRule`. */
export const byMainPrinting = (a: FoundCard, b: FoundCard): number =>
  naturalOrder(a.card_number, b.card_number) ||
  last(a.variant !== '') - last(b.variant !== '') ||
  last(a.lang !== 'en') - last(b.lang !== 'en') ||
  (a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0)

/** Returns the facts of a printing that lists show, with null for price and stock. */
export const printingBody = ({ sku, name, card_number: number, rarity, lang, variant }: FoundCard) => ({
  sku,
  name,
  card_number: number,
  rarity,
  lang,
  variant: variant === '' ? null : variant,
  price_gbp: null,
  stock: null
})

/**
 * Finds the printings of a number within its set, the main one first. The number may be that within the set (`001`) or
 * the full one (`OP01-001`).
 */
export async function findPrintings(
  search: NumberIndex,
  { token }: Game,
  set: SetRow,
  number: string
): Promise<FoundCard[]> {
  const answers = await search.find([
    searchKey.printed(token, number),
    searchKey.place(token, number),
    searchKey.place(token, `${set.set_code}-${number}`)
  ])
  const [asPrinted = [], ...others] = answers.map(cards => cards.filter(card => card.set_code === set.set_code))
  // Printings whose printed number is the text take precedence over those whose number equals it only after
  // `foldNumber`.
  const meant = asPrinted.length > 0 ? asPrinted : others.flat()
  return [...new Map(meant.map(card => [card.sku, card])).values()].sort(byMainPrinting)
}
