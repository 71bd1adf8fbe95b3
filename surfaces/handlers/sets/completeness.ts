import { reply } from 'pantry/handler'
import { decimalOf } from '../../cards/numbers.ts'
import { GamesCompleteness } from '../../cards/rows.ts'
import { defineHandler } from '../../define.ts'

/**
 * Returns, for each game, how many of the declared card numbers of its sets are in the catalogue. One query over the
 * sets.
 */
export default defineHandler({
  entries: { in: 'games', key: 'game' },
  reply: GamesCompleteness,
  version: async ({ kept }) => await kept.version(),
  async handle(_, { catalogue }) {
    const games = (await catalogue.completenessByGame()).map(
      ({ number_count: held, declared_total: declared, ...game }) => ({
        ...game,
        held_numbers: held,
        declared_total: declared,
        decimal: declared === 0 ? null : decimalOf(held, declared)
      })
    )
    return reply({ count: games.length, games })
  }
})
