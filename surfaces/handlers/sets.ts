import { reply, Type } from 'pantry/handler'
import { fromAllOf } from '../cards/documents/parts.ts'
import { decimalOf } from '../cards/numbers.ts'
import { GamesCompleteness, maxNewestSets, NewestSets } from '../cards/rows.ts'
import { cardsOfDay, Showcase, shownSets, type ListedCard } from '../cards/showcase.ts'
import { canonicalCode } from '../cards/sku.ts'
import { dayOf } from '../common/calendar.ts'
import { defineHandler } from '../define.ts'

const usual = 12

/** Returns the sets that were released last, by one query over few rows. */
export const newest = defineHandler({
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxNewestSets, default: usual, description: 'Most sets to show.' })
    )
  }),
  entries: { in: 'sets', key: 'path' },
  reply: NewestSets,
  version: async ({ kept }, now) => `${await kept.version()} ${dayOf(now)}`,
  async handle({ query: { limit = usual }, now, pathTo }, { catalogue, games }) {
    const until = dayOf(now)
    const rows = await catalogue.newestSets(until, limit)
    const sets = rows.map(row => {
      const game = games.withToken(row.game)
      return {
        game: row.game,
        game_slug: game?.slug ?? null,
        game_name: game?.short_name ?? row.game,
        code: canonicalCode(row.set_code),
        printed_code: row.set_code,
        name: row.name,
        released_at: row.released_on ?? until,
        card_count: row.card_count,
        path: `${pathTo('universal/set', { code: canonicalCode(row.set_code) })}?game=${row.game}`
      }
    })
    return reply({ count: sets.length, until, sets }, fromAllOf(rows))
  }
})

/** Returns cards of the sets that were released last, others each day. */
export const showcase = defineHandler({
  entries: { in: 'cards', key: 'path' },
  reply: Showcase,
  version: async ({ kept }, now) => `${await kept.version()} ${dayOf(now)}`,
  async handle({ now, pathTo }, { catalogue, games, kept }) {
    const day = dayOf(now)
    const { rows, chosen } = await kept.of(`showcase ${day}`, async () => {
      const rows = shownSets(await catalogue.newestSets(day, maxNewestSets))
      const listings = await Promise.all(rows.map(row => catalogue.listingOf(row)))
      const chosen = rows.flatMap((set, at) =>
        cardsOfDay(JSON.parse(listings[at]?.items ?? '[]') as ListedCard[], day, rows.length).map(card => ({
          set,
          card
        }))
      )
      return { rows, chosen }
    })
    const cards = chosen.map(({ set, card: { target_natural_token: sku, name, card_number: number, rarity } }) => ({
      sku,
      name,
      card_number: number,
      rarity,
      game: set.game,
      game_slug: games.withToken(set.game)?.slug ?? null,
      set_code: canonicalCode(set.set_code),
      set_name: set.name,
      face: pathTo('cards/face', { sku }),
      path: pathTo('universal/card', { sku })
    }))
    return reply({ day, count: cards.length, cards }, fromAllOf(rows))
  }
})

/** Returns how complete each game is, by one query over the sets. */
export const completeness = defineHandler({
  entries: { in: 'games', key: 'game' },
  reply: GamesCompleteness,
  version: ({ kept }) => kept.version(),
  async handle(_, { catalogue }) {
    const [counted, held] = await Promise.all([catalogue.completenessByGame(), catalogue.games()])
    const games = counted.map(({ number_count: numbers, declared_total: declared, ...game }) => ({
      ...game,
      held_numbers: numbers,
      declared_total: declared,
      decimal: declared === 0 ? null : decimalOf(numbers, declared)
    }))
    return reply({ count: games.length, games }, fromAllOf(held))
  }
})
