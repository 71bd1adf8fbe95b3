import { actionFields, type Action, type ActionInput } from './actions.ts'
import { againstRules, list, no, overfull, type ActionRefusal } from './rules.ts'
import { decisionOf, type Decision, type MatchState } from './state.ts'

const typesNow: Readonly<Record<Decision['kind'], readonly Action['type'][]>> = {
  mulligan: ['mulligan', 'concede'],
  main: ['play', 'attach_don', 'attack', 'end_turn', 'concede'],
  block: ['block', 'concede'],
  counter: ['counter', 'concede'],
  trigger: ['trigger', 'concede']
}

const fieldsOf: Readonly<Record<Action['type'], Readonly<Record<string, string>>>> = {
  mulligan: { redraw: 'boolean' },
  play: { card_number: 'string' },
  attach_don: { instance: 'string' },
  attack: { attacker: 'string', target: 'string' },
  block: { instance: 'string' },
  counter: { card_number: 'string' },
  trigger: { use: 'boolean' },
  end_turn: {},
  concede: {}
}

/** The optional fields of each type of action. */
const optionalOf: Readonly<Partial<Record<Action['type'], readonly string[]>>> = {
  play: ['replace'],
  trigger: ['replace']
}

/** Returns why an action is not legal now; `undefined` when it is legal. */
export function refusalOf(state: MatchState, action: ActionInput): ActionRefusal | undefined {
  const decision = decisionOf(state)
  if (decision === null) return no('match_is_over', 'The match is over. Deal a new one with `op` `new`.')
  const types = typesNow[decision.kind]
  if (!types.includes(action.type))
    return no('not_decided_now', `\`${action.type}\` is not decided now. What can be decided: ${list(types)}.`)
  return incomplete(action) ?? againstRules(state, decision, action) ?? strange(action)
}

function incomplete(action: ActionInput): ActionRefusal | undefined {
  const needed = Object.entries(fieldsOf[action.type])
  const nullable = action.type === 'block' || action.type === 'counter'
  const missing = needed
    .filter(([field, type]) => {
      const value = (action as Readonly<Record<string, unknown>>)[field]
      return typeof value !== type && !(nullable && value === null)
    })
    .map(([field]) => field)
  return missing.length === 0 ? undefined : no('incomplete_action', `\`${action.type}\` needs ${list(missing)}.`)
}

function strange(action: ActionInput): ActionRefusal | undefined {
  const known = [...Object.keys(fieldsOf[action.type]), ...(optionalOf[action.type] ?? [])]
  return actionFields.some(field => action[field] !== undefined && !known.includes(field))
    ? overfull(action)
    : undefined
}
