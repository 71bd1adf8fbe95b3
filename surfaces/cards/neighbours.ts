/** The numbers before and after that of a card in its set. */
import { closed, nullable, NullableText, Text, type DataOf } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { CardFacts } from './card-fields.ts'
import { naturalOrder } from './numbers.ts'

const Neighbour = nullable(
  closed({ card_number: Text, sku: Text, name: NullableText }),
  'Null at the end of the set. The printing is the one that is most like the card in language and variant.'
)

export const Neighbours = closed({ previous: Neighbour, next: Neighbour })
type Neighbours = DataOf<typeof Neighbours>

const columns = [Text, Text, Text, NullableText] as const

/** Which printing of another number is most like a card. */
const likeness = 'c.lang <> own.lang, c.variant <> own.variant, c.variant, c.sku collate "C"'

/** Returns a function that reads the neighbours of a card, in natural order. Concurrent reads share one query. */
export function neighboursReader(
  reader: Database['reader']
): (card: Pick<CardFacts, 'sku' | 'card_number'>) => Promise<Neighbours> {
  const numbers = reader.createLoader({
    name: 'numbers_of_set',
    sql: `select own.sku, c.card_number, (array_agg(c.sku order by ${likeness}))[1], (array_agg(c.name order by ${likeness}))[1]
      from cards own join cards c on c.set_id = own.set_id where own.sku = any($1) group by own.sku, c.card_number`,
    columns,
    keyOf: row => row[0]
  })
  return async ({ sku, card_number: own }) => {
    const all = (await numbers.loadAll(sku))
      .map(([, card_number, like, name]) => ({ card_number, sku: like, name }))
      .sort((one, other) => naturalOrder(one.card_number, other.card_number))
    const at = all.findIndex(({ card_number: number }) => number === own)
    return { previous: all[at - 1] ?? null, next: at === -1 ? null : (all[at + 1] ?? null) }
  }
}
