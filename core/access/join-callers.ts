import type { Caller, Callers } from './access.ts'

/**
 * Joins the services `callers` of several roots: a caller is whom the first of them finds, and is counted by it. So one
 * root may know keys, and another one sessions.
 */
export function joinCallers(all: readonly Callers<string>[]): Callers<string> {
  const foundBy = new WeakMap<Caller, Callers<string>>()
  return {
    async find(presented, now) {
      for (const callers of all) {
        const caller = await callers.find(presented, now)
        if (caller === undefined) continue
        foundBy.set(caller, callers)
        return caller
      }
      return undefined
    },
    async count(caller, now) {
      const callers = foundBy.get(caller)
      if (callers === undefined) throw new Error('A caller is counted whom nobody has found.')
      return await callers.count(caller, now)
    },
    async keyForTests(wanted) {
      for (const callers of all) {
        const key = await callers.keyForTests?.(wanted)
        if (key !== undefined) return key
      }
      return undefined
    }
  }
}
