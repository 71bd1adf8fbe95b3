import type { TSchema } from 'typebox'
import { canonicalize, Count, nullable, NullableText, Text, type JsonObject } from 'pantry/data'
import type { CopyValue } from 'pantry/database'
import { cardFieldNames, cardFields, columnSchemas, type CardFacts } from './card-fields.ts'
import { cardText } from './card-text.ts'
import type { CardInFull } from './facts.ts'
import { searchColumns } from './search-key.ts'

/** The columns that a query selects after its key, from `cards c`, `sets s` and `games g`. */
export const selectedInFull = `${cardFieldNames.map(name => `c.${name}`).join(', ')}, c.content_hash,
  s.code, s.name, s.released_on, s.declared_total, s.card_count, s.content_hash, g.set_count, g.card_count, g.declared_card_count, g.content_hash`

/** The types of the columns of such a query, beginning with the key. */
export const columnsInFull: readonly TSchema[] = [
  Text,
  ...cardFieldNames.map(name => columnSchemas[cardFields[name].type]),
  Text,
  Text,
  NullableText,
  NullableText,
  nullable(Count),
  Count,
  Text,
  Count,
  Count,
  nullable(Count),
  Text
]

type Rest = readonly [
  hash: string,
  code: string,
  setName: string | null,
  releasedOn: string | null,
  declaredTotal: number | null,
  setCards: number,
  setHash: string,
  setCount: number,
  gameCards: number,
  declaredCards: number | null,
  gameHash: string
]

export function cardInFull(row: readonly unknown[]): CardInFull {
  // The values are in the order of `selectedInFull` and have the types of `columnsInFull`.
  const values: Record<string, unknown> = {}
  for (const [index, name] of cardFieldNames.entries()) values[name] = row[index + 1]
  const facts = values as CardFacts
  const rest: readonly unknown[] = row.slice(cardFieldNames.length + 1)
  const [
    hash,
    code,
    setName,
    releasedOn,
    declaredTotal,
    setCards,
    setHash,
    setCount,
    gameCards,
    declaredCards,
    gameHash
  ] = rest as Rest
  const { game } = facts
  return {
    card: { ...facts, content_hash: hash },
    set: {
      game,
      set_code: code,
      name: setName,
      released_on: releasedOn,
      declared_total: declaredTotal,
      card_count: setCards,
      content_hash: setHash
    },
    game: {
      game,
      set_count: setCount,
      card_count: gameCards,
      declared_card_count: declaredCards,
      content_hash: gameHash
    }
  }
}

/** The columns of a card that are derived from its observations. */
export const writtenColumns = [
  ...cardFieldNames,
  'content_hash',
  'document',
  'digest',
  'place_key',
  'number_key',
  'printed_key'
] as const

/** Returns the values of `writtenColumns`. `attributes`: their canonical text. */
export function writtenValues(card: CardFacts, attributes = canonicalize(card.attributes)): CopyValue[] {
  const values: CopyValue[] = []
  for (const name of cardFieldNames) {
    const value = card[name]
    if (name === 'attributes') values.push(value === null ? null : attributes)
    else
      values.push(
        cardFields[name].type === 'members' && value !== null
          ? JSON.stringify(value)
          : (value as Exclude<typeof value, JsonObject>)
      )
  }
  const { contentHash, document, digest } = cardText(card, attributes)
  values.push(contentHash, document, digest, ...searchColumns(card))
  return values
}
