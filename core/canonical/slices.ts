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

/** Milliseconds after which others have their turn: the fewest, and the most while the others need long. */
const [shortest, longest] = [8, 100]

/** Milliseconds that all work of the process has had in slices. */
let inAll = 0

/**
 * Does the work a few milliseconds at a time, so that requests are answered meanwhile. A slice takes as long as the
 * others took before it, within limits and without other work in slices: else a process that is asked without a pause
 * would never come to an end with it. Rejects when `stop` is aborted.
 */
export async function inSlices<T>(work: Sliced<T>, stop?: AbortSignal): Promise<T> {
  let [ended, had] = [performance.now(), inAll]
  for (;;) {
    stop?.throwIfAborted()
    const began = performance.now()
    const others = began - ended - (inAll - had)
    const slice = Math.min(longest, Math.max(shortest, others))
    try {
      do {
        const step = work.next()
        if (step.done === true) return step.value
        ended = performance.now()
      } while (ended - began < slice)
    } finally {
      inAll += performance.now() - began
    }
    had = inAll
    await nextTurn()
  }
}
