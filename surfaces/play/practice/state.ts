import type { PlayCard } from '../play-card.ts'
import type { Random } from './random.ts'

/** `player_1` is the caller, `player_2` the built-in opponent. */
export const players = ['player_1', 'player_2'] as const
export type Player = (typeof players)[number]

export const levels = ['easy', 'normal', 'hard'] as const
export type Level = (typeof levels)[number]

/** Place of a card in `State.cards`. */
export type CardIndex = number

/** A Leader or a Character on the field. */
export type Unit = {
  /** Name of this one card, as the contract writes it: `p1_leader`, `p2_c3`. */
  readonly id: string
  readonly card: CardIndex
  rested: boolean
  /** DON!! cards given to it. */
  don: number
  /** Turn on which it was played; 0 for a Leader. */
  readonly since: number
}

/** Everything of one player. Piles have their top at the end. */
export type Side = {
  leader: Unit
  field: Unit[]
  stage: Readonly<{ id: string; card: CardIndex }> | null
  hand: CardIndex[]
  deck: CardIndex[]
  life: CardIndex[]
  trash: CardIndex[]
  don: { deck: number; active: number; rested: number }
  /** How many cards were named so far. */
  named: number
}

export type Battle = {
  readonly attacker: string
  target: string
  /** `trigger` is a pause in the Damage Step. */
  step: 'block' | 'counter' | 'trigger'
  /** Power that counters added to the target. */
  added: number
  /** Damage that is still to be dealt. */
  damage: number
  /** The Life card whose Trigger is being decided on. */
  shown: CardIndex | null
}

export type Result = Readonly<{ winner: Player; reason: 'leader_damage_at_zero_life' | 'deck_out' | 'concession' }>

/** A whole match at one moment, hidden cards included. Only plain JSON values. */
export type State = {
  readonly match: string
  readonly seed: string
  readonly level: Level
  /** Every different card of both decks. */
  readonly cards: readonly PlayCard[]
  readonly first: Player
  sides: Record<Player, Side>
  /** Turns of both players together; 0 before the first. */
  turn: number
  turnPlayer: Player
  phase: 'setup' | 'draw' | 'main'
  /** Who decides on a new opening hand. */
  mulligan: Player | null
  battle: Battle | null
  result: Result | null
  random: Random
  /** Number of events so far. */
  events: number
}

export type Decision = Readonly<{ player: Player; kind: 'mulligan' | 'main' | 'block' | 'counter' | 'trigger' }>

export const other = (player: Player): Player => (player === 'player_1' ? 'player_2' : 'player_1')

/** Whose turn it is to decide something, and what; null when the match is over. */
export function decisionOf({ result, mulligan, battle, turnPlayer }: State): Decision | null {
  if (result !== null) return null
  if (mulligan !== null) return { player: mulligan, kind: 'mulligan' }
  return battle === null ? { player: turnPlayer, kind: 'main' } : { player: other(turnPlayer), kind: battle.step }
}

export function cardOf({ cards }: Pick<State, 'cards'>, index: CardIndex): PlayCard {
  const card = cards[index]
  if (card === undefined) throw new Error(`A match has no card ${index}.`)
  return card
}

export const unitsOf = ({ leader, field }: Side): readonly Unit[] => [leader, ...field]
export const unitOf = (side: Side, id: string): Unit | undefined => unitsOf(side).find(unit => unit.id === id)

/** The two sides of the battle under way. */
export function fightersOf(state: State, battle: Battle): Readonly<{ attacker: Unit; target: Unit }> {
  const attacker = unitOf(state.sides[state.turnPlayer], battle.attacker)
  const target = unitOf(state.sides[other(state.turnPlayer)], battle.target)
  if (attacker === undefined || target === undefined) throw new Error('A battle has lost one of its cards.')
  return { attacker, target }
}

/** Printed power, and 1000 for each given DON!! card on its owner's turn (Comprehensive Rules 6-5-5). */
export const powerOf = (state: State, owner: Player, { card, don }: Unit): number =>
  (cardOf(state, card).power ?? 0) + (owner === state.turnPlayer ? 1000 * don : 0)

const copyUnit = (unit: Unit): Unit => ({ ...unit })

const copySide = (side: Side): Side => ({
  ...side,
  leader: copyUnit(side.leader),
  field: side.field.map(copyUnit),
  hand: [...side.hand],
  deck: [...side.deck],
  life: [...side.life],
  trash: [...side.trash],
  don: { ...side.don }
})

/** A copy to work on; what never changes is shared. */
export const copyState = (state: State): State => ({
  ...state,
  sides: { player_1: copySide(state.sides.player_1), player_2: copySide(state.sides.player_2) },
  battle: state.battle === null ? null : { ...state.battle }
})
