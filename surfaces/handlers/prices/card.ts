import { Type, notFound, reply } from 'pantry/handler'
import { canonicalCode } from '../../cards/sku.ts'
import { defineHandler } from '../../define.ts'
import { tellApart } from '../../cards/search/find-cards.ts'
import {
  boundary,
  CardGuideSchema,
  cardLinks,
  findPrintings,
  gameHead,
  guideOf,
  guidePaths,
  mainPrintingRule,
  printingBody,
  setOf,
  signalsOf
} from '../../cards/price-guides.ts'
import { GameSlug, SetCode } from '../../cards/parameters.ts'

/** Returns the price guide of a card: its identity and what each source may publish. All values are null. */
export default defineHandler({
  params: Type.Object({
    game: GameSlug,
    set: SetCode,
    number: Type.String({
      minLength: 1,
      maxLength: 160,
      description:
        'Number within the set, such as `001`, or as printed, such as `OP01-001`; in any letter case, with or without leading zeros.'
    })
  }),
  reply: CardGuideSchema,
  version: async ({ kept }) => await kept.version(),
  async handle({ params, pathTo }, { catalogue, games, search, sources }) {
    const game = guideOf(games, params.game)
    const set = await setOf(catalogue, game, params.set, pathTo)
    const printings = await findPrintings(search, game, set, params.number)
    const [main] = printings
    if (main === undefined)
      throw notFound(`card of the set ${set.set_code} with the number`, params.number, {
        field: 'number',
        game: game.slug,
        set: set.set_code,
        cards: guidePaths(pathTo).set(game.slug, set.set_code)
      })
    return reply({
      game: gameHead(game),
      set: {
        code: canonicalCode(set.set_code),
        printed_code: set.set_code,
        name: set.name,
        release_date: set.released_on
      },
      card: { ...printingBody(main), image_url: null, updated_at: main.updated_at },
      printings: printings.map(card => ({ ...printingBody(card), is_main: card === main })),
      main_printing_rule: mainPrintingRule,
      ambiguous: tellApart(printings).ambiguous,
      price_history: [],
      cross_source_signals: await signalsOf(game, catalogue, sources),
      publication_boundary: boundary,
      _links: cardLinks(pathTo, game, set, main)
    })
  }
})
