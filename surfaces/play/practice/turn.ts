import { emit, lose, type Draft } from './events.ts'
import { other, unitsOf, type Player } from './state.ts'

function refresh(draft: Draft, player: Player): void {
  const side = draft.state.sides[player]
  const given = unitsOf(side).reduce((sum, { don }) => sum + don, 0)
  if (given > 0) emit(draft, { kind: 'given_don_returned', player, count: given })
  const woken = unitsOf(side)
    .filter(({ rested }) => rested)
    .map(({ id }) => id)
  const donCount = side.don.rested + given
  for (const unit of unitsOf(side)) {
    unit.rested = false
    unit.don = 0
  }
  side.don.active += donCount
  side.don.rested = 0
  if (woken.length + donCount > 0)
    emit(draft, { kind: 'cards_set_active', player, instances: woken, don_count: donCount })
}

/** Draws cards from the top. A deck without cards is a defeat at once (Comprehensive Rules 1-2). */
function drawCard(draft: Draft, player: Player): void {
  const side = draft.state.sides[player]
  side.hand.push(...side.deck.splice(-1))
  emit(draft, { kind: 'card_drawn', player, count: 1 })
  if (side.deck.length === 0) lose(draft, player, 'deck_out')
}

/** The first three phases of a turn and the beginning of the fourth (Comprehensive Rules 6-2 to 6-5). */
export function beginTurn(draft: Draft, player: Player): void {
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

/** The End Phase; the opponent's turn follows. */
export function endTurn(draft: Draft): void {
  const { turnPlayer: player, turn } = draft.state
  emit(draft, { kind: 'phase_began', player, phase: 'end' })
  emit(draft, { kind: 'turn_ended', player, turn_number: turn })
  beginTurn(draft, other(player))
}
