import type { ActionInput } from './actions.ts'
import { apply } from './apply.ts'
import type { NumberedEvent } from './events.ts'
import { narrate, type LogLine } from './narrate.ts'
import { chooseAction } from './opponent.ts'
import type { Refusal } from './rules.ts'
import { decisionOf, type State } from './state.ts'

/** What happened until the caller decides again. */
export type Step = Readonly<{ state: State; events: readonly NumberedEvent[]; log: readonly LogLine[] }>

/** Lets the opponent decide until it is the caller's turn to do so, or the match is over. */
export function untilYours({ state, events, log }: Step): Step {
  const step = { state, events: [...events], log: [...log] }
  while (decisionOf(step.state)?.player === 'player_2') {
    const action = chooseAction(step.state)
    const applied = apply(step.state, action)
    if ('refused' in applied)
      throw new Error(`The opponent chose what is not legal: ${JSON.stringify(action)} ${applied.message}`)
    step.log.push(...narrate(applied.events, step.state, applied.state))
    step.events.push(...applied.events)
    step.state = applied.state
  }
  return step
}

/** One action of the caller and the opponent's answer to it. */
export function play(state: State, action: ActionInput): Step | Refusal {
  const applied = apply(state, action)
  if ('refused' in applied) return applied
  return untilYours({ ...applied, log: narrate(applied.events, state, applied.state) })
}
