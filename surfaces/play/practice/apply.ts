import type { Action, ActionInput } from './actions.ts'
import { block, counter, declareAttack, decideTrigger, endCounters } from './battle.ts'
import { emit, lose, take, type MatchDraft, type NumberedEvent } from './events.ts'
import { openingHand } from './new-match.ts'
import { placeCard } from './place.ts'
import { draw, shuffle } from './random.ts'
import { refusalOf } from './refusal.ts'
import type { ActionRefusal } from './rules.ts'
import {
  cardOf,
  copyState,
  decisionOf,
  other,
  players,
  unitOf,
  type CardIndex,
  type Player,
  type Side,
  type MatchState
} from './state.ts'
import { beginTurn, endTurn } from './turn.ts'

export type Applied = Readonly<{ state: MatchState; events: readonly NumberedEvent[] }>

/** Applies an action to a copy of the state. Returns a refusal with the reason when the action is not legal. */
export function apply(state: MatchState, action: ActionInput): Applied | ActionRefusal {
  const refusal = refusalOf(state, action)
  if (refusal !== undefined) return refusal
  const draft: MatchDraft = { state: copyState(state), events: [] }
  const [, random] = draw(state.random)
  draft.state.random = random
  // An action that was not refused has all fields of its type.
  carryOut(draft, decisionOf(state)?.player ?? state.turnPlayer, action as Action)
  return { state: draft.state, events: draft.events }
}

function carryOut(draft: MatchDraft, player: Player, action: Action): void {
  const { state } = draft
  const { battle } = state
  const side = state.sides[player]
  if (action.type === 'mulligan') decideMulligan(draft, player, action.redraw)
  else if (action.type === 'play') {
    const index = inHand(state, side, action.card_number)
    const cost = cardOf(state, index).cost ?? 0
    take(side.hand, index)
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
    else counter(draft, battle, inHand(state, side, action.card_number))
  } else if (battle.shown !== null) decideTrigger(draft, battle, battle.shown, action.use, action.replace)
}

function inHand(state: MatchState, side: Side, number: string): CardIndex {
  const index = side.hand.find(held => cardOf(state, held).number === number)
  if (index === undefined) throw new Error('A legal action names a card that is not in the hand.')
  return index
}

/**
 * Resolves a mulligan decision. The first player decides first; after both, Life cards are placed and the first turn
 * begins.
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
    state.mulligan = other(player)
    return
  }
  state.mulligan = null
  for (const owner of players) layLife(draft, owner)
  emit(draft, { kind: 'match_started', first_player: state.first })
  beginTurn(draft, state.first)
}

/** Places Life cards from the top of the deck, each on top of the last, so that the first one placed is taken last. */
function layLife(draft: MatchDraft, player: Player): void {
  const { state } = draft
  const side = state.sides[player]
  const count = cardOf(state, side.leader.card).life ?? 0
  side.life = side.deck.splice(-count).reverse()
  emit(draft, { kind: 'life_placed', player, count })
}
