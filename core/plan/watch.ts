import type { Surface } from '../manifest/surface.ts'

/** What happens between a request and its answer, in the order in which it does. */
export const stages = ['access', 'input', 'format', 'language', 'version', 'content', 'body', 'head'] as const
export type Stage = (typeof stages)[number]

/**
 * Sees the stages of an answer: given what does the work of one, it gives back what is to do it. For one request that
 * somebody wants to understand; what serves has none.
 */
export type Watch = <Given extends unknown[], Outcome>(
  surface: Surface,
  stage: Stage,
  run: (...given: Given) => Outcome
) => (...given: Given) => Outcome

export const unwatched: Watch = (_surface, _stage, run) => run
