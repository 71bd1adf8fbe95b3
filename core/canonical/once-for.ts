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
