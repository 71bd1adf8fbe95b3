/** The same value, with all that it is made of frozen. What is frozen already is frozen throughout. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const member of value instanceof Map ? value.values() : Object.values(Object.freeze(value))) frozen(member)
  }
  return value
}
