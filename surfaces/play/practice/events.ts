import {
  cardOf,
  opponentOf,
  shownCard,
  unitOf,
  type CardIndex,
  type MatchResult,
  type MatchState,
  type Player
} from './state.ts'

/**
 * An event as `/api/v1/play/game-state-schema` defines it. Only `card_replaced` is an addition: a card that makes room
 * is trashed, which is not a knock-out.
 */
type MatchEvent = Readonly<
  | { kind: 'match_created'; match_id: string; players: readonly Player[]; rules: 'casual' }
  | {
      kind: 'deck_declared'
      player: Player
      leader: string
      main_deck: Readonly<Record<string, number>>
      main_deck_count: number
      don_deck_count: number
    }
  | { kind: 'deck_validated'; player: Player; legal: true; violations: readonly never[] }
  | { kind: 'first_player_chosen'; chooser: Player; first_player: Player }
  | {
      kind: 'opening_hand_drawn' | 'life_placed' | 'card_drawn' | 'don_placed' | 'given_don_returned'
      player: Player
      count: number
    }
  | { kind: 'mulligan_decided'; player: Player; redraw: boolean }
  | { kind: 'match_started'; first_player: Player }
  | { kind: 'turn_began' | 'turn_ended'; player: Player; turn_number: number }
  | { kind: 'phase_began'; player: Player; phase: 'refresh' | 'draw' | 'don' | 'main' | 'end' }
  | { kind: 'draw_skipped'; player: Player; reason: 'first_turn_of_first_player' }
  | { kind: 'cards_set_active'; player: Player; instances: readonly string[]; don_count: number }
  | {
      kind: 'card_played'
      player: Player
      instance: string
      card_number: string
      cost: number
      power: number
      zone: 'character_area' | 'stage_area'
    }
  | {
      kind: 'card_replaced' | 'character_knocked_out'
      player: Player
      instance: string
      card_number: string
      don_returned: number
    }
  | { kind: 'don_given'; player: Player; instance: string; count: number }
  | { kind: 'attack_declared'; player: Player; attacker: string; target: string }
  | { kind: 'block_declared'; player: Player; instance: string }
  | { kind: 'block_declined' | 'counter_ended' | 'battle_ended'; player: Player }
  | { kind: 'counter_value_used'; player: Player; card_number: string; value: number; instance: string }
  | {
      kind: 'power_compared'
      attacker: string
      attacker_power: number
      target: string
      target_power: number
      attacker_wins: boolean
    }
  | { kind: 'life_taken'; player: Player; count: number; to: 'hand' | 'trash' | 'shown_for_trigger' }
  | {
      kind: 'trigger_used'
      player: Player
      card_number: string
      don_set_active: number
      then_to: 'trash' | 'character_area' | 'stage_area'
    }
  | { kind: 'match_ended'; winner: Player; loser: Player; reason: MatchResult['reason'] }
>

export type NumberedEvent = Readonly<{ offset: number }> & MatchEvent

/** A state that is being changed, a copy or a new one, and the events of this change so far. */
export type MatchDraft = Readonly<{ state: MatchState; events: NumberedEvent[] }>

export function emit({ state, events }: MatchDraft, event: MatchEvent): void {
  events.push({ offset: state.events, ...event })
  state.events += 1
}

/** Ends the match, even during a battle; a Life card that is being looked at goes to its owner's hand. */
export function lose(draft: MatchDraft, loser: Player, reason: MatchResult['reason']): void {
  const { state } = draft
  const winner = opponentOf(loser)
  const shown = shownCard(state)
  if (shown !== null) state.sides[opponentOf(state.turnPlayer)].hand.push(shown)
  state.battle = null
  state.result = { winner, reason }
  emit(draft, { kind: 'match_ended', winner, loser, reason })
}

export function removeFrom(pile: CardIndex[], card: CardIndex): void {
  const at = pile.indexOf(card)
  if (at === -1) throw new Error('A card was taken from a pile that does not hold it.')
  pile.splice(at, 1)
}

/** Moves a Character to the trash. The DON!! cards given to it return to the cost area rested. */
export function trashCharacter({ state }: MatchDraft, owner: Player, id: string) {
  const side = state.sides[owner]
  const unit = unitOf(side, id)
  if (unit === undefined) throw new Error('A Character left the field that was not on it.')
  side.field = side.field.filter(held => held !== unit)
  side.trash.push(unit.card)
  side.don.rested += unit.don
  return { instance: id, card_number: cardOf(state, unit.card).number, don_returned: unit.don }
}

export const characterLimit = 5

/** Puts a card on the field. The Character named by `replace`, or the previous Stage, is trashed first. */
export function placeCard(
  draft: MatchDraft,
  player: Player,
  index: CardIndex,
  cost: number,
  replace: string | undefined
): void {
  const { state } = draft
  const side = state.sides[player]
  const card = cardOf(state, index)
  const isStage = card.category === 'stage'
  side.named += 1
  const id = `${player === 'player_1' ? 'p1' : 'p2'}_${isStage ? 's' : 'c'}${side.named}`
  if (isStage) {
    if (side.stage !== null) {
      const { id: instance, card: old } = side.stage
      side.trash.push(old)
      emit(draft, { kind: 'card_replaced', player, instance, card_number: cardOf(state, old).number, don_returned: 0 })
    }
    side.stage = { id, card: index }
  } else {
    if (replace !== undefined) emit(draft, { kind: 'card_replaced', player, ...trashCharacter(draft, player, replace) })
    side.field.push({ id, card: index, rested: false, don: 0, since: state.turn })
  }
  emit(draft, {
    kind: 'card_played',
    player,
    instance: id,
    card_number: card.number,
    cost,
    power: isStage ? 0 : (card.power ?? 0),
    zone: isStage ? 'stage_area' : 'character_area'
  })
}
