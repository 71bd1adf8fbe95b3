import { Type, Count, Text } from 'pantry/data'
import type { Database } from 'pantry/database'

const Drawn = Type.Object({ sku: Text, drawn_from: Count })

/** A card by chance, and how many it is one of. */
export type DrawCard = (
  game: string | undefined,
  chance: number
) => Promise<Readonly<{ sku: string; drawn_from: number }> | undefined>

/**
 * The card at a place between 0 (the first) and 1 (after the last) of all cards, or of those of a game; `undefined`
 * where none is held. Each card takes the same share. The counts of the sets say which set holds the place, so no more
 * than one set is read.
 */
export const cardDrawer =
  ({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>): DrawCard =>
  async (game, chance) => {
    const [drawn] = await rows(
      Drawn,
      knex.raw(
        `
    select c.sku, s.total as drawn_from
    from (
      select id, card_count, (sum(card_count) over (order by id))::int as upto, (sum(card_count) over ())::int as total
      from sets where ?::text is null or game = ?
    ) s
    cross join lateral (select floor(?::float8 * s.total)::int as place) p
    cross join lateral (
      select sku from cards where set_id = s.id order by sku offset p.place - (s.upto - s.card_count) limit 1
    ) c
    where p.place < s.upto and p.place >= s.upto - s.card_count`,
        [game ?? null, game ?? null, chance]
      )
    )
    return drawn
  }
