/** While something is being made, all who ask for it get the same. */
export function sharedWhileMade<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | undefined
  return () =>
    (making ??= make().finally(() => {
      making = undefined
    }))
}

/** Runs calls one after the other; a call that fails does not stop the next. */
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

/** What follows from an object that never changes: made when it is first asked for, and kept as long as the object. */
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
