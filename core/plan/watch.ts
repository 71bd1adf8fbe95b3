import type { Passed } from '../handler/handler.ts'
import type { Surface } from '../manifest/surface.ts'

/** The stages between a request and its answer, in order. */
export const stages = ['access', 'input', 'format', 'language', 'version', 'content', 'body', 'head'] as const
export type Stage = (typeof stages)[number]

/** Observes the stages of answers, for `pantry trace` and for the explorer in development. */
export type Watch = Readonly<{
  /** Wraps the function that does the work of a stage. */
  stage: <Given extends unknown[], Outcome>(
    surface: Surface,
    stage: Stage,
    run: (...given: Given) => Outcome
  ) => (...given: Given) => Outcome
  /** Runs `ask` and lists the stages that it passes; the list is complete once the answer is there. */
  during: <Outcome>(ask: () => Outcome) => Readonly<{ outcome: Outcome; passed: readonly Passed[] }>
}>

const none: readonly Passed[] = Object.freeze([])

export const unwatched: Watch = {
  stage: (_surface, _stage, run) => run,
  during: ask => ({ outcome: ask(), passed: none })
}
