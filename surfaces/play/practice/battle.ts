import { emit, lose, take, trashCharacter, type Draft } from './events.ts'
import { placeCard } from './place.ts'
import {
  cardOf,
  fightersOf,
  other,
  powerOf,
  type Battle,
  type CardIndex,
  type Side,
  type State,
  type Unit
} from './state.ts'

const hasKeyword = (state: State, unit: Unit, keyword: 'blocker' | 'double_attack' | 'banish'): boolean =>
  cardOf(state, unit.card).keywords.includes(keyword)

/** Active cards with Blocker that are not the target themselves. */
export const blockersOf = (state: State, side: Side, battle: Pick<Battle, 'target'>): readonly Unit[] =>
  side.field.filter(unit => !unit.rested && unit.id !== battle.target && hasKeyword(state, unit, 'blocker'))

/** Characters of a hand that have a Counter value. */
export const countersOf = (state: State, side: Side): readonly CardIndex[] =>
  side.hand.filter(index => cardOf(state, index).category === 'character' && (cardOf(state, index).counter ?? 0) > 0)

export const damageOf = (state: State, attacker: Unit): number => (hasKeyword(state, attacker, 'double_attack') ? 2 : 1)

/** Attack Step: the attacker is rested, the target named. A step without a choice is passed at once. */
export function declareAttack(draft: Draft, attacker: Unit, target: string): void {
  const { state } = draft
  attacker.rested = true
  state.battle = { attacker: attacker.id, target, step: 'block', added: 0, damage: 0, shown: null }
  emit(draft, { kind: 'attack_declared', player: state.turnPlayer, attacker: attacker.id, target })
  if (blockersOf(state, state.sides[other(state.turnPlayer)], state.battle).length === 0)
    block(draft, state.battle, null)
}

/** Block Step: at most one blocker takes the attack upon itself. */
export function block(draft: Draft, battle: Battle, instance: string | null): void {
  const { state } = draft
  const player = other(state.turnPlayer)
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

/** Counter Step: a Character from the hand adds its Counter value for this battle. */
export function counter(draft: Draft, battle: Battle, index: CardIndex): void {
  const { state } = draft
  const player = other(state.turnPlayer)
  const side = state.sides[player]
  const { number, counter } = cardOf(state, index)
  take(side.hand, index)
  side.trash.push(index)
  battle.added += counter ?? 0
  emit(draft, { kind: 'counter_value_used', player, card_number: number, value: counter ?? 0, instance: battle.target })
  if (countersOf(state, side).length === 0) endCounters(draft, battle)
}

/** Ends the Counter Step; the Damage Step follows: the attacker wins with equal or more power. */
export function endCounters(draft: Draft, battle: Battle): void {
  const { state } = draft
  const player = other(state.turnPlayer)
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
 * One Life card after the other; a Trigger pauses. Damage that began with a Life card there is no defeat (Q&A on Double
 * Attack).
 */
function dealDamage(draft: Draft, battle: Battle): void {
  const { state } = draft
  const player = other(state.turnPlayer)
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

/** Whether using the Trigger of a card brings the card itself to the field. */
export const playsItself = (state: State, index: CardIndex): boolean => {
  const { trigger, category } = cardOf(state, index)
  return trigger === 'play' && (category === 'character' || category === 'stage')
}

/** Uses the Trigger of the Life card that was taken, or adds the card to the hand without showing it. */
export function decideTrigger(
  draft: Draft,
  battle: Battle,
  index: CardIndex,
  use: boolean,
  replace: string | undefined
): void {
  const { state } = draft
  const player = other(state.turnPlayer)
  const side = state.sides[player]
  const { number, category } = cardOf(state, index)
  battle.shown = null
  emit(draft, { kind: 'life_taken', player, count: 1, to: use ? 'shown_for_trigger' : 'hand' })
  if (!use) side.hand.push(index)
  else if (playsItself(state, index)) {
    emit(draft, {
      kind: 'trigger_used',
      player,
      card_number: number,
      don_set_active: 0,
      then_to: category === 'stage' ? 'stage_area' : 'character_area'
    })
    placeCard(draft, player, index, 0, replace)
  } else {
    emit(draft, { kind: 'trigger_used', player, card_number: number, don_set_active: 0, then_to: 'trash' })
    side.trash.push(index)
  }
  dealDamage(draft, battle)
}

function endBattle(draft: Draft): void {
  draft.state.battle = null
  emit(draft, { kind: 'battle_ended', player: draft.state.turnPlayer })
}
