import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work that may be interrupted at every `yield`. */
export type SlicedWork<T> = Generator<undefined, T, undefined>

/** Runs the work without interruption. */
export function runSync<T>(work: SlicedWork<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Shortest and longest duration of a slice in milliseconds; longer slices are used while other tasks take long. */
const [minSliceMs, maxSliceMs] = [8, 100]

/** Milliseconds that all calls of `runInSlices` in this process have spent in slices. */
let total = 0

/**
 * Runs the work in slices of 8 to 100 milliseconds, so that requests are answered in between. A slice takes as long as
 * other tasks took since the slice before (other sliced work not counted), so that the work also finishes under
 * constant requests. Once `stop` is aborted, rejects with its reason instead of running the next slice.
 */
export async function runInSlices<T>(work: SlicedWork<T>, stop?: AbortSignal): Promise<T> {
  let [ended, totalBefore] = [performance.now(), total]
  for (;;) {
    stop?.throwIfAborted()
    const began = performance.now()
    const others = began - ended - (total - totalBefore)
    const slice = Math.min(maxSliceMs, Math.max(minSliceMs, others))
    try {
      do {
        const step = work.next()
        if (step.done === true) return step.value
        ended = performance.now()
      } while (ended - began < slice)
    } finally {
      total += performance.now() - began
    }
    totalBefore = total
    await nextTurn()
  }
}

/** Returns a function that calls `make`, or returns the promise of its last call while that is pending. */
export function singleFlight<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let pending: Promise<Result> | undefined
  return () =>
    (pending ??= make().finally(() => {
      pending = undefined
    }))
}

/** Returns a function whose calls run one after the other; a call that rejects does not stop the next one. */
export function serialiseCalls<Args extends unknown[], Result>(
  work: (...args: Args) => Promise<Result>
): (...args: Args) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (...args) => {
    const next = last.then(() => work(...args))
    last = next.catch(() => undefined)
    return next
  }
}

/** Returns a function that calls `compute` once for each object, and keeps the value as long as the object lives. */
export function memoize<Key extends object, Value extends object | string>(
  compute: (key: Key) => Value
): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>()
  return key => {
    const value = cache.get(key) ?? compute(key)
    cache.set(key, value)
    return value
  }
}
