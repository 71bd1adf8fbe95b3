import { emit, lose, type MatchDraft } from './events.ts'
import { other, unitsOf, type Player } from './state.ts'

function refresh(draft: MatchDraft, player: Player): void {
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

/** Draws a card. When the deck is empty afterwards, the player loses at once (Comprehensive Rules 1-2). */
function drawCard(draft: MatchDraft, player: Player): void {
  const side = draft.state.sides[player]
  side.hand.push(...side.deck.splice(-1))
  emit(draft, { kind: 'card_drawn', player, count: 1 })
  if (side.deck.length === 0) lose(draft, player, 'deck_out')
}

/** Runs the Refresh, Draw and DON!! Phases and starts the Main Phase (Comprehensive Rules 6-2 to 6-5). */
export function beginTurn(draft: MatchDraft, player: Player): void {
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

/** Ends the turn and starts the opponent's turn. */
export function endTurn(draft: MatchDraft): void {
  const { turnPlayer: player, turn } = draft.state
  emit(draft, { kind: 'phase_began', player, phase: 'end' })
  emit(draft, { kind: 'turn_ended', player, turn_number: turn })
  beginTurn(draft, other(player))
}
