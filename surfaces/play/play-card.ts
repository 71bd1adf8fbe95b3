import type { JsonObject, JsonValue } from 'pantry/data'
import type { CardFacts } from '../catalogue/card-fields.ts'

export const keywords = ['blocker', 'rush', 'double_attack', 'banish'] as const
type Keyword = (typeof keywords)[number]

export const deckCategories = ['character', 'event', 'stage'] as const

/**
 * The facts of a card that the rules need. A value that the data does not have is null; of the rules text only printed
 * keywords are known.
 */
export type PlayCard = Readonly<{
  /** The number as printed, such as `OP01-001`; printings with the same number are one card. */
  number: string
  name: string
  /** `leader`, `character`, `event` or `stage`; other values in the data are kept as they are. */
  category: string | null
  /** Colours in lower case; null when the data has none. */
  colours: readonly string[] | null
  cost: number | null
  power: number | null
  counter: number | null
  /** The number of Life cards of a Leader. */
  life: number | null
  keywords: readonly Keyword[]
  /** The effect of the Trigger: to play the card itself, or something else that only the card's text says. */
  trigger: 'play' | 'other' | null
}>

const texts = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? (value as readonly JsonValue[]) : [value])
    .filter(member => typeof member === 'string')
    .map(member => member.toLowerCase())

const count = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

/** Converts the structural attributes of a printing to a `PlayCard`. */
export function playCard({
  card_number: number,
  name,
  attributes
}: Pick<CardFacts, 'card_number' | 'name' | 'attributes'>): PlayCard {
  const of: JsonObject = attributes ?? {}
  const colours = texts(of['colours'])
  const printed = texts(of['keywords'])
  return {
    number,
    name: name ?? number,
    category: texts(of['category'])[0] ?? null,
    colours: colours.length === 0 ? null : colours,
    cost: count(of['cost']),
    power: count(of['power']),
    counter: count(of['counter']),
    life: count(of['life']),
    keywords: keywords.filter(keyword => printed.includes(keyword)),
    trigger: printed.includes('trigger_play') ? 'play' : printed.includes('trigger') ? 'other' : null
  }
}
