import Type from 'typebox'
import { notFound, reply, type PathTo } from 'pantry/handler'
import type { SetRow } from '../../catalogue/rows.ts'
import type { FoundCard, SearchIndex } from '../../catalogue/search-index.ts'
import { searchKey } from '../../catalogue/search-key.ts'
import { defineHandler } from '../../define.ts'
import type { Game } from '../../search/game-directory.ts'
import { tellApart } from '../../search/matches.ts'
import { boundary, gameHead, guideOf, guidePaths, setOf, signalsOf } from '../../prices/guide.ts'
import { GameSlug, SetCode } from '../../prices/parameters.ts'
import { byMainPrinting, mainPrintingRule, printingBody } from '../../prices/printings.ts'
import { CardGuideSchema } from '../../prices/schemas.ts'

/** The printings of a number within its set, the main one first. The number is that within the set (`001`) or the whole one (`OP01-001`). */
async function printingsOf (search: SearchIndex, { token }: Game, set: SetRow, number: string): Promise<FoundCard[]> {
  const answers = await search.find([searchKey.printed(token, number), searchKey.place(token, number), searchKey.place(token, `${set.set_code}-${number}`)])
  const [asPrinted = [], ...others] = answers.map(cards => cards.filter(card => card.set_code === set.set_code))
  // What is printed exactly so is meant, even where other numbers would count the same.
  const meant = asPrinted.length > 0 ? asPrinted : others.flat()
  return [...new Map(meant.map(card => [card.sku, card])).values()].sort(byMainPrinting)
}

const linksOf = (pathTo: PathTo, game: Game, set: SetRow, { sku, card_number: number }: FoundCard) => ({
  self: guidePaths(pathTo).card(game.slug, set.set_code, number),
  parent_set: guidePaths(pathTo).set(game.slug, set.set_code),
  parent_game: guidePaths(pathTo).game(game.slug),
  math_mirror: pathTo('universal/card', { sku }),
  everything: pathTo('cards/everything', { sku }),
  evidence: pathTo('cards/evidence', { sku }),
  history_status: pathTo('cards/history', { sku }),
  methodology: pathTo('kind', { kind: 'methodology' })
})

/** The price guide of a card: who it is and what each source may say. All values are null. */
export default defineHandler({
  params: Type.Object({
    game: GameSlug,
    set: SetCode,
    number: Type.String({ minLength: 1, maxLength: 160, description: 'Number within the set, such as `001`, or as printed, such as `OP01-001`; in any letter case, with or without leading zeros.' })
  }),
  reply: CardGuideSchema,
  async handle ({ params, pathTo }, { catalogue, games, search, sources }) {
    const game = guideOf(games, params.game)
    const set = await setOf(catalogue, game, params.set, pathTo)
    const printings = await printingsOf(search, game, set, params.number)
    const [main] = printings
    if (main === undefined) throw notFound(`card of the set ${set.set_code} with the number`, params.number, { field: 'number', game: game.slug, set: set.set_code, cards: guidePaths(pathTo).set(game.slug, set.set_code) })
    return reply({
      game: gameHead(game),
      set: { code: set.set_code, name: set.name, release_date: set.released_on },
      card: { ...printingBody(main), image_url: null, updated_at: main.updated_at },
      printings: printings.map(card => ({ ...printingBody(card), is_main: card === main })),
      main_printing_rule: mainPrintingRule,
      ambiguous: tellApart(printings).ambiguous,
      price_history: [],
      cross_source_signals: signalsOf(game, sources),
      publication_boundary: boundary,
      _links: linksOf(pathTo, game, set, main)
    })
  }
})
