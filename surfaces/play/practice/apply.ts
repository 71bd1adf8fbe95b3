import { createHash } from 'node:crypto'
import { baseNumber, countCopies, mainDeckSize, type DeckList, type PlayCard } from '../deck-rules.ts'
import { block, counter, declareAttack, decideTrigger, endCounters } from './battle.ts'
import { emit, lose, placeCard, removeFrom, type MatchDraft, type NumberedEvent } from './events.ts'
import {
  actionFields,
  againstRules,
  quoted,
  refuse,
  refuseFields,
  type Action,
  type ActionInput,
  type ActionRefusal
} from './rules.ts'
import {
  cardOf,
  copyState,
  decisionOf,
  nextRandom,
  inHand,
  opponentOf,
  randomBelow,
  players,
  seedRandom,
  shuffle,
  unitOf,
  unitsOf,
  type CardIndex,
  type Decision,
  type MatchState,
  type Player,
  type PracticeLevel,
  type Side
} from './state.ts'

const openingHand = 5
const leaderIds: Readonly<Record<Player, string>> = { player_1: 'p1_leader', player_2: 'p2_leader' }
export const donDeckSize = 10

export type NewMatch = Readonly<{
  seed: string
  level: PracticeLevel
  /** Legal decks of known cards. */
  decks: Readonly<Record<Player, DeckList>>
  cards: ReadonlyMap<string, PlayCard>
  /** If undefined, the seed decides. */
  first?: Player | undefined
}>

function tableOf({ decks, cards }: NewMatch) {
  const ids = players.flatMap(player => [decks[player].leader_id, ...decks[player].main_deck_card_ids])
  const numbers = [...new Set(ids.map(baseNumber))].sort()
  const table = numbers.map(number => {
    const card = cards.get(number)
    if (card === undefined) throw new Error(`The card ${number} of a deck was not given.`)
    return card
  })
  const indexes = new Map(numbers.map((number, index) => [number, index]))
  return { table, indexOf: (id: string): CardIndex => indexes.get(baseNumber(id)) ?? -1 }
}

/** Creates a match: decks shuffled, opening hands drawn, first player chosen (Comprehensive Rules 5-2). */
export function newMatch(options: NewMatch): Readonly<{ state: MatchState; events: readonly NumberedEvent[] }> {
  const { seed, level, decks } = options
  const { table, indexOf } = tableOf(options)
  const [toss, start] = randomBelow(seedRandom(seed), 2)
  let random = start

  const sideOf = (player: Player): Side => {
    const [deck, next] = shuffle(
      decks[player].main_deck_card_ids.map(indexOf).sort((a, b) => a - b),
      random
    )
    random = next
    return {
      leader: { id: leaderIds[player], card: indexOf(decks[player].leader_id), rested: false, don: 0, since: 0 },
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
  const first = options.first ?? (toss === 0 ? 'player_1' : 'player_2')
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

function refresh(draft: MatchDraft, player: Player): void {
  const side = draft.state.sides[player]
  const returned = unitsOf(side).reduce((sum, { don }) => sum + don, 0)
  if (returned > 0) emit(draft, { kind: 'given_don_returned', player, count: returned })
  const setActive = unitsOf(side)
    .filter(({ rested }) => rested)
    .map(({ id }) => id)
  const donCount = side.don.rested + returned
  for (const unit of unitsOf(side)) {
    unit.rested = false
    unit.don = 0
  }
  side.don.active += donCount
  side.don.rested = 0
  if (setActive.length + donCount > 0)
    emit(draft, { kind: 'cards_set_active', player, instances: setActive, don_count: donCount })
}

/** Draws a card. When the deck is empty after that, the player loses at once (Comprehensive Rules 1-2). */
function drawCard(draft: MatchDraft, player: Player): void {
  const side = draft.state.sides[player]
  side.hand.push(...side.deck.splice(-1))
  emit(draft, { kind: 'card_drawn', player, count: 1 })
  if (side.deck.length === 0) lose(draft, player, 'deck_out')
}

/**
 * Runs the Refresh, Draw and DON!! Phases and starts the Main Phase (Comprehensive Rules 6-2 to 6-5), unless the draw
 * ends the match.
 */
function beginTurn(draft: MatchDraft, player: Player): void {
  const { state } = draft
  state.turn += 1
  state.turnPlayer = player
  emit(draft, { kind: 'turn_began', player, turn_number: state.turn })
  emit(draft, { kind: 'phase_began', player, phase: 'refresh' })
  refresh(draft, player)
  emit(draft, { kind: 'phase_began', player, phase: 'draw' })
  state.phase = 'draw'
  if (state.turn === 1) emit(draft, { kind: 'draw_skipped', player, reason: 'first_turn_of_first_player' })
  else drawCard(draft, player)
  if (state.result !== null) return
  emit(draft, { kind: 'phase_began', player, phase: 'don' })
  const { don } = state.sides[player]
  const placed = Math.min(state.turn === 1 ? 1 : 2, don.deck)
  don.deck -= placed
  don.active += placed
  if (placed > 0) emit(draft, { kind: 'don_placed', player, count: placed })
  emit(draft, { kind: 'phase_began', player, phase: 'main' })
  state.phase = 'main'
}

function endTurn(draft: MatchDraft): void {
  const { turnPlayer: player, turn } = draft.state
  emit(draft, { kind: 'phase_began', player, phase: 'end' })
  emit(draft, { kind: 'turn_ended', player, turn_number: turn })
  beginTurn(draft, opponentOf(player))
}

const typesByDecision: Readonly<Record<Decision['kind'], readonly Action['type'][]>> = {
  mulligan: ['mulligan', 'concede'],
  main: ['play', 'attach_don', 'attack', 'end_turn', 'concede'],
  block: ['block', 'concede'],
  counter: ['counter', 'concede'],
  trigger: ['trigger', 'concede']
}

type FieldCheck = (value: unknown) => boolean
const isFlag: FieldCheck = value => typeof value === 'boolean'
const isText: FieldCheck = value => typeof value === 'string'
const isTextOrNull: FieldCheck = value => value === null || isText(value)
const isOptional: FieldCheck = () => true

const fieldsOf: Readonly<Record<Action['type'], Readonly<Partial<Record<(typeof actionFields)[number], FieldCheck>>>>> =
  {
    mulligan: { redraw: isFlag },
    play: { card_number: isText, replace: isOptional },
    attach_don: { instance: isText },
    attack: { attacker: isText, target: isText },
    block: { instance: isTextOrNull },
    counter: { card_number: isTextOrNull },
    trigger: { use: isFlag, replace: isOptional },
    end_turn: {},
    concede: {}
  }

function refusalOf(state: MatchState, action: ActionInput): ActionRefusal | undefined {
  const decision = decisionOf(state)
  if (decision === null) return refuse('match_is_over', 'The match is over. Deal a new one with `op` `new`.')
  const types = typesByDecision[decision.kind]
  if (!types.includes(action.type))
    return refuse('not_decided_now', `\`${action.type}\` is not decided now. What can be decided: ${quoted(types)}.`)
  return missingFields(action) ?? againstRules(state, decision, action) ?? excessFields(action)
}

function missingFields(action: ActionInput): ActionRefusal | undefined {
  const missing = actionFields.filter(field => fieldsOf[action.type][field]?.(action[field]) === false)
  return missing.length === 0 ? undefined : refuse('incomplete_action', `\`${action.type}\` needs ${quoted(missing)}.`)
}

const excessFields = (action: ActionInput): ActionRefusal | undefined =>
  actionFields.some(field => action[field] !== undefined && fieldsOf[action.type][field] === undefined)
    ? refuseFields(action)
    : undefined

export type Applied = Readonly<{ state: MatchState; events: readonly NumberedEvent[] }>

/** Applies an action to a copy of the state, or returns why it is not legal. */
export function apply(state: MatchState, action: ActionInput): Applied | ActionRefusal {
  const refusal = refusalOf(state, action)
  if (refusal !== undefined) return refusal
  const draft: MatchDraft = { state: copyState(state), events: [] }
  const [, random] = nextRandom(state.random)
  draft.state.random = random
  // An action that was not refused has all fields of its type.
  perform(draft, decisionOf(state)?.player ?? state.turnPlayer, action as Action)
  return { state: draft.state, events: draft.events }
}

function perform(draft: MatchDraft, player: Player, action: Action): void {
  const { state } = draft
  const { battle } = state
  const side = state.sides[player]
  if (action.type === 'mulligan') decideMulligan(draft, player, action.redraw)
  else if (action.type === 'play') {
    const index = heldCard(state, side, action.card_number)
    const cost = cardOf(state, index).cost ?? 0
    removeFrom(side.hand, index)
    side.don.active -= cost
    side.don.rested += cost
    placeCard(draft, player, index, cost, action.replace)
  } else if (action.type === 'attach_don') {
    const unit = unitOf(side, action.instance)
    if (unit !== undefined) unit.don += 1
    side.don.active -= 1
    emit(draft, { kind: 'don_given', player, instance: action.instance, count: 1 })
  } else if (action.type === 'attack') {
    const attacker = unitOf(side, action.attacker)
    if (attacker !== undefined) declareAttack(draft, attacker, action.target)
  } else if (action.type === 'end_turn') endTurn(draft)
  else if (action.type === 'concede') lose(draft, player, 'concession')
  else if (battle === null) return
  else if (action.type === 'block') block(draft, battle, action.instance)
  else if (action.type === 'counter') {
    if (action.card_number === null) endCounters(draft, battle)
    else counter(draft, battle, heldCard(state, side, action.card_number))
  } else if (battle.shown !== null) decideTrigger(draft, battle, battle.shown, action.use, action.replace)
}

function heldCard(state: MatchState, side: Side, number: string): CardIndex {
  const index = inHand(state, side, number)
  if (index === undefined) throw new Error('A legal action names a card that is not in the hand.')
  return index
}

/**
 * Carries out the decision of a player on a mulligan. The first player decides first; after both, Life cards are placed
 * and the first turn begins.
 */
function decideMulligan(draft: MatchDraft, player: Player, redraw: boolean): void {
  const { state } = draft
  const side = state.sides[player]
  emit(draft, { kind: 'mulligan_decided', player, redraw })
  if (redraw) {
    const [deck, random] = shuffle(
      [...side.deck, ...side.hand].sort((a, b) => a - b),
      state.random
    )
    state.random = random
    side.hand = deck.splice(-openingHand).reverse()
    side.deck = deck
  }
  if (player === state.first) {
    state.mulligan = opponentOf(player)
    return
  }
  state.mulligan = null
  for (const owner of players) placeLife(draft, owner)
  emit(draft, { kind: 'match_started', first_player: state.first })
  beginTurn(draft, state.first)
}

/**
 * Places Life cards from the top of the deck. Each goes on top of the last, so that the first one placed is taken last.
 */
function placeLife(draft: MatchDraft, player: Player): void {
  const { state } = draft
  const side = state.sides[player]
  const count = cardOf(state, side.leader.card).life ?? 0
  side.life = side.deck.splice(-count).reverse()
  emit(draft, { kind: 'life_placed', player, count })
}
