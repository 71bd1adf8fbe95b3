import { notFound, type PathTo } from 'pantry/data'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { SetRow } from '../catalogue/rows.ts'
import type { FoundCard } from '../catalogue/search-index.ts'
import { withheld } from '../catalogue/document-members.ts'
import type { Game, GameDirectory } from '../search/game-directory.ts'
import type { RegisteredSource } from '../catalogue/registered-source.ts'
import { conventionsPath, priceStates } from '../sources/price-states.ts'
import type { Signal } from './schemas.ts'

/** Returns the paths of the price guides; set codes and numbers are in lower case. */
export const guidePaths = (pathTo: PathTo) => ({
  game: (game: string) => pathTo('prices/game', { game }),
  set: (game: string, code: string) => pathTo('prices/set', { game, set: code.toLowerCase() }),
  card: (game: string, code: string, number: string) =>
    pathTo('prices/card', { game, set: code.toLowerCase(), number: number.toLowerCase() })
})

/**
 * Returns, for each source that declares the game or may not be read, what it may state about a price (nothing) and
 * why.
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

/** The reasons why all values of a price guide are null. */
export const boundary = {
  price: withheld,
  stock: withheld,
  image: withheld,
  movers: withheld,
  ranking: withheld,
  note: 'No source gave the right to publish its prices, so none is stored, and none is published to any caller. What is here is structure: which sets and printings are held, and what each source may say.'
}

/**
 * Returns the game with a price guide by its slug, which is not its token. Throws an error that lists the guides
 * otherwise.
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
 * Returns a set of a guide by its code in any letter case. Throws an error with a link to the list of sets otherwise.
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
