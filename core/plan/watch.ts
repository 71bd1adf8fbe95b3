import type { Passed } from '../handler/handler.ts'
import type { Surface } from '../manifest/surface.ts'

/** What happens between a request and its answer, in the order in which it does. */
export const stages = ['access', 'input', 'format', 'language', 'version', 'content', 'body', 'head'] as const
export type Stage = (typeof stages)[number]

/** Sees the stages of answers, for who wants to understand one: `pantry trace`, and the explorer in development. */
export type Watch = Readonly<{
  /** Given what does the work of a stage, gives back what is to do it. */
  stage: <Given extends unknown[], Outcome>(
    surface: Surface,
    stage: Stage,
    run: (...given: Given) => Outcome
  ) => (...given: Given) => Outcome
  /** Runs `ask`. The list that it gives is complete when the answer is there. */
  during: <Outcome>(ask: () => Outcome) => Readonly<{ outcome: Outcome; passed: readonly Passed[] }>
}>

const none: readonly Passed[] = Object.freeze([])

export const unwatched: Watch = {
  stage: (_surface, _stage, run) => run,
  during: ask => ({ outcome: ask(), passed: none })
}
