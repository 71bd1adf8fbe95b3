import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work that may be interrupted wherever it yields. */
export type Sliced<T> = Generator<undefined, T, undefined>

/** Does the work in one piece. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Milliseconds after which others have their turn. */
const sliceMs = 8

/**
 * Does the work a few milliseconds at a time, so that requests are answered meanwhile. Rejects when `stop` is aborted.
 */
export async function inSlices<T>(work: Sliced<T>, stop?: AbortSignal): Promise<T> {
  for (;;) {
    stop?.throwIfAborted()
    const began = performance.now()
    do {
      const step = work.next()
      if (step.done === true) return step.value
    } while (performance.now() - began < sliceMs)
    await nextTurn()
  }
}
