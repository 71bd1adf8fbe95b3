import { Type, reply } from 'pantry/handler'
import { GameSlug } from '../../cards/parameters.ts'
import { boundary, gameHead, guideOf, guidePaths, GuideSchema, signalsOf } from '../../cards/price-guides.ts'
import { conventionsPath } from '../../cards/price-states.ts'
import { canonicalCode } from '../../cards/sku.ts'
import { defineHandler } from '../../define.ts'

/** Returns the price guide of a game: its sets, and why there are no prices. */
export default defineHandler({
  params: Type.Object({ game: GameSlug }),
  reply: GuideSchema,
  version: async ({ kept }) => await kept.version(),
  async handle({ params, pathTo }, { catalogue, games, sources }) {
    const game = guideOf(games, params.game)
    const [held, sets] = await Promise.all([catalogue.game(game.token), catalogue.sets(game.token)])
    const cards = held?.card_count ?? 0
    const paths = guidePaths(pathTo)
    return reply({
      ...gameHead(game),
      short_name: game.short_name,
      hero_paragraph:
        cards === 0
          ? `No card of ${game.name} is held yet. The guide is here so that its address can be relied on.`
          : `The sets of ${game.name} that are held here, from the first to the latest, and the state of each source. Prices are withheld.`,
      publisher: game.publisher,
      coverage_status: cards === 0 ? 'anticipated' : 'observed',
      total_set_count: sets.length,
      total_card_count: cards,
      sets: sets.map(({ set_code: code, name, card_count: count, released_on: date }) => ({
        code: canonicalCode(code),
        printed_code: code,
        name,
        card_count: count,
        release_date: date,
        api_path: paths.set(game.slug, code)
      })),
      top_cards: [],
      movers: [],
      cross_source_signals: await signalsOf(game, catalogue, sources),
      publication_boundary: boundary,
      _links: {
        self: paths.game(game.slug),
        movers_status: pathTo('prices/movers', { game: game.slug }),
        ...(held === undefined ? {} : { math_mirror: pathTo('universal/game', { token: game.token }) }),
        methodology: conventionsPath(pathTo)
      }
    })
  }
})
