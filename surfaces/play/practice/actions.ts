import { againstRules } from './rules.ts'
import { cardOf, decisionOf, other, unitsOf, type Decision, type Side, type MatchState } from './state.ts'

/** An action of a player. Cards in a hand are identified by number, cards on the field by instance id. */
export type Action = Readonly<
  | { type: 'mulligan'; redraw: boolean }
  | { type: 'play'; card_number: string; replace?: string }
  | { type: 'attach_don'; instance: string }
  | { type: 'attack'; attacker: string; target: string }
  | { type: 'block'; instance: string | null }
  | { type: 'counter'; card_number: string | null }
  | { type: 'trigger'; use: boolean; replace?: string }
  | { type: 'end_turn' }
  | { type: 'concede' }
>

export const actionTypes = [
  'mulligan',
  'play',
  'attach_don',
  'attack',
  'block',
  'counter',
  'trigger',
  'end_turn',
  'concede'
] as const
export const actionFields = ['redraw', 'card_number', 'replace', 'instance', 'attacker', 'target', 'use'] as const

/** An action as it is sent: the fields of all actions, unchecked. */
export type ActionInput = Readonly<{ type: Action['type'] }> &
  Readonly<Partial<Record<(typeof actionFields)[number], string | boolean | null>>>

export const sameAction = (a: ActionInput, b: ActionInput): boolean =>
  a.type === b.type && actionFields.every(field => a[field] === b[field])

/** Returns the distinct card numbers in a hand. */
const numbersOf = (state: MatchState, { hand }: Side): readonly string[] =>
  [...new Set(hand)].map(index => cardOf(state, index).number)

/** Returns the possible values of `replace`: none, or each Character on the field. */
const roomsOf = ({ field }: Side): readonly ({ replace: string } | Record<string, never>)[] => [
  {},
  ...field.map(({ id }) => ({ replace: id }))
]

/** Returns all well-formed actions for the current decision, legal or not. */
function candidates(state: MatchState, { player, kind }: Decision): readonly Action[] {
  const side = state.sides[player]
  switch (kind) {
    case 'mulligan':
      return [
        { type: 'mulligan', redraw: false },
        { type: 'mulligan', redraw: true }
      ]
    case 'main':
      return [
        ...numbersOf(state, side).flatMap(number =>
          roomsOf(side).map((room): Action => ({ type: 'play', card_number: number, ...room }))
        ),
        ...unitsOf(side).map(({ id }): Action => ({ type: 'attach_don', instance: id })),
        ...unitsOf(side).flatMap(({ id: attacker }) =>
          unitsOf(state.sides[other(player)]).map(({ id: target }): Action => ({ type: 'attack', attacker, target }))
        ),
        { type: 'end_turn' }
      ]
    case 'block':
      return [
        ...side.field.map(({ id }): Action => ({ type: 'block', instance: id })),
        { type: 'block', instance: null }
      ]
    case 'counter':
      return [
        ...numbersOf(state, side).map((number): Action => ({ type: 'counter', card_number: number })),
        { type: 'counter', card_number: null }
      ]
    case 'trigger':
      return [
        ...roomsOf(side).map((room): Action => ({ type: 'trigger', use: true, ...room })),
        { type: 'trigger', use: false }
      ]
  }
}

/** Returns all legal actions of the player who decides now; conceding comes last. Empty when the match is over. */
export function legalActions(state: MatchState): Action[] {
  const decision = decisionOf(state)
  if (decision === null) return []
  return [
    ...candidates(state, decision).filter(action => againstRules(state, decision, action) === undefined),
    { type: 'concede' }
  ]
}
