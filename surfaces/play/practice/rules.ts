import { blockersOf, countersOf, damageOf, playsItself } from './battle.ts'
import { characterLimit } from './events.ts'
import {
  cardOf,
  decisionOf,
  fightersOf,
  hasKeyword,
  inHand,
  isPlayable,
  opponentOf,
  powerOf,
  shownCard,
  unitOf,
  unitsOf,
  type BoardUnit,
  type Decision,
  type MatchState,
  type Side
} from './state.ts'

/** Cards in a hand are identified by number, cards on the field by instance id. */
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

/** An action as it is sent, unchecked. */
export type ActionInput = Readonly<{ type: Action['type'] }> &
  Readonly<Partial<Record<(typeof actionFields)[number], string | boolean | null>>>

export const sameAction = (a: ActionInput, b: ActionInput): boolean =>
  a.type === b.type && actionFields.every(field => a[field] === b[field])

const numbersOf = (state: MatchState, { hand }: Side): readonly string[] =>
  [...new Set(hand)].map(index => cardOf(state, index).number)

const roomsOf = ({ field }: Side): readonly Readonly<{ replace?: string }>[] => [
  {},
  ...field.map(({ id }) => ({ replace: id }))
]

/** Returns all well-formed actions for a decision, legal or not, except conceding. */
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
          unitsOf(state.sides[opponentOf(player)]).map(({ id: target }): Action => ({
            type: 'attack',
            attacker,
            target
          }))
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

/** Returns the legal actions, conceding last; none when the match is over. */
export function legalActions(state: MatchState): Action[] {
  const decision = decisionOf(state)
  if (decision === null) return []
  return [
    ...candidates(state, decision).filter(action => againstRules(state, decision, action) === undefined),
    { type: 'concede' }
  ]
}

export const refusalReasons = [
  'match_is_over',
  'not_decided_now',
  'incomplete_action',
  'card_not_in_hand',
  'event_text_not_held',
  'insufficient_don',
  'room_needed',
  'no_room_needed',
  'not_on_your_field',
  'battle_not_allowed_on_first_turn',
  'attacker_not_ready',
  'target_not_legal',
  'not_a_blocker',
  'no_counter_value'
] as const

export type ActionRefusal = Readonly<{ refused: (typeof refusalReasons)[number]; message: string }>

export const refuse = (refused: ActionRefusal['refused'], message: string): ActionRefusal => ({ refused, message })

const notYours = (instance: unknown): ActionRefusal =>
  refuse('not_on_your_field', `You have no Leader or Character \`${String(instance)}\` on the field.`)

const notInHand = (number: unknown): ActionRefusal =>
  refuse('card_not_in_hand', `\`${String(number)}\` is not in your hand.`)

/** Refuses an action because of a field that its type does not have, or does not have now. */
export const refuseFields = ({ type }: ActionInput): ActionRefusal =>
  refuse('incomplete_action', `\`${type}\` has fields that do not belong to it. Send an action as it is listed.`)

export const quoted = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ')

/** Neither player may attack on their own first turn (Comprehensive Rules 6-5-6-1). */
export const mayBattle = ({ turn }: MatchState): boolean => turn > 2

/** Whether a unit can attack: it is active, and has Rush if it was played this turn (Comprehensive Rules 3-7-4). */
export const isReady = (state: MatchState, unit: BoardUnit): boolean =>
  !unit.rested && (unit.since < state.turn || hasKeyword(state, unit, 'rush'))

/** Returns what can be attacked: the opposing Leader and rested opposing Characters. */
export const targetsOf = (opposing: Side): readonly BoardUnit[] => [
  opposing.leader,
  ...opposing.field.filter(({ rested }) => rested)
]

/** Returns why a complete action is not legal for the player who decides now. Both listing and applying use this. */
export function againstRules(state: MatchState, { player }: Decision, action: ActionInput): ActionRefusal | undefined {
  const side = state.sides[player]
  switch (action.type) {
    case 'play':
      return againstPlay(state, side, action)
    case 'attach_don':
      if (unitOf(side, String(action.instance)) === undefined) return notYours(action.instance)
      return side.don.active > 0 ? undefined : refuse('insufficient_don', 'No DON!! card is active.')
    case 'attack':
      return againstAttack(state, side, action)
    case 'block':
      return againstBlock(state, side, action)
    case 'counter':
      return againstCounter(state, side, action)
    case 'trigger':
      return againstTrigger(state, side, action)
    case 'mulligan':
    case 'end_turn':
    case 'concede':
      return undefined
  }
}

function againstPlay(state: MatchState, side: Side, action: ActionInput): ActionRefusal | undefined {
  const index = inHand(state, side, action.card_number)
  if (index === undefined) return notInHand(action.card_number)
  const card = cardOf(state, index)
  if (!isPlayable(card))
    return refuse(
      'event_text_not_held',
      `${card.name} does what its text says, and this referee holds no card texts. It can only be kept.`
    )
  const cost = card.cost ?? 0
  if (cost > side.don.active)
    return refuse('insufficient_don', `The card costs ${cost}; ${side.don.active} DON!! cards are active.`)
  if (card.category === 'character') return againstRoom(side, action)
  return action.replace === undefined ? undefined : refuseFields(action)
}

/**
 * Returns why a Character cannot be placed: with five on the field, `replace` must name one; with fewer it must be
 * absent.
 */
function againstRoom({ field }: Side, { replace }: ActionInput): ActionRefusal | undefined {
  if (field.length < characterLimit)
    return replace === undefined
      ? undefined
      : refuse('no_room_needed', 'There is room in your Character area; leave `replace` out.')
  const ids = field.map(({ id }) => id)
  if (replace === undefined)
    return refuse(
      'room_needed',
      `Your Character area is full. Name in \`replace\` the Character that makes room: ${quoted(ids)}.`
    )
  return ids.some(id => id === replace)
    ? undefined
    : refuse('not_on_your_field', `\`replace\` must be one of your Characters: ${quoted(ids)}.`)
}

function againstAttack(state: MatchState, side: Side, { attacker, target }: ActionInput): ActionRefusal | undefined {
  if (!mayBattle(state))
    return refuse('battle_not_allowed_on_first_turn', 'Neither player may attack on their own first turn.')
  const unit = unitOf(side, String(attacker))
  if (unit === undefined) return notYours(attacker)
  if (unit.rested) return refuse('attacker_not_ready', `\`${unit.id}\` is rested.`)
  if (!isReady(state, unit)) return refuse('attacker_not_ready', `\`${unit.id}\` was played this turn and has no Rush.`)
  const targets = targetsOf(state.sides[opponentOf(state.turnPlayer)]).map(({ id }) => id)
  return targets.includes(String(target))
    ? undefined
    : refuse(
        'target_not_legal',
        `Only the opposing Leader and rested opposing Characters can be attacked: ${quoted(targets)}.`
      )
}

function againstBlock(state: MatchState, side: Side, { instance }: ActionInput): ActionRefusal | undefined {
  if (state.battle === null || instance === null) return undefined
  const blockers = blockersOf(state, side, state.battle).map(({ id }) => id)
  return blockers.includes(String(instance))
    ? undefined
    : refuse(
        'not_a_blocker',
        `Only an active Character with Blocker that is not the target can block: ${quoted(blockers)}; or \`null\` for none.`
      )
}

function againstCounter(state: MatchState, side: Side, action: ActionInput): ActionRefusal | undefined {
  const { card_number: number } = action
  if (number === null || countersOf(state, side).some(index => cardOf(state, index).number === number)) return undefined
  return inHand(state, side, number) === undefined
    ? notInHand(number)
    : refuse('no_counter_value', `\`${String(number)}\` has no Counter value that can be used from the hand.`)
}

/** Returns why the answer to a Trigger is not legal. Only a Trigger that plays a Character may need room. */
function againstTrigger(state: MatchState, side: Side, action: ActionInput): ActionRefusal | undefined {
  const index = shownCard(state)
  const card = index === null ? undefined : cardOf(state, index)
  if (action.use === true && card?.category === 'character' && playsItself(card)) return againstRoom(side, action)
  if (action.replace === undefined) return undefined
  return side.field.length < characterLimit ? againstRoom(side, action) : refuseFields(action)
}

export const outcomes = ['wins_match', 'takes_life', 'knocks_out', 'fails'] as const

/** The outcome of a battle if nobody acts further. */
export type Preview = Readonly<{
  attack: number
  /** The power of the target, including counters. */
  defense: number
  outcome: (typeof outcomes)[number]
  /** How many Life cards are lost. */
  damage: number
}>

export function compare(state: MatchState, attacker: BoardUnit, target: BoardUnit, added: number): Preview {
  const attacked = opponentOf(state.turnPlayer)
  const side = state.sides[attacked]
  const attack = powerOf(state, state.turnPlayer, attacker)
  const defense = powerOf(state, attacked, target) + added
  if (attack < defense) return { attack, defense, outcome: 'fails', damage: 0 }
  if (target.id !== side.leader.id) return { attack, defense, outcome: 'knocks_out', damage: 0 }
  const damage = Math.min(damageOf(state, attacker), side.life.length)
  return { attack, defense, outcome: damage === 0 ? 'wins_match' : 'takes_life', damage }
}

/** Returns a preview of the battle that an action leads to, without using hidden cards. */
export function previewOf(state: MatchState, action: Action): Preview | null {
  const { battle, turnPlayer } = state
  const attacked = state.sides[opponentOf(turnPlayer)]
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
  const index = inHand(state, attacked, action.card_number)
  const counter = index === undefined ? null : cardOf(state, index).counter
  return compare(state, attacker, target, battle.added + (counter ?? 0))
}
