import { createHash } from 'node:crypto'
import type { PlayCard } from '../deck-rules.ts'

/** The state of the pseudo-random generator: four unsigned 32-bit integers. */
export type Random = readonly [number, number, number, number]

/** Returns the first state for a seed, which is the same on every machine. */
export function seedRandom(seed: string): Random {
  const digest = createHash('sha256').update(`practice/1\n${seed}`).digest()
  return [digest.readUInt32BE(0), digest.readUInt32BE(4), digest.readUInt32BE(8), digest.readUInt32BE(12)]
}

/** Returns a number from 0 up to but not including 1, and the next state (sfc32 by Chris Doty-Humphrey). */
export function nextRandom([a, b, c, counter]: Random): readonly [number, Random] {
  const sum = (a + b + counter) | 0
  return [
    (sum >>> 0) / 2 ** 32,
    [(b ^ (b >>> 9)) >>> 0, (c + (c << 3)) >>> 0, (((c << 21) | (c >>> 11)) + sum) >>> 0, (counter + 1) >>> 0]
  ]
}

/** Returns an integer from 0 up to but not including `bound`, and the next state. */
export function randomBelow(random: Random, bound: number): readonly [number, Random] {
  const [value, next] = nextRandom(random)
  return [Math.floor(value * bound), next]
}

/** Shuffles a copy (Fisher–Yates); returns it and the next state. */
export function shuffle<T>(items: readonly T[], random: Random): readonly [T[], Random] {
  const order = [...items]
  let next = random
  for (let last = order.length - 1; last > 0; last--) {
    const [other, after] = randomBelow(next, last + 1)
    next = after
    const [moved] = order.splice(other, 1)
    if (moved !== undefined) order.splice(last, 0, moved)
  }
  return [order, next]
}

/** `player_1` is the caller, `player_2` the built-in opponent. */
export const players = ['player_1', 'player_2'] as const
export type Player = (typeof players)[number]

export const levels = ['easy', 'normal', 'hard'] as const
export type PracticeLevel = (typeof levels)[number]

/** The index of a card in `MatchState.cards`. */
export type CardIndex = number

/** A Leader or Character on the field. */
export type BoardUnit = {
  /** Instance id: `p1_leader`, `p2_c3`. */
  readonly id: string
  readonly card: CardIndex
  rested: boolean
  don: number
  /** The turn in which it was played; 0 for a Leader. */
  readonly since: number
}

/** All cards of one player. The top of a pile is at its end. */
export type Side = {
  leader: BoardUnit
  field: BoardUnit[]
  stage: Readonly<{ id: string; card: CardIndex }> | null
  hand: CardIndex[]
  deck: CardIndex[]
  life: CardIndex[]
  trash: CardIndex[]
  don: { deck: number; active: number; rested: number }
  /** How many instance ids were given. */
  named: number
}

export type Battle = {
  readonly attacker: string
  target: string
  /** `trigger` is a pause within the Damage Step. */
  step: 'block' | 'counter' | 'trigger'
  added: number
  /** The damage that is still to be dealt. */
  damage: number
  /** The Life card whose Trigger is being decided. */
  shown: CardIndex | null
}

export type MatchResult = Readonly<{ winner: Player; reason: 'leader_damage_at_zero_life' | 'deck_out' | 'concession' }>

/** The whole match, including hidden cards; all values are JSON. */
export type MatchState = {
  readonly match: string
  readonly seed: string
  readonly level: PracticeLevel
  readonly cards: readonly PlayCard[]
  readonly first: Player
  sides: Record<Player, Side>
  /** The number of the turn, counted over both players; 0 before the first. */
  turn: number
  turnPlayer: Player
  phase: 'setup' | 'draw' | 'main'
  /** The player who decides on a mulligan; null after that. */
  mulligan: Player | null
  battle: Battle | null
  result: MatchResult | null
  random: Random
  /** The number of events so far, which is the offset of the next. */
  events: number
}

export type Decision = Readonly<{ player: Player; kind: 'mulligan' | 'main' | 'block' | 'counter' | 'trigger' }>

export const opponentOf = (player: Player): Player => (player === 'player_1' ? 'player_2' : 'player_1')

/** Returns who decides what now; null when the match is over. */
export function decisionOf({ result, mulligan, battle, turnPlayer }: MatchState): Decision | null {
  if (result !== null) return null
  if (mulligan !== null) return { player: mulligan, kind: 'mulligan' }
  return battle === null ? { player: turnPlayer, kind: 'main' } : { player: opponentOf(turnPlayer), kind: battle.step }
}

export function cardOf({ cards }: Pick<MatchState, 'cards'>, index: CardIndex): PlayCard {
  const card = cards[index]
  if (card === undefined) throw new Error(`A match has no card ${index}.`)
  return card
}

export const hasKeyword = (state: MatchState, { card }: BoardUnit, keyword: PlayCard['keywords'][number]): boolean =>
  cardOf(state, card).keywords.includes(keyword)

/** Whether a card can be played. Events cannot, because their texts are not stored. */
export const isPlayable = ({ category }: PlayCard): boolean => category === 'character' || category === 'stage'

export const inHand = (state: MatchState, { hand }: Side, number: unknown): CardIndex | undefined =>
  hand.find(index => cardOf(state, index).number === number)

export const shownCard = ({ battle }: MatchState): CardIndex | null => battle?.shown ?? null

export const unitsOf = ({ leader, field }: Pick<Side, 'leader' | 'field'>): readonly BoardUnit[] => [leader, ...field]
export const unitOf = (side: Side, id: string): BoardUnit | undefined => unitsOf(side).find(unit => unit.id === id)

export function fightersOf(state: MatchState, battle: Battle): Readonly<{ attacker: BoardUnit; target: BoardUnit }> {
  const attacker = unitOf(state.sides[state.turnPlayer], battle.attacker)
  const target = unitOf(state.sides[opponentOf(state.turnPlayer)], battle.target)
  if (attacker === undefined || target === undefined) throw new Error('A battle has lost one of its cards.')
  return { attacker, target }
}

/**
 * Returns the power of a unit: each given DON!! card adds 1000 in the turn of its owner (Comprehensive Rules 6-5-5).
 */
export const powerOf = (state: MatchState, owner: Player, { card, don }: BoardUnit): number =>
  (cardOf(state, card).power ?? 0) + (owner === state.turnPlayer ? 1000 * don : 0)

const copySide = (side: Side): Side => ({
  ...side,
  leader: { ...side.leader },
  field: side.field.map(unit => ({ ...unit })),
  hand: [...side.hand],
  deck: [...side.deck],
  life: [...side.life],
  trash: [...side.trash],
  don: { ...side.don }
})

/** Copies a state, so that the copy can be changed; immutable parts are shared. */
export const copyState = (state: MatchState): MatchState => ({
  ...state,
  sides: { player_1: copySide(state.sides.player_1), player_2: copySide(state.sides.player_2) },
  battle: state.battle === null ? null : { ...state.battle }
})
