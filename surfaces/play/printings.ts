import { Type, nullable, NullableText, Text, type JsonObject } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'
import { baseNumber } from './deck-rules.ts'
import { playCard, type PlayCard } from './play-card.ts'

/** The facts of a card number, combined from all its printings. */
export type PrintedCard = PlayCard &
  Readonly<{
    /** The blocks of its printings, ascending; empty when the data has none. */
    blocks: readonly number[]
  }>

// The columns: key, number, name, language, variant and attributes.
const columns = [Text, Text, NullableText, Text, Text, nullable(Type.Unsafe<JsonObject>({ type: 'object' }))] as const
type Tuple = RowOf<typeof columns>

/** The preferred languages, in order. The language affects only the name of a card, not its rules. */
const languages = ['en', 'ja']
const game = 'op'

const rank = ([, , , lang, variant]: Tuple): number => (variant === '' ? 0 : 10) + (languages.indexOf(lang) + 1 || 5)

function blocksOf(printings: readonly Tuple[]): number[] {
  const blocks = printings
    .map(([, , , , , attributes]) => Number(attributes?.['block'] ?? NaN))
    .filter(Number.isSafeInteger)
  return [...new Set(blocks)].sort((a, b) => a - b)
}

/**
 * Reads cards of the One Piece Card Game by card number. Numbers requested in the same turn of the event loop share one
 * query; failures throw `SOURCE_UNAVAILABLE`.
 */
export class Printings {
  readonly #byNumber: Loader<Tuple>

  constructor({ reading: knex, reader }: Pick<Database, 'reading' | 'reader'>) {
    this.#byNumber = reader.createLoader({
      name: 'play_printings',
      sql: knex('cards')
        .select('printed_key', 'card_number', 'name', 'lang', 'variant', 'attributes')
        .whereRaw('printed_key = any(?)', [[]])
        .orderByRaw('sku collate "C"')
        .toSQL()
        .toNative().sql,
      columns,
      keyOf: row => row[0]
    })
  }

  /**
   * Returns the cards for the ids in a deck, by card number, without those that the catalogue does not have. Name and
   * attributes come from the ordinary English printing, if there is one.
   */
  async read(ids: readonly string[]): Promise<Map<string, PrintedCard>> {
    const numbers = [...new Set(ids.map(baseNumber))]
    const found = await Promise.all(
      numbers.map(async (number): Promise<[string, PrintedCard][]> => {
        const printings = await this.#byNumber.loadAll(`${game}:${number.toLowerCase()}`)
        const [first] = [...printings].sort((a, b) => rank(a) - rank(b))
        if (first === undefined) return []
        return [
          [
            number,
            { ...playCard({ card_number: number, name: first[2], attributes: first[5] }), blocks: blocksOf(printings) }
          ]
        ]
      })
    )
    return new Map(found.flat())
  }
}
