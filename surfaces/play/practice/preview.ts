import type { Action } from './actions.ts'
import { damageOf } from './battle.ts'
import { cardOf, fightersOf, other, powerOf, unitOf, type MatchState, type BoardUnit } from './state.ts'

export const outcomes = ['wins_match', 'takes_life', 'knocks_out', 'fails'] as const

/** The outcome of a battle if nobody acts further. */
export type Preview = Readonly<{
  /** The power of the attacker. */
  attack: number
  /** The power of the target, including counters. */
  defense: number
  outcome: (typeof outcomes)[number]
  /** The number of Life cards that would be taken. */
  damage: number
}>

/** Compares an attacker with a target, assuming no further blocks or counters. */
export function compare(state: MatchState, attacker: BoardUnit, target: BoardUnit, added: number): Preview {
  const attacked = other(state.turnPlayer)
  const side = state.sides[attacked]
  const attack = powerOf(state, state.turnPlayer, attacker)
  const defense = powerOf(state, attacked, target) + added
  if (attack < defense) return { attack, defense, outcome: 'fails', damage: 0 }
  if (target.id !== side.leader.id) return { attack, defense, outcome: 'knocks_out', damage: 0 }
  const damage = Math.min(damageOf(state, attacker), side.life.length)
  return { attack, defense, outcome: damage === 0 ? 'wins_match' : 'takes_life', damage }
}

/**
 * Returns a preview of the battle that an action leads to; null for actions without one. It does not use hidden cards.
 */
export function previewOf(state: MatchState, action: Action): Preview | null {
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
