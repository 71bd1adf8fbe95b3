import type { ActionInput } from './actions.ts'
import { apply } from './apply.ts'
import type { NumberedEvent } from './events.ts'
import { narrate, type LogLine } from './narrate.ts'
import { chooseAction } from './opponent.ts'
import type { ActionRefusal } from './rules.ts'
import { decisionOf, type MatchState } from './state.ts'

/** The state at the caller's next decision, with the events and log lines up to it. */
export type Step = Readonly<{ state: MatchState; events: readonly NumberedEvent[]; log: readonly LogLine[] }>

/** Plays the opponent's actions until the caller must decide or the match is over. */
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

/** Applies one action of the caller and the opponent's actions that follow. */
export function play(state: MatchState, action: ActionInput): Step | ActionRefusal {
  const applied = apply(state, action)
  if ('refused' in applied) return applied
  return untilYours({ ...applied, log: narrate(applied.events, state, applied.state) })
}
