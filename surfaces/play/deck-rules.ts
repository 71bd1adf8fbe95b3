import { nullable, NullableText, Text, Texts, Type, type DataOf, type JsonObject, type JsonValue } from 'pantry/data'
import type { Database, Loader, RowOf } from 'pantry/database'
import type { CardFacts } from '../cards/card-fields.ts'

export const keywords = ['blocker', 'rush', 'double_attack', 'banish'] as const
type Keyword = (typeof keywords)[number]

const deckCategories: readonly string[] = ['character', 'event', 'stage']

/**
 * The facts of a card that the rules need. A value that the data does not have is null; of the rules text only printed
 * keywords are known.
 */
export type PlayCard = Readonly<{
  /** The number as printed, such as `OP01-001`; printings with the same number are one card. */
  number: string
  name: string
  /** `leader`, `character`, `event` or `stage`; other values in the data are kept in lower case. */
  category: string | null
  /** Colours in lower case; null when the data has none. */
  colours: readonly string[] | null
  cost: number | null
  power: number | null
  counter: number | null
  life: number | null
  keywords: readonly Keyword[]
  /**
   * The effect of the Trigger: to play the card itself, or something else that only the card's text says. Null without
   * a Trigger.
   */
  trigger: 'play' | 'other' | null
}>

const texts = (value: JsonValue | undefined): string[] =>
  (Array.isArray(value) ? (value as readonly JsonValue[]) : [value])
    .filter(member => typeof member === 'string')
    .map(member => member.toLowerCase())

const count = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

export function playCard({
  card_number: number,
  name,
  attributes
}: Pick<CardFacts, 'card_number' | 'name' | 'attributes'>): PlayCard {
  const facts: JsonObject = attributes ?? {}
  const colours = texts(facts['colours'])
  const printed = texts(facts['keywords'])
  return {
    number,
    name: name ?? number,
    category: texts(facts['category'])[0] ?? null,
    colours: colours.length === 0 ? null : colours,
    cost: count(facts['cost']),
    power: count(facts['power']),
    counter: count(facts['counter']),
    life: count(facts['life']),
    keywords: keywords.filter(keyword => printed.includes(keyword)),
    trigger: printed.includes('trigger_play') ? 'play' : printed.includes('trigger') ? 'other' : null
  }
}

/** The numbers of the construction rules, from section 2 of the tutorial. */
export const mainDeckSize = 50
export const copyLimit = 4

/** Cards whose rules text lifts their own copy limit. They are listed here because texts are not stored. */
export const withoutCopyLimit: ReadonlySet<string> = new Set(['OP01-075', 'OP08-072', 'OP16-042'])

export const deckViolationCodes = [
  'leader_card_not_found',
  'leader_is_not_a_leader',
  'leader_in_main_deck',
  'main_deck_wrong_size',
  'card_id_unknown',
  'card_not_main_deck_eligible',
  'card_copy_limit_exceeded',
  'card_color_mismatch_with_leader'
] as const

type DeckViolation = Readonly<{
  code: (typeof deckViolationCodes)[number]
  message: string
  /** The card number; absent when the problem concerns the whole deck. */
  card_id?: string
  detail?: number
}>

export type DeckList = Readonly<{ leader_id: string; main_deck_card_ids: readonly string[] }>

const skuForm = /^[a-z]+-([a-z0-9]+)-([0-9]+)-/
const numberForm = /^([a-z]+[0-9]*-[0-9]+)/

/**
 * Returns the card number for an id: `OP01-001` itself, a printing of it (`op01-001_p1`), or a SKU (`op-op01-001-en`).
 * An id of any other form is returned in upper case; no card has it.
 */
export function baseNumber(id: string): string {
  const text = id.trim().toLowerCase()
  const [, set, number] = skuForm.exec(text) ?? []
  return (
    set !== undefined && number !== undefined ? `${set}-${number}` : (numberForm.exec(text)?.[1] ?? text)
  ).toUpperCase()
}

/** Counts the copies of each card number, in the order of first appearance. */
export function countCopies(ids: readonly string[]): ReadonlyMap<string, number> {
  const copies = new Map<string, number>()
  for (const id of ids) copies.set(baseNumber(id), (copies.get(baseNumber(id)) ?? 0) + 1)
  return copies
}

const sharesColour = (leader: PlayCard, card: PlayCard): boolean =>
  leader.colours === null || card.colours === null || card.colours.some(colour => leader.colours?.includes(colour))

const violation = (code: DeckViolation['code'], number: string, message: string): DeckViolation => ({
  code,
  message,
  card_id: number
})

function leaderViolation(number: string, leader: PlayCard | undefined): DeckViolation | undefined {
  if (leader === undefined) return violation('leader_card_not_found', number, `No card \`${number}\` is held here.`)
  return leader.category === 'leader'
    ? undefined
    : violation('leader_is_not_a_leader', number, `${leader.name} (${number}) is no Leader card.`)
}

function cardViolation(
  number: string,
  card: PlayCard | undefined,
  leader: PlayCard | undefined
): DeckViolation | undefined {
  if (card === undefined) return violation('card_id_unknown', number, `No card \`${number}\` is held here.`)
  const { category } = card
  const name = `${card.name} (${number})`
  if (category === 'leader')
    return violation('leader_in_main_deck', number, `${name} is a Leader card and cannot lie in the main deck.`)
  if (category !== null && !deckCategories.includes(category))
    return violation('card_not_main_deck_eligible', number, `${name} is no Character, Event or Stage card.`)
  if (leader?.category !== 'leader' || sharesColour(leader, card)) return undefined
  const colours = leader.colours?.join(' and ') ?? ''
  const message = `${name} shares no colour with the Leader, who is ${colours}.`
  return violation('card_color_mismatch_with_leader', number, message)
}

function copyViolation(number: string, copies: number): DeckViolation | undefined {
  const message = `${number} is ${copies} times in the deck; ${copyLimit} are the limit.`
  return copies > copyLimit && !withoutCopyLimit.has(number)
    ? { ...violation('card_copy_limit_exceeded', number, message), detail: copies }
    : undefined
}

function sizeViolation(size: number): DeckViolation | undefined {
  if (size === mainDeckSize) return undefined
  const message = `The main deck has ${size === 1 ? '1 card' : `${size} cards`}; it must have ${mainDeckSize}.`
  return { code: 'main_deck_wrong_size', message, detail: size }
}

/**
 * Returns all violations of the construction rules. The colour rule is not applied when the card or the Leader has no
 * colour data.
 */
export function deckViolations(deck: DeckList, cards: ReadonlyMap<string, PlayCard>): DeckViolation[] {
  const leaderNumber = baseNumber(deck.leader_id)
  const leader = cards.get(leaderNumber)
  return [
    leaderViolation(leaderNumber, leader),
    sizeViolation(deck.main_deck_card_ids.length),
    ...[...countCopies(deck.main_deck_card_ids)].flatMap(([number, copies]) => [
      cardViolation(number, cards.get(number), leader),
      copyViolation(number, copies)
    ])
  ].filter(found => found !== undefined)
}

/** A practice deck from the corpus `play-decks`. */
export const Starter = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.String(),
  leader: Type.String(),
  main_deck: Type.Record(Type.String(), Type.Integer()),
  list_status: Type.Enum(['starter-like'])
})
export type Starter = DataOf<typeof Starter>

export const deckOf = ({ leader, main_deck: main }: Starter): DeckList => ({
  leader_id: leader,
  main_deck_card_ids: Object.entries(main).flatMap(([number, count]) => Array.from({ length: count }, () => number))
})

/** The facts of a card number, with the blocks of its printings: ascending, and empty when the data has none. */
export type PrintedCard = PlayCard & Readonly<{ blocks: readonly number[] }>

// The columns: key, number, name, language, variant, attributes and sources.
const columns = [
  Text,
  Text,
  NullableText,
  Text,
  Text,
  nullable(Type.Unsafe<JsonObject>({ type: 'object' })),
  Texts
] as const
type Tuple = RowOf<typeof columns>

/** Languages of printings, the preferred one first. */
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
 * Reads cards of the One Piece Card Game. Numbers requested in the same turn of the event loop share one query;
 * failures throw `SOURCE_UNAVAILABLE`.
 */
export class Printings {
  readonly #byNumber: Loader<Tuple>

  constructor({ reading: knex, reader }: Pick<Database, 'reading' | 'reader'>) {
    this.#byNumber = reader.createLoader({
      name: 'play_printings',
      sql: knex('cards')
        .select('printed_key', 'card_number', 'name', 'lang', 'variant', 'attributes', 'sources')
        .whereRaw('printed_key = any(?)', [[]])
        .orderByRaw('sku collate "C"')
        .toSQL()
        .toNative().sql,
      columns,
      keyOf: row => row[0]
    })
  }

  /**
   * Returns the cards that the catalogue has, by card number. Name and attributes come from the ordinary English
   * printing or else the Japanese one, if there is one; an ordinary printing comes before variants.
   */
  async read(ids: readonly string[]): Promise<Map<string, PrintedCard>> {
    const numbers = [...new Set(ids.map(baseNumber))]
    const found = await Promise.all(
      numbers.map(async (number): Promise<[string, PrintedCard][]> => {
        const printings = await this.#printingsOf(number)
        const [first] = [...printings].sort((a, b) => rank(a) - rank(b))
        if (first === undefined) return []
        const card = playCard({ card_number: number, name: first[2], attributes: first[5] })
        return [[number, { ...card, blocks: blocksOf(printings) }]]
      })
    )
    return new Map(found.flat())
  }

  /** Returns the sources of all printings of these cards, sorted; of a call beside `read`, by the same query. */
  async sourcesOf(ids: readonly string[]): Promise<readonly string[]> {
    const numbers = [...new Set(ids.map(baseNumber))]
    const found = await Promise.all(numbers.map(async number => await this.#printingsOf(number)))
    return [...new Set(found.flat().flatMap(([, , , , , , sources]) => sources))].sort()
  }

  async #printingsOf(number: string): Promise<readonly Tuple[]> {
    return await this.#byNumber.loadAll(`${game}:${number.toLowerCase()}`)
  }
}
