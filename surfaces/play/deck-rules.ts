import { deckCategories, type PlayCard } from './play-card.ts'

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

export type DeckViolation = Readonly<{
  code: (typeof deckViolationCodes)[number]
  message: string
  /** The card number; absent when the problem concerns the whole deck. */
  card_id?: string
  /** The number of cards that were counted. */
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

/** Counts the copies of each card number in a deck, in the order of first appearance. */
export function countCopies(ids: readonly string[]): ReadonlyMap<string, number> {
  const copies = new Map<string, number>()
  for (const id of ids) copies.set(baseNumber(id), (copies.get(baseNumber(id)) ?? 0) + 1)
  return copies
}

const sharesColour = (leader: PlayCard, card: PlayCard): boolean =>
  leader.colours === null || card.colours === null || card.colours.some(colour => leader.colours?.includes(colour))

function ofLeader(number: string, leader: PlayCard | undefined): DeckViolation[] {
  if (leader === undefined)
    return [{ code: 'leader_card_not_found', message: `No card \`${number}\` is held here.`, card_id: number }]
  if (leader.category === 'leader') return []
  return [{ code: 'leader_is_not_a_leader', message: `${leader.name} (${number}) is no Leader card.`, card_id: number }]
}

function ofCard(
  number: string,
  copies: number,
  card: PlayCard | undefined,
  leader: PlayCard | undefined
): DeckViolation[] {
  const found: DeckViolation[] = []
  if (card === undefined)
    found.push({ code: 'card_id_unknown', message: `No card \`${number}\` is held here.`, card_id: number })
  else if (card.category === 'leader')
    found.push({
      code: 'leader_in_main_deck',
      message: `${card.name} (${number}) is a Leader card and cannot lie in the main deck.`,
      card_id: number
    })
  else if (card.category !== null && !deckCategories.some(category => category === card.category)) {
    found.push({
      code: 'card_not_main_deck_eligible',
      message: `${card.name} (${number}) is no Character, Event or Stage card.`,
      card_id: number
    })
  } else if (leader?.category === 'leader' && !sharesColour(leader, card)) {
    const colours = leader.colours?.join(' and ') ?? ''
    found.push({
      code: 'card_color_mismatch_with_leader',
      message: `${card.name} (${number}) shares no colour with the Leader, who is ${colours}.`,
      card_id: number
    })
  }
  if (copies > copyLimit && !withoutCopyLimit.has(number)) {
    found.push({
      code: 'card_copy_limit_exceeded',
      message: `${number} is ${copies} times in the deck; ${copyLimit} are the limit.`,
      card_id: number,
      detail: copies
    })
  }
  return found
}

/**
 * Returns all violations of the construction rules: one Leader, 50 cards, at most four copies of a number, a colour in
 * common with the Leader. `cards` has the known cards by number. The colour rule is not applied when the card or the
 * Leader has no colour data.
 */
export function deckViolations(deck: DeckList, cards: ReadonlyMap<string, PlayCard>): DeckViolation[] {
  const leaderNumber = baseNumber(deck.leader_id)
  const leader = cards.get(leaderNumber)
  const size = deck.main_deck_card_ids.length
  return [
    ...ofLeader(leaderNumber, leader),
    ...(size === mainDeckSize
      ? []
      : [
          {
            code: 'main_deck_wrong_size' as const,
            message: `The main deck has ${size === 1 ? '1 card' : `${size} cards`}; it must have ${mainDeckSize}.`,
            detail: size
          }
        ]),
    ...[...countCopies(deck.main_deck_card_ids)].flatMap(([number, copies]) =>
      ofCard(number, copies, cards.get(number), leader)
    )
  ]
}
