import { closed, Count, mirrorSchema, nullable, Text, Texts, Type, type DataOf } from 'pantry/data'
import { linksOf, rights } from '../cards/documents/parts.ts'
import { structure } from '../cards/documents/schemas.ts'
import { baseNumber, deckViolationCodes, deckViolations, type DeckList, type PrintedCard } from './deck-rules.ts'

/** An entry of the corpus `play-formats`. */
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

const violationCodes = [...deckViolationCodes, 'card_banned', 'banned_pair_present', 'card_rotated_out'] as const

const Violation = closed({
  code: Type.Enum([...violationCodes]),
  message: Text,
  card_id: Type.Optional(Text),
  detail: Type.Optional(Type.Union([Count, Text]))
})
type Violation = DataOf<typeof Violation>

/**
 * Whether all printings of a card are of blocks before `least`. False for a card whose block is unknown, and if `least`
 * is null, which means no rotation.
 */
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
  const inDeck = new Set(numbers)
  return [
    ...numbers
      .filter(number => banned.includes(number))
      .map((number): Violation => ({
        code: 'card_banned',
        message: `${named(number, cards)} is banned, by the list of ${asOf}.`,
        card_id: number
      })),
    ...pairs
      .filter(pair => pair.every(number => inDeck.has(number)))
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
 * Returns all violations of a deck, those of construction first, and the cards without data on colours or, if the
 * format needs it, on blocks: these rules are not applied to them.
 */
export function judge(deck: DeckList, format: DeckFormat, cards: ReadonlyMap<string, PrintedCard>) {
  const numbers = [...new Set([deck.leader_id, ...deck.main_deck_card_ids].map(baseNumber))]
  return {
    violations: [...deckViolations(deck, cards), ...formatViolations(numbers, cards, format)],
    coloursUnknown: numbers.filter(number => cards.get(number)?.colours === null),
    blocksUnknown: format.minimum_block === null ? [] : numbers.filter(number => cards.get(number)?.blocks.length === 0)
  }
}

export const DeckLegalitySchema = mirrorSchema('deck_legality_result', {
  ...structure,
  legal: Type.Boolean(),
  violations: Type.Array(Violation),
  summary: closed({
    main_deck_count: Count,
    distinct_card_count: Count,
    leader_id: Text,
    leader_colors: Texts,
    format: Text,
    deck_card_ids_sorted: Texts,
    violation_codes_sorted: Texts
  }),
  format_rules: closed({
    format: Text,
    name: Text,
    as_of: Type.String({ format: 'date' }),
    minimum_block: nullable(Count),
    banned: Texts,
    banned_pairs: Type.Array(Texts),
    source: nullable(closed({ name: Text, url: Text })),
    unsure: Type.Boolean(),
    note: Text
  }),
  substrate_honest_perimeter: closed({
    identity: Text,
    color_check: Text,
    colors_unknown_for: Texts,
    block_check: Text,
    blocks_unknown_for: Texts,
    copy_limit: Text,
    category_sources: Text,
    banlist: Text
  })
})

/** Returns the result of a deck check as the body of a structural document at `path`. */
export function legalityBody(
  deck: DeckList,
  format: DeckFormat,
  cards: ReadonlyMap<string, PrintedCard>,
  path: string
) {
  const leaderId = baseNumber(deck.leader_id)
  const ids = deck.main_deck_card_ids.map(baseNumber)
  const { violations, coloursUnknown, blocksUnknown } = judge(deck, format, cards)
  return {
    legal: violations.length === 0,
    violations,
    summary: {
      main_deck_count: ids.length,
      distinct_card_count: new Set(ids).size,
      leader_id: leaderId,
      leader_colors: cards.get(leaderId)?.colours ?? [],
      format: format.id,
      deck_card_ids_sorted: ids.sort(),
      violation_codes_sorted: violations.map(({ code }) => code).sort()
    },
    format_rules: {
      format: format.id,
      name: format.name,
      as_of: format.as_of,
      minimum_block: format.minimum_block,
      banned: format.banned,
      banned_pairs: format.banned_pairs,
      source: format.source,
      unsure: format.unsure,
      note: format.note
    },
    substrate_honest_perimeter: {
      identity: 'A card is its number: printings and languages of one number are one card, also for the copy limit.',
      color_check:
        'A card needs one colour of its Leader. Cards without colour data are not judged by colour and are listed here.',
      colors_unknown_for: coloursUnknown,
      block_check:
        format.minimum_block === null
          ? 'This format has no rotation.'
          : `A card needs a printing of block ${format.minimum_block} or later. Cards whose block no source states are not judged by it and are listed here.`,
      blocks_unknown_for: blocksUnknown,
      copy_limit:
        'Rules texts are not kept. The cards whose texts lift the limit are named in the rules of this check.',
      category_sources: 'Categories, colours and blocks are those the catalogue has from its sources.',
      banlist:
        format.source === null
          ? 'No list applies.'
          : `The list of ${format.as_of} by ${format.source.name}. It is not the publisher's own word.`
    },
    _links: linksOf({ kind: 'deck_legality_result', connections: [], canonical: path, pattern: path }),
    _note_opaque: ['violations[].message', 'format_rules.note', 'substrate_honest_perimeter'],
    rights
  }
}
