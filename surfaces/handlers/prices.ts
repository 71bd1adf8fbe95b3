import { notFound, reply, Type } from 'pantry/handler'
import { fromAllOf, fromSources, paths } from '../cards/documents/parts.ts'
import { GameSlug, SetCode } from '../cards/parameters.ts'
import {
  boundary,
  byMainPrinting,
  CardGuideSchema,
  cardLinks,
  findPrintings,
  gameHead,
  guideOf,
  guidePaths,
  GuideSchema,
  mainPrintingRule,
  printingBody,
  SetGuideSchema,
  setOf,
  signalsOf
} from '../cards/price-guides.ts'
import { conventionsPath } from '../cards/price-states.ts'
import { ambiguityOf } from '../cards/search/find-cards.ts'
import { canonicalCode } from '../cards/sku.ts'
import { defineHandler } from '../define.ts'

export const game = defineHandler({
  params: Type.Object({ game: GameSlug }),
  reply: GuideSchema,
  version: ({ kept }) => kept.version(),
  async handle({ params, pathTo }, { catalogue, games, sources }) {
    const game = guideOf(games, params.game)
    const [held, sets] = await Promise.all([catalogue.game(game.token), catalogue.sets(game.token)])
    const cards = held?.card_count ?? 0
    const paths = guidePaths(pathTo)
    return reply(
      {
        ...gameHead(game),
        short_name: game.short_name,
        hero_paragraph:
          cards === 0
            ? `No card of ${game.name} is held yet. The guide is here so that its address can be relied on.`
            : `The sets of ${game.name} that are held here, by day of release or, without one, by code, and the state of each source. Prices are withheld.`,
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
      },
      fromAllOf([held])
    )
  }
})

export const set = defineHandler({
  params: Type.Object({ game: GameSlug, set: SetCode }),
  reply: SetGuideSchema,
  version: ({ kept }) => kept.version(),
  async handle({ params, pathTo }, { catalogue, games, search, sources }) {
    const game = guideOf(games, params.game)
    const set = await setOf(catalogue, game, params.set, pathTo)
    const cards = [...(await search.inSet(set))].sort(byMainPrinting)
    const guides = guidePaths(pathTo)
    return reply(
      {
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
      },
      fromSources(set.sources)
    )
  }
})

export const card = defineHandler({
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
  version: ({ kept }) => kept.version(),
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
    return reply(
      {
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
        ambiguous: ambiguityOf(printings).ambiguous,
        price_history: [],
        cross_source_signals: await signalsOf(game, catalogue, sources),
        publication_boundary: boundary,
        _links: cardLinks(pathTo, game, set, main)
      },
      fromAllOf(printings)
    )
  }
})
