import type { PlayCard } from '../deck-rules.ts'
import { emit, lose, placeCard, removeFrom, trashCharacter, type MatchDraft } from './events.ts'
import {
  cardOf,
  fightersOf,
  hasKeyword,
  isPlayable,
  opponentOf,
  powerOf,
  type Battle,
  type CardIndex,
  type Side,
  type MatchState,
  type BoardUnit
} from './state.ts'

/** Returns the active Characters with Blocker, except the target of the attack. */
export const blockersOf = (state: MatchState, side: Side, battle: Pick<Battle, 'target'>): readonly BoardUnit[] =>
  side.field.filter(unit => !unit.rested && unit.id !== battle.target && hasKeyword(state, unit, 'blocker'))

export const countersOf = (state: MatchState, side: Side): readonly CardIndex[] =>
  side.hand.filter(index => cardOf(state, index).category === 'character' && (cardOf(state, index).counter ?? 0) > 0)

export const damageOf = (state: MatchState, attacker: BoardUnit): number =>
  hasKeyword(state, attacker, 'double_attack') ? 2 : 1

/** Performs the Attack Step and begins the Block Step. If there is no blocker, the block is declined at once. */
export function declareAttack(draft: MatchDraft, attacker: BoardUnit, target: string): void {
  const { state } = draft
  attacker.rested = true
  state.battle = { attacker: attacker.id, target, step: 'block', added: 0, damage: 0, shown: null }
  emit(draft, { kind: 'attack_declared', player: state.turnPlayer, attacker: attacker.id, target })
  if (blockersOf(state, state.sides[opponentOf(state.turnPlayer)], state.battle).length === 0)
    block(draft, state.battle, null)
}

/** Makes a Character the target of the attack, or none if `instance` is null, and goes on to the Counter Step. */
export function block(draft: MatchDraft, battle: Battle, instance: string | null): void {
  const { state } = draft
  const player = opponentOf(state.turnPlayer)
  const blocker = state.sides[player].field.find(({ id }) => id === instance)
  if (blocker === undefined) emit(draft, { kind: 'block_declined', player })
  else {
    blocker.rested = true
    battle.target = blocker.id
    emit(draft, { kind: 'block_declared', player, instance: blocker.id })
  }
  battle.step = 'counter'
  if (countersOf(state, state.sides[player]).length === 0) endCounters(draft, battle)
}

/** Discards a Character from the hand, which adds its Counter value to the defense in this battle. */
export function counter(draft: MatchDraft, battle: Battle, index: CardIndex): void {
  const { state } = draft
  const player = opponentOf(state.turnPlayer)
  const side = state.sides[player]
  const { number, counter } = cardOf(state, index)
  removeFrom(side.hand, index)
  side.trash.push(index)
  battle.added += counter ?? 0
  emit(draft, { kind: 'counter_value_used', player, card_number: number, value: counter ?? 0, instance: battle.target })
  if (countersOf(state, side).length === 0) endCounters(draft, battle)
}

/** Ends the Counter Step and resolves the Damage Step: the attacker wins with equal or greater power. */
export function endCounters(draft: MatchDraft, battle: Battle): void {
  const { state } = draft
  const player = opponentOf(state.turnPlayer)
  const { attacker, target } = fightersOf(state, battle)
  emit(draft, { kind: 'counter_ended', player })
  const attackerPower = powerOf(state, state.turnPlayer, attacker)
  const targetPower = powerOf(state, player, target) + battle.added
  const wins = attackerPower >= targetPower
  emit(draft, {
    kind: 'power_compared',
    attacker: attacker.id,
    attacker_power: attackerPower,
    target: target.id,
    target_power: targetPower,
    attacker_wins: wins
  })
  if (!wins) endBattle(draft)
  else if (target !== state.sides[player].leader) {
    emit(draft, { kind: 'character_knocked_out', player, ...trashCharacter(draft, player, target.id) })
    endBattle(draft)
  } else if (state.sides[player].life.length === 0) lose(draft, player, 'leader_damage_at_zero_life')
  else {
    battle.damage = damageOf(state, attacker)
    dealDamage(draft, battle)
  }
}

/**
 * Takes Life cards. Pauses at one with a Trigger, unless the attacker has Banish. When Life runs out during this
 * damage, the match is not lost (Q&A on Double Attack).
 */
function dealDamage(draft: MatchDraft, battle: Battle): void {
  const { state } = draft
  const player = opponentOf(state.turnPlayer)
  const { life, hand, trash } = state.sides[player]
  const { attacker } = fightersOf(state, battle)
  const banish = hasKeyword(state, attacker, 'banish')
  while (battle.damage > 0) {
    const index = life.pop()
    if (index === undefined) break
    battle.damage -= 1
    if (!banish && cardOf(state, index).trigger !== null) {
      battle.step = 'trigger'
      battle.shown = index
      return
    }
    ;(banish ? trash : hand).push(index)
    emit(draft, { kind: 'life_taken', player, count: 1, to: banish ? 'trash' : 'hand' })
  }
  endBattle(draft)
}

export const playsItself = (card: PlayCard): boolean => card.trigger === 'play' && isPlayable(card)

/** Uses the Trigger of the Life card that was taken, or adds the card to the hand without showing it. */
export function decideTrigger(
  draft: MatchDraft,
  battle: Battle,
  index: CardIndex,
  use: boolean,
  replace: string | undefined
): void {
  const { state } = draft
  const player = opponentOf(state.turnPlayer)
  const side = state.sides[player]
  const card = cardOf(state, index)
  const plays = playsItself(card)
  battle.shown = null
  emit(draft, { kind: 'life_taken', player, count: 1, to: use ? 'shown_for_trigger' : 'hand' })
  if (use)
    emit(draft, {
      kind: 'trigger_used',
      player,
      card_number: card.number,
      don_set_active: 0,
      then_to: !plays ? 'trash' : card.category === 'stage' ? 'stage_area' : 'character_area'
    })
  if (use && plays) placeCard(draft, player, index, 0, replace)
  else (use ? side.trash : side.hand).push(index)
  dealDamage(draft, battle)
}

function endBattle(draft: MatchDraft): void {
  draft.state.battle = null
  emit(draft, { kind: 'battle_ended', player: draft.state.turnPlayer })
}
