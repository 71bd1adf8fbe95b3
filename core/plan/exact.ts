/** The error for a reply that does not match the `reply` schema of its code, or that JSON cannot hold. */
export class ReplyFault extends Error {
  override readonly name = 'ReplyFault'
}

/** Returns what JSON cannot hold of a value itself; undefined if it can. */
function problemOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  return typeof value !== 'string' || value.isWellFormed() ? undefined : 'a text with half a surrogate pair'
}

/** Whether JSON can hold a value with all that is in it. It notes no place. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (const item of value) if (!isExact(item)) return false
    return true
  }
  for (const key in value)
    if (!key.isWellFormed() || !isExact((value as Readonly<Record<string, unknown>>)[key])) return false
  return true
}

/** Whether all numbers of a value are finite. Most answers have a null somewhere, so texts are not looked at. */
function isFiniteThroughout(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isFiniteThroughout)
  for (const key in value) if (!isFiniteThroughout((value as Readonly<Record<string, unknown>>)[key])) return false
  return true
}

/** Returns the first problem within a value, with its JSON pointer. */
function firstProblem(value: unknown, pointer = ''): string | undefined {
  const own = problemOf(value)
  if (own !== undefined) return `${own} (at \`${pointer === '' ? '/' : pointer}\`)`
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, member] of Object.entries(value)) {
    const token = key.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')
    const found = firstProblem(key, `${pointer}/${token}`) ?? firstProblem(member, `${pointer}/${token}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Throws a ReplyFault that names the surface and the place if JSON cannot hold a value. */
export function requireExact(surface: string, value: unknown): void {
  if (isExact(value)) return
  throw new ReplyFault(
    `The surface \`${surface}\` answers with what JSON cannot hold: ${firstProblem(value) ?? 'an unknown value'}.`
  )
}

/**
 * Returns a value as JSON text. `JSON.stringify` writes a number that is not finite as null, and half a surrogate pair
 * as an escape: only for a text that has one of these is the value looked at again.
 */
export function exactText(surface: string, value: unknown): string {
  const text = JSON.stringify(value)
  if (text.includes('\\ud') || (text.includes('null') && !isFiniteThroughout(value))) requireExact(surface, value)
  return text
}
