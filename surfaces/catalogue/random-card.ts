import { Type, Count, Text } from 'pantry/data'
import type { Database } from 'pantry/database'

const Drawn = Type.Object({ sku: Text, drawn_from: Count })

/** Draws a random card, and returns the number of cards that it was drawn from. */
export type DrawCard = (
  game: string | undefined,
  chance: number
) => Promise<Readonly<{ sku: string; drawn_from: number }> | undefined>

/**
 * Returns a function that draws the card at a position between 0 (first) and 1 (after the last) among all cards, or
 * those of a game; `undefined` when there are none. Every card is equally likely. The card counts of the sets determine
 * the set at that position, so the cards of only one set are read.
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
