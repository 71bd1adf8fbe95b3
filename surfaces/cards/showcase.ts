/** Some cards of the newest sets, others each day. */
import { closed, Count, nullable, NullableText, Path, Text, Type } from 'pantry/data'
import { daysFrom } from '../common/calendar.ts'
import type { SetRow } from './rows.ts'

/** Sets of fewer numbers are decks and promotions. */
const leastNumbers = 24
const mostGames = 2
const mostCards = 8
/** Before every day that a clock can show, so that the turn is never negative. */
const firstDay = '1970-01-01'

/** The schema of the cards that are shown today. */
export const Showcase = closed({
  day: Type.String({ format: 'date', description: 'Today in UTC; the cards are others tomorrow.' }),
  count: Count,
  cards: Type.Array(
    closed({
      sku: Text,
      name: Text,
      card_number: Text,
      rarity: NullableText,
      game: Text,
      game_slug: nullable(Text),
      set_code: Text,
      set_name: NullableText,
      face: Path,
      path: Path
    }),
    { maxItems: mostCards, description: 'The first is the card of the day.' }
  )
})

/** What the document of a set says of one of its cards. */
export type ListedCard = Readonly<{
  target_natural_token: string
  target_hash: string
  card_number: string
  name: string | null
  variant: string | null
  rarity: string | null
}>

/** Returns the first printing of each number that has a name; an ordinary one before others. */
function byNumber(listed: readonly ListedCard[]): readonly ListedCard[] {
  const found = new Map<string, ListedCard>()
  for (const card of listed) {
    const held = found.get(card.card_number)
    if (card.name !== null && (held === undefined || (held.variant !== null && card.variant === null)))
      found.set(card.card_number, card)
  }
  return [...found.values()]
}

/** Returns the newest set of each game, of at most two games. `newest`: sets, newest first. */
export const shownSets = <Row extends Pick<SetRow, 'game' | 'number_count'>>(newest: readonly Row[]): readonly Row[] =>
  newest
    .filter(({ number_count: count }) => count >= leastNumbers)
    .filter(({ game }, at, rows) => rows.findIndex(row => row.game === game) === at)
    .slice(0, mostGames)

/**
 * Returns the cards of a set that are shown on a UTC day, where `sets` are shown. Day by day all its numbers take their
 * turn, in the order of their content hashes, so that neighbours in the set do not come together.
 */
export function cardsOfDay(
  listed: readonly ListedCard[],
  day: string,
  sets: number
): readonly (ListedCard & { name: string })[] {
  const cards = [...byNumber(listed)].sort((a, b) => (a.target_hash < b.target_hash ? -1 : 1))
  const count = Math.min(Math.floor(mostCards / sets), cards.length)
  const from = daysFrom(firstDay, day) * count
  return Array.from({ length: count }, (_, at) => cards[(from + at) % cards.length] as ListedCard & { name: string })
}
