import { Type, closed, Count, NullableText, Path, reply, Text } from 'pantry/handler'
import { dayOf } from '../../calendar.ts'
import { canonicalCode } from '../../catalogue/set-code.ts'
import { defineHandler } from '../../define.ts'

const usual = 12
const most = 48

/** The sets of all games that were released last. One query over few rows. */
export default defineHandler({
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: usual, description: 'Most sets to show.' })) }),
  entries: { in: 'sets', key: 'path' },
  reply: closed({
    count: Count,
    until: Type.String({ format: 'date', description: 'Today in UTC; sets that are released later are left out.' }),
    sets: Type.Array(closed({
      game: Text,
      game_slug: Text,
      game_name: Text,
      code: Text,
      printed_code: Text,
      name: NullableText,
      released_at: Type.String({ format: 'date' }),
      card_count: Type.Integer({ minimum: 0, description: 'Printings held, in all languages and variants.' }),
      path: Path
    }), { maxItems: most })
  }),
  version: async ({ kept }, now) => `${await kept.version()} ${dayOf(now)}`,
  async handle ({ query: { limit = usual }, now, pathTo }, { catalogue, games }) {
    const until = dayOf(now)
    const rows = await catalogue.newestSets(until, limit)
    const sets = rows.map(row => {
      const game = games.named(row.game)
      return {
        game: row.game, game_slug: game.slug, game_name: game.short_name, code: canonicalCode(row.set_code), printed_code: row.set_code, name: row.name,
        released_at: row.released_on ?? until, card_count: row.card_count, path: `${pathTo('universal/set', { code: canonicalCode(row.set_code) })}?game=${row.game}`
      }
    })
    return reply({ count: sets.length, until, sets })
  }
})
