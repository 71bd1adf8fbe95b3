/**
 * Freezes a value and everything within it, and returns it. A value that is already frozen is assumed to be frozen
 * throughout.
 */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const member of value instanceof Map ? value.values() : Object.values(Object.freeze(value))) frozen(member)
  }
  return value
}
