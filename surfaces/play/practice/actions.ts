import { blockersOf, countersOf, playsItself } from './battle.ts'
import { characterLimit } from './place.ts'
import { cardOf, decisionOf, other, unitsOf, type CardIndex, type Side, type State, type Unit } from './state.ts'

/** Something a player does. Cards of a hand are named by their number, cards on the field by their instance. */
export type Action = Readonly<
  | { type: 'mulligan', redraw: boolean }
  | { type: 'play', card_number: string, replace?: string }
  | { type: 'attach_don', instance: string }
  | { type: 'attack', attacker: string, target: string }
  | { type: 'block', instance: string | null }
  | { type: 'counter', card_number: string | null }
  | { type: 'trigger', use: boolean, replace?: string }
  | { type: 'end_turn' }
  | { type: 'concede' }
>

export const actionTypes = ['mulligan', 'play', 'attach_don', 'attack', 'block', 'counter', 'trigger', 'end_turn', 'concede'] as const
export const actionFields = ['redraw', 'card_number', 'replace', 'instance', 'attacker', 'target', 'use'] as const

/** What is sent as an action: the fields of all actions, unchecked. */
export type ActionInput = Readonly<{ type: Action['type'] }> & Readonly<Partial<Record<(typeof actionFields)[number], string | boolean | null>>>

export const sameAction = (a: ActionInput, b: ActionInput): boolean => a.type === b.type && actionFields.every(field => a[field] === b[field])

const different = (indexes: readonly CardIndex[]): CardIndex[] => [...new Set(indexes)]

/** The Characters one of which must make room; an empty text means none. */
const roomFor = (side: Side, category: string | null): readonly ({ replace: string } | Record<string, never>)[] =>
  category === 'character' && side.field.length >= characterLimit ? side.field.map(({ id }) => ({ replace: id })) : [{}]

/** An Event does what its text says, and texts are not held: it cannot be played here. */
export const isPlayable = (category: string | null): boolean => category === 'character' || category === 'stage'

/** Neither player may attack on the own first turn (Comprehensive Rules 6-5-6-1). */
export const mayBattle = ({ turn }: State): boolean => turn > 2

/** A Character attacks from the turn after it was played, or at once with Rush (3-7-4). */
export const isReady = (state: State, unit: Unit): boolean =>
  !unit.rested && (unit.since < state.turn || cardOf(state, unit.card).keywords.includes('rush'))

/** The opposing Leader and the rested opposing Characters. */
export const targetsOf = (opposing: Side): readonly Unit[] => [opposing.leader, ...opposing.field.filter(({ rested }) => rested)]

function mainActions (state: State): Action[] {
  const side = state.sides[state.turnPlayer]
  const plays = different(side.hand).flatMap((index): Action[] => {
    const { number, category, cost } = cardOf(state, index)
    return isPlayable(category) && (cost ?? 0) <= side.don.active ? roomFor(side, category).map(room => ({ type: 'play', card_number: number, ...room })) : []
  })
  const gifts = side.don.active === 0 ? [] : unitsOf(side).map(({ id }): Action => ({ type: 'attach_don', instance: id }))
  const targets = mayBattle(state) ? targetsOf(state.sides[other(state.turnPlayer)]) : []
  const attacks = targets.length === 0 ? [] : unitsOf(side).filter(unit => isReady(state, unit))
    .flatMap(({ id: attacker }) => targets.map(({ id: target }): Action => ({ type: 'attack', attacker, target })))
  return [...plays, ...gifts, ...attacks, { type: 'end_turn' }]
}

function battleActions (state: State): Action[] {
  const { battle } = state
  if (battle === null) return []
  const side = state.sides[other(state.turnPlayer)]
  switch (battle.step) {
    case 'block': return [...blockersOf(state, side, battle).map(({ id }): Action => ({ type: 'block', instance: id })), { type: 'block', instance: null }]
    case 'counter': return [
      ...different(countersOf(state, side)).map((index): Action => ({ type: 'counter', card_number: cardOf(state, index).number })),
      { type: 'counter', card_number: null }
    ]
    case 'trigger': {
      const { shown } = battle
      const rooms = shown !== null && playsItself(state, shown) ? roomFor(side, cardOf(state, shown).category) : [{}]
      return [...rooms.map((room): Action => ({ type: 'trigger', use: true, ...room })), { type: 'trigger', use: false }]
    }
  }
}

/** Everything that whoever decides now may do; conceding is the last. Empty when the match is over. */
export function legalActions (state: State): Action[] {
  const decision = decisionOf(state)
  if (decision === null) return []
  const own: Action[] = decision.kind === 'mulligan'
    ? [{ type: 'mulligan', redraw: false }, { type: 'mulligan', redraw: true }]
    : decision.kind === 'main' ? mainActions(state) : battleActions(state)
  return [...own, { type: 'concede' }]
}
