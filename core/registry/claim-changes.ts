import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import { valueAt } from '../canonical/pointer.ts'
import type { Claim } from '../manifest/claim.ts'
import { parseSegments } from '../manifest/paths.ts'

/** A part of a claim that holds whatever the service is, with what to do about it. */
export type Idle = Readonly<{ pointer: readonly string[]; message: string; hint: string }>

/** The variable with the address of the service in commands of texts. */
const origin = '$ORIGIN'

const requestOf = ({ as, method, path, body, runs }: Claim): string => JSON.stringify([as, method, path, body, runs])

const isBelow = (pointer: string, other: string): boolean => pointer.startsWith(`${other}/`)

const hasMembers = (value: unknown): boolean => Array.isArray(value) || isObject(value)

/** A surface can be declared at it: no segment is empty or has a character that needs encoding (RFC 3986 §2.3). */
const canBeServed = (path: string): boolean =>
  parseSegments(path.split('?')[0] ?? path).every(
    one => 'literal' in one && /^[\w.~$!*'():@&=+,;-]+$/.test(one.literal)
  )

/**
 * Returns the parts of a claim that no change of registry, configuration or data makes false. `earlier` are the claims
 * before it, `command` is what it runs.
 */
export function* idleParts(claim: Claim, earlier: readonly Claim[], command: unknown): Generator<Idle> {
  const { path, runs, status = 200, shows = {}, lacks = [] } = claim
  if (runs !== undefined && typeof command === 'string' && !command.includes(origin))
    yield {
      pointer: ['runs'],
      message: 'The command asks nothing of the service.',
      hint: `Let it ask a path behind \`${origin}\`.`
    }
  if (path !== undefined && status === 404 && !canBeServed(path))
    yield { pointer: ['path'], message: 'No surface can have this path.', hint: 'Ask a path that could be served.' }
  for (const pointer of lacks) {
    const above = lacks.find(other => isBelow(pointer, other))
    const value = Object.entries(shows).find(([other, found]) => isBelow(pointer, other) && !hasMembers(found))
    if (above !== undefined || value !== undefined)
      yield {
        pointer: ['lacks'],
        message: `There is never anything at ${pointer}, because ${above ?? value?.[0] ?? ''} has no members.`,
        hint: 'Leave it out.'
      }
  }
  for (const [pointer, value] of Object.entries(shows)) {
    const kept = earlier.some(
      one =>
        requestOf(one) === requestOf(claim) &&
        Object.entries(one.keeps ?? {}).some(([name, at]) => value === `$${name}` && at === pointer)
    )
    if (kept)
      yield {
        pointer: ['shows', pointer],
        message: `${String(value)} was kept from this place of the same answer.`,
        hint: 'Compare it with another answer.'
      }
  }
}

/** The nearest other values of the type; of a list or an object one with a member more, and one with one less. */
function othersThan(value: unknown): readonly JsonValue[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value - 1]
  if (typeof value === 'string') return [`${value}.`]
  if (Array.isArray(value)) {
    const list = value as readonly JsonValue[]
    return [[...list, null], ...(list.length === 0 ? [] : [list.slice(1)])]
  }
  if (isObject(value)) {
    const [first] = Object.keys(value)
    const members = value as JsonObject
    const rest = Object.fromEntries(Object.entries(members).filter(([name]) => name !== first))
    return [{ ...members, another: null }, ...(first === undefined ? [] : [rest])]
  }
  return [0]
}

/** Returns a copy with another value at a pointer, or without the member. */
function replaced(json: unknown, [first, ...rest]: readonly string[], value: JsonValue | undefined): unknown {
  if (first === undefined) return value
  const token = first.replaceAll('~1', '/').replaceAll('~0', '~')
  if (Array.isArray(json)) {
    const list: unknown[] = [...(json as readonly unknown[])]
    list[Number(token)] = replaced(list[Number(token)], rest, value)
    return list
  }
  const members = isObject(json) ? json : {}
  return { ...members, [token]: replaced(members[token], rest, value) }
}

/** An answer with the smallest change that makes one part of a claim false, and what was changed. */
export type Changed = Readonly<{ what: string; status: number; json: unknown }>

/**
 * Returns the smallest changes of an answer that make a claim about it false: each member that it shows with another
 * value and without one, each that it counts with one more and one less, and each that it lacks with a value.
 */
export function* changedAnswers(claim: Claim, status: number, json: unknown): Generator<Changed> {
  const { shows = {}, counts = {}, lacks = [] } = claim
  const at = (pointer: string, value: JsonValue | undefined): Changed => ({
    what: `${pointer} ${value === undefined ? 'left out' : JSON.stringify(value)}`,
    status,
    json: replaced(json, pointer.split('/').slice(1), value)
  })
  yield { what: 'the status', status: status === 404 ? 200 : 404, json }
  for (const pointer of [...Object.keys(shows), ...Object.keys(counts)])
    for (const value of [...othersThan(valueAt(json, pointer)), undefined]) yield at(pointer, value)
  for (const pointer of lacks) yield at(pointer, null)
}
