import { Type, reply } from 'pantry/handler'
import { paths } from '../../cards/documents/parts.ts'
import { GameSlug, SetCode } from '../../cards/parameters.ts'
import {
  boundary,
  byMainPrinting,
  gameHead,
  guideOf,
  guidePaths,
  printingBody,
  SetGuideSchema,
  setOf,
  signalsOf
} from '../../cards/price-guides.ts'
import { conventionsPath } from '../../cards/price-states.ts'
import { canonicalCode } from '../../cards/sku.ts'
import { defineHandler } from '../../define.ts'

/** Returns the price guide of a set: its printings in natural order of their numbers, without prices. */
export default defineHandler({
  params: Type.Object({ game: GameSlug, set: SetCode }),
  reply: SetGuideSchema,
  version: async ({ kept }) => await kept.version(),
  async handle({ params, pathTo }, { catalogue, games, search, sources }) {
    const game = guideOf(games, params.game)
    const set = await setOf(catalogue, game, params.set, pathTo)
    const cards = [...(await search.inSet(set))].sort(byMainPrinting)
    const guides = guidePaths(pathTo)
    return reply({
      game: gameHead(game),
      set: {
        code: canonicalCode(set.set_code),
        printed_code: set.set_code,
        name: set.name,
        card_count: set.card_count,
        release_date: set.released_on
      },
      total_in_set: cards.length,
      cards: cards.map(card => ({
        ...printingBody(card),
        attributes: card.attributes,
        api_path: guides.card(game.slug, set.set_code, card.card_number)
      })),
      cross_source_signals: await signalsOf(game, catalogue, sources),
      publication_boundary: boundary,
      _links: {
        self: guides.set(game.slug, set.set_code),
        parent_game: guides.game(game.slug),
        math_mirror: paths.set(game.token, set.set_code),
        methodology: conventionsPath(pathTo)
      }
    })
  }
})
