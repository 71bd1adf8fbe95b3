import { isPlayable, isReady, mayBattle, targetsOf, type Action, type ActionInput } from './actions.ts'
import { blockersOf } from './battle.ts'
import { characterLimit } from './place.ts'
import { cardOf, decisionOf, other, unitOf, type Decision, type State } from './state.ts'

export const refusalReasons = [
  'match_is_over', 'not_decided_now', 'incomplete_action', 'card_not_in_hand', 'event_text_not_held', 'insufficient_don', 'room_needed', 'no_room_needed', 'not_on_your_field',
  'battle_not_allowed_on_first_turn', 'attacker_not_ready', 'target_not_legal', 'not_a_blocker', 'no_counter_value'
] as const

/** Why an action is not legal: a word for programs and a sentence. */
export type Refusal = Readonly<{ refused: (typeof refusalReasons)[number], message: string }>

const no = (refused: Refusal['refused'], message: string): Refusal => ({ refused, message })

const typesNow: Readonly<Record<Decision['kind'], readonly Action['type'][]>> = {
  mulligan: ['mulligan', 'concede'],
  main: ['play', 'attach_don', 'attack', 'end_turn', 'concede'],
  block: ['block', 'concede'],
  counter: ['counter', 'concede'],
  trigger: ['trigger', 'concede']
}

const fieldsOf: Readonly<Record<Action['type'], Readonly<Record<string, string>>>> = {
  mulligan: { redraw: 'boolean' }, play: { card_number: 'string' }, attach_don: { instance: 'string' }, attack: { attacker: 'string', target: 'string' },
  block: { instance: 'string' }, counter: { card_number: 'string' }, trigger: { use: 'boolean' }, end_turn: {}, concede: {}
}

const list = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ')

/** Says why an action that is not among the legal ones is refused. */
export function refusalOf (state: State, action: ActionInput): Refusal {
  const decision = decisionOf(state)
  if (decision === null) return no('match_is_over', 'The match is over. Deal a new one with `op` `new`.')
  const types = typesNow[decision.kind]
  if (!types.includes(action.type)) return no('not_decided_now', `\`${action.type}\` is not decided now. What can be decided: ${list(types)}.`)
  return incomplete(action) ?? reasonOf(state, decision, action) ?? no('incomplete_action', `\`${action.type}\` has fields that do not belong to it. Send an action as it is listed.`)
}

function incomplete (action: ActionInput): Refusal | undefined {
  const needed = Object.entries(fieldsOf[action.type])
  const nullable = action.type === 'block' || action.type === 'counter'
  const missing = needed.filter(([field, type]) => {
    const value = (action as Readonly<Record<string, unknown>>)[field]
    return typeof value !== type && !(nullable && value === null)
  }).map(([field]) => field)
  return missing.length === 0 ? undefined : no('incomplete_action', `\`${action.type}\` needs ${list(missing)}.`)
}

function reasonOf (state: State, { player }: Decision, action: ActionInput): Refusal | undefined {
  switch (action.type) {
    case 'play': return playReason(state, action)
    case 'attach_don': return unitOf(state.sides[player], String(action.instance)) === undefined ? notYours(action.instance) : no('insufficient_don', 'No DON!! card is active.')
    case 'attack': return attackReason(state, action)
    case 'block': return blockReason(state, action)
    case 'counter': return counterReason(state, action)
    case 'trigger': return roomReason(state, action)
    case 'mulligan': case 'end_turn': case 'concede': return undefined
  }
}

const notYours = (instance: unknown): Refusal => no('not_on_your_field', `You have no Leader or Character \`${String(instance)}\` on the field.`)

function playReason (state: State, action: ActionInput): Refusal | undefined {
  const side = state.sides[state.turnPlayer]
  const card = side.hand.map(index => cardOf(state, index)).find(({ number }) => number === action.card_number)
  if (card === undefined) return no('card_not_in_hand', `\`${String(action.card_number)}\` is not in your hand.`)
  if (!isPlayable(card.category)) return no('event_text_not_held', `${card.name} does what its text says, and this referee holds no card texts. It can only be kept.`)
  const cost = card.cost ?? 0
  if (cost > side.don.active) return no('insufficient_don', `The card costs ${cost}; ${side.don.active} DON!! cards are active.`)
  return card.category === 'stage' ? undefined : roomReason(state, action)
}

/** With five Characters there, one of them makes room; with fewer, none does. */
function roomReason (state: State, { replace, type }: ActionInput): Refusal | undefined {
  const { field } = state.sides[type === 'play' ? state.turnPlayer : other(state.turnPlayer)]
  if (field.length < characterLimit) return replace === undefined ? undefined : no('no_room_needed', 'There is room in your Character area; leave `replace` out.')
  return replace === undefined
    ? no('room_needed', `Your Character area is full. Name in \`replace\` the Character that makes room: ${list(field.map(({ id }) => id))}.`)
    : no('not_on_your_field', `\`replace\` must be one of your Characters: ${list(field.map(({ id }) => id))}.`)
}

function attackReason (state: State, { attacker, target }: ActionInput): Refusal | undefined {
  if (!mayBattle(state)) return no('battle_not_allowed_on_first_turn', 'Neither player may attack on their own first turn.')
  const unit = unitOf(state.sides[state.turnPlayer], String(attacker))
  if (unit === undefined) return notYours(attacker)
  if (unit.rested) return no('attacker_not_ready', `\`${unit.id}\` is rested.`)
  if (!isReady(state, unit)) return no('attacker_not_ready', `\`${unit.id}\` was played this turn and has no Rush.`)
  const targets = targetsOf(state.sides[other(state.turnPlayer)]).map(({ id }) => id)
  return targets.includes(String(target)) ? undefined : no('target_not_legal', `Only the opposing Leader and rested opposing Characters can be attacked: ${list(targets)}.`)
}

function blockReason (state: State, { instance }: ActionInput): Refusal | undefined {
  if (state.battle === null || instance === null) return undefined
  const blockers = blockersOf(state, state.sides[other(state.turnPlayer)], state.battle).map(({ id }) => id)
  return blockers.includes(String(instance)) ? undefined : no('not_a_blocker', `Only an active Character with Blocker that is not the target can block: ${list(blockers)}; or \`null\` for none.`)
}

function counterReason (state: State, { card_number: number }: ActionInput): Refusal | undefined {
  if (number === null) return undefined
  const { hand } = state.sides[other(state.turnPlayer)]
  const held = hand.some(index => cardOf(state, index).number === number)
  return held
    ? no('no_counter_value', `\`${String(number)}\` has no Counter value that can be used from the hand.`)
    : no('card_not_in_hand', `\`${String(number)}\` is not in your hand.`)
}
