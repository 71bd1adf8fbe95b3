import { Type, nullable, type DataOf } from 'pantry/data'
import { baseNumber, deckViolationCodes, deckViolations, type DeckList, type DeckViolation } from '../deck-rules.ts'
import type { PrintedCard } from '../printings.ts'

/** An entry of the corpus `play-formats`; the schema of the corpus documents each field. */
export const DeckFormat = Type.Object({
  id: Type.Enum(['standard', 'legacy', 'limited_sealed']),
  name: Type.String(),
  as_of: Type.String(),
  minimum_block: nullable(Type.Integer()),
  banned: Type.Array(Type.String()),
  banned_pairs: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
  source: nullable(Type.Object({ name: Type.String(), url: Type.String() })),
  unsure: Type.Boolean(),
  note: Type.String()
})
export type DeckFormat = DataOf<typeof DeckFormat>

export const violationCodes = [...deckViolationCodes, 'card_banned', 'banned_pair_present', 'card_rotated_out'] as const

type Violation = Readonly<
  Omit<DeckViolation, 'code' | 'detail'> & { code: (typeof violationCodes)[number]; detail?: number | string }
>

/** The violations found, and the cards that could not be checked because data is missing. */
export type Legality = Readonly<{
  violations: readonly Violation[]
  coloursUnknown: readonly string[]
  blocksUnknown: readonly string[]
}>

/** Whether all printings of a card are of blocks before `least`. False for a card whose block is unknown. */
export function isRotatedOut(card: Pick<PrintedCard, 'blocks'> | undefined, least: number | null): boolean {
  const latest = card?.blocks.at(-1)
  return least !== null && latest !== undefined && latest < least
}

const named = (number: string, cards: ReadonlyMap<string, PrintedCard>): string =>
  `${cards.get(number)?.name ?? 'A card'} (${number})`

function formatViolations(
  numbers: readonly string[],
  cards: ReadonlyMap<string, PrintedCard>,
  { minimum_block: least, banned, banned_pairs: pairs, as_of: asOf }: DeckFormat
): Violation[] {
  const held = new Set(numbers)
  return [
    ...numbers
      .filter(number => banned.includes(number))
      .map((number): Violation => ({
        code: 'card_banned',
        message: `${named(number, cards)} is banned, by the list of ${asOf}.`,
        card_id: number
      })),
    ...pairs
      .filter(pair => pair.every(number => held.has(number)))
      .map(([a = '', b = '']): Violation => ({
        code: 'banned_pair_present',
        message: `${named(a, cards)} and ${named(b, cards)} may not be in one deck, by the list of ${asOf}.`,
        detail: `${a}+${b}`
      })),
    ...numbers
      .filter(number => isRotatedOut(cards.get(number), least))
      .map((number): Violation => ({
        code: 'card_rotated_out',
        message: `No printing of ${named(number, cards)} is of block ${least} or later.`,
        card_id: number,
        detail: cards.get(number)?.blocks.at(-1) ?? 0
      }))
  ]
}

/**
 * Returns all violations of a deck, those of construction first. Rules on colours and blocks are not applied to cards
 * without that data.
 */
export function judge(deck: DeckList, format: DeckFormat, cards: ReadonlyMap<string, PrintedCard>): Legality {
  const numbers = [...new Set([deck.leader_id, ...deck.main_deck_card_ids].map(baseNumber))]
  const unknown = (lacks: (card: PrintedCard) => boolean): string[] =>
    numbers.filter(number => {
      const card = cards.get(number)
      return card !== undefined && lacks(card)
    })
  return {
    violations: [...deckViolations(deck, cards), ...formatViolations(numbers, cards, format)],
    coloursUnknown: unknown(card => card.colours === null),
    blocksUnknown: format.minimum_block === null ? [] : unknown(card => card.blocks.length === 0)
  }
}
