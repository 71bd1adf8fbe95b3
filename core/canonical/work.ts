import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work that may be interrupted at every `yield`. */
export type Sliced<T> = Generator<undefined, T, undefined>

/** Runs the work without interruption. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Shortest and longest duration of a slice in milliseconds; longer slices are used while other tasks take long. */
const [shortest, longest] = [8, 100]

/** Total milliseconds that this process has spent in slices. */
let inAll = 0

/**
 * Runs the work a few milliseconds at a time, so that requests are answered in between. A slice takes as long as the
 * other tasks took since the last one, within limits and not counting other sliced work; otherwise the work would never
 * finish in a process with constant requests. Rejects when `stop` is aborted.
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

/** Returns a function that shares one pending `make` among all calls until it settles. */
export function sharedWhileMade<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | undefined
  return () =>
    (making ??= make().finally(() => {
      making = undefined
    }))
}

/** Returns a function that runs calls one after the other; a failed call does not stop the next one. */
export function inTurn<Given extends unknown[], Made>(
  work: (...given: Given) => Promise<Made>
): (...given: Given) => Promise<Made> {
  let last: Promise<unknown> = Promise.resolve()
  return (...given) => {
    const next = last.then(() => work(...given))
    last = next.catch(() => undefined)
    return next
  }
}

/** Caches what is computed from an immutable object: computed at first use, and kept as long as the object lives. */
export function onceFor<From extends object, Made extends object | string>(
  make: (from: From) => Made
): (from: From) => Made {
  const made = new WeakMap<From, Made>()
  return from => {
    const known = made.get(from) ?? make(from)
    made.set(from, known)
    return known
  }
}
