import type { JsonValue } from '../../../core/canonical/json.ts'
import { parseStrictJson } from '../../../core/source/strict-json.ts'
import { jsonReader } from '../../../surfaces/proofs/outside.ts'
import { verifyService } from '../../../surfaces/proofs/verify-service.ts'

/** Chance that a seed repeats: mulberry32. */
export function chanceOf(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Everything that a service answers to somebody who verifies it, by address. */
export async function answersOf(url: string): Promise<ReadonlyMap<string, JsonValue>> {
  const [read, answers] = [jsonReader(url), new Map<string, JsonValue>()]
  await verifyService(url, async address => {
    const answer = await read(address)
    answers.set(address, answer)
    return answer
  })
  return answers
}

/** The JSON with one bit of its text changed; undefined where nobody can read it any more. */
export function flippedJson(value: JsonValue, chance: (below: number) => number): JsonValue | undefined {
  const bytes = Buffer.from(JSON.stringify(value))
  const at = chance(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << chance(8))
  const parsed = parseStrictJson(bytes)
  return parsed.ok ? parsed.value : undefined
}

/** Where two values differ first, as the names on the way; numbers of places are left out. */
export function differenceOf(one: JsonValue | undefined, other: JsonValue | undefined): string | undefined {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other ? undefined : ''
  const [a, b] = [one, other] as [Record<string, JsonValue>, Record<string, JsonValue>]
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const inner = name in a === name in b ? differenceOf(a[name], b[name]) : ''
    if (inner !== undefined) return `${Array.isArray(one) ? '' : `/${name}`}${inner}`
  }
  return undefined
}

/** One bit of a value of a column, as another value of its type. */
export function flippedColumn(type: string, text: string, chance: (below: number) => number): string {
  if (/^(integer|bigint)$/.test(type))
    return String(BigInt(text) ^ (1n << BigInt(chance(type === 'integer' ? 20 : 40))))
  if (type.startsWith('timestamp')) return new Date(Date.parse(text) ^ (1 << chance(20))).toISOString()
  for (;;) {
    const bytes = Buffer.from(text)
    const at = chance(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << chance(7))
    const [flipped, isJson] = [bytes.toString(), type.startsWith('json')]
    // What the type cannot hold, the database refuses by itself.
    if (
      flipped.includes('\0') ||
      (type === 'uuid' && !/^[0-9a-f-]{36}$/.test(flipped)) ||
      (isJson && (!parseStrictJson(bytes).ok || /\s/.test(text[at] ?? '')))
    )
      continue
    return flipped
  }
}
