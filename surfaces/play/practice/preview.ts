import type { Action } from './actions.ts'
import { damageOf } from './battle.ts'
import { cardOf, fightersOf, other, powerOf, unitOf, type State, type Unit } from './state.ts'

export const outcomes = ['wins_match', 'takes_life', 'knocks_out', 'fails'] as const

/** The outcome of a battle without further actions. */
export type Preview = Readonly<{
  /** Power of the attacker. */
  attack: number
  /** Power of the target, counters included. */
  defense: number
  outcome: (typeof outcomes)[number]
  /** Life cards that would be taken. */
  damage: number
}>

/** Compares an attacker with a target as if no further block and no further counter came. */
export function compare(state: State, attacker: Unit, target: Unit, added: number): Preview {
  const attacked = other(state.turnPlayer)
  const side = state.sides[attacked]
  const attack = powerOf(state, state.turnPlayer, attacker)
  const defense = powerOf(state, attacked, target) + added
  if (attack < defense) return { attack, defense, outcome: 'fails', damage: 0 }
  if (target.id !== side.leader.id) return { attack, defense, outcome: 'knocks_out', damage: 0 }
  const damage = Math.min(damageOf(state, attacker), side.life.length)
  return { attack, defense, outcome: damage === 0 ? 'wins_match' : 'takes_life', damage }
}

/** The battle that an action leads to; null for actions without one. Hidden cards play no part in it. */
export function previewOf(state: State, action: Action): Preview | null {
  const { battle, turnPlayer } = state
  const attacked = state.sides[other(turnPlayer)]
  if (action.type === 'attack') {
    const attacker = unitOf(state.sides[turnPlayer], action.attacker)
    const target = unitOf(attacked, action.target)
    return attacker === undefined || target === undefined ? null : compare(state, attacker, target, 0)
  }
  if (battle === null) return null
  const { attacker, target } = fightersOf(state, battle)
  if (action.type === 'block')
    return compare(state, attacker, attacked.field.find(({ id }) => id === action.instance) ?? target, battle.added)
  if (action.type !== 'counter') return null
  const card = attacked.hand.map(index => cardOf(state, index)).find(({ number }) => number === action.card_number)
  return compare(state, attacker, target, battle.added + (card?.counter ?? 0))
}
