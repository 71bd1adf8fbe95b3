import { createHash } from 'node:crypto'
import { baseNumber, countCopies, mainDeckSize, type DeckList } from '../deck-rules.ts'
import type { PlayCard } from '../play-card.ts'
import { emit, type MatchDraft, type NumberedEvent } from './events.ts'
import { pick, seeded, shuffle } from './random.ts'
import { players, type PracticeLevel, type Player, type Side, type MatchState } from './state.ts'

export const openingHand = 5
export const donDeckSize = 10

export type NewMatch = Readonly<{
  seed: string
  level: PracticeLevel
  /** Legal decks whose cards are all in `cards`. */
  decks: Readonly<Record<Player, DeckList>>
  cards: ReadonlyMap<string, PlayCard>
  /** The player who begins; if undefined, the seed decides. */
  first?: Player | undefined
}>

const seats: Readonly<Record<Player, string>> = { player_1: 'p1', player_2: 'p2' }

/** Returns the distinct cards of both decks, and a function that gives the index of a card. */
function tableOf({
  decks,
  cards
}: NewMatch): Readonly<{ table: readonly PlayCard[]; indexOf: (id: string) => number }> {
  const numbers = [
    ...new Set(
      players.flatMap(player => [decks[player].leader_id, ...decks[player].main_deck_card_ids].map(baseNumber))
    )
  ].sort()
  const table = numbers.map(number => {
    const card = cards.get(number)
    if (card === undefined) throw new Error(`The card ${number} of a deck was not given.`)
    return card
  })
  const places = new Map(numbers.map((number, index) => [number, index]))
  return { table, indexOf: id => places.get(baseNumber(id)) ?? -1 }
}

/**
 * Creates a match before its first turn: decks shuffled, opening hands drawn, first player chosen (Comprehensive Rules
 * 5-2).
 */
export function newMatch(given: NewMatch): Readonly<{ state: MatchState; events: readonly NumberedEvent[] }> {
  const { seed, level, decks } = given
  const { table, indexOf } = tableOf(given)
  const [toss, start] = pick(seeded(seed), 2)
  let random = start

  const sideOf = (player: Player): Side => {
    const [deck, next] = shuffle(
      decks[player].main_deck_card_ids.map(indexOf).sort((a, b) => a - b),
      random
    )
    random = next
    return {
      leader: {
        id: `${seats[player]}_leader`,
        card: indexOf(decks[player].leader_id),
        rested: false,
        don: 0,
        since: 0
      },
      field: [],
      stage: null,
      hand: deck.splice(-openingHand).reverse(),
      deck,
      life: [],
      trash: [],
      don: { deck: donDeckSize, active: 0, rested: 0 },
      named: 0
    }
  }
  const sides = { player_1: sideOf('player_1'), player_2: sideOf('player_2') }
  const first = given.first ?? (toss === 0 ? 'player_1' : 'player_2')
  const match = `practice-${createHash('sha256').update(`practice match\n${seed}`).digest('hex').slice(0, 16)}`
  const state: MatchState = {
    match,
    seed,
    level,
    cards: table,
    first,
    sides,
    turn: 0,
    turnPlayer: first,
    phase: 'setup',
    mulligan: first,
    battle: null,
    result: null,
    random,
    events: 0
  }
  const draft: MatchDraft = { state, events: [] }
  emit(draft, { kind: 'match_created', match_id: match, players, rules: 'casual' })
  for (const player of players) {
    emit(draft, {
      kind: 'deck_declared',
      player,
      leader: baseNumber(decks[player].leader_id),
      main_deck: Object.fromEntries([...countCopies(decks[player].main_deck_card_ids)].sort()),
      main_deck_count: mainDeckSize,
      don_deck_count: donDeckSize
    })
  }
  for (const player of players) emit(draft, { kind: 'deck_validated', player, legal: true, violations: [] })
  emit(draft, { kind: 'first_player_chosen', chooser: first, first_player: first })
  for (const player of players) emit(draft, { kind: 'opening_hand_drawn', player, count: openingHand })
  return { state, events: draft.events }
}
