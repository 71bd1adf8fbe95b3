import type { JsonValue } from '../../core/canonical/json.ts'
import { valueAt } from '../../core/canonical/pointer.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Claim } from '../../core/manifest/claim.ts'
import { namesIn, valueName, type ClaimedText } from '../../core/registry/claims.ts'
import { report } from '../../core/source/report.ts'
import { count } from '../io.ts'
import { isSame, type Promised, type Subject } from './examples.ts'

export type ClaimAnswer = Readonly<{ status: number; text: string }>
/** Values of earlier answers, by name. */
export type Values = Readonly<Record<string, string>>

/** How the requests and commands of claims are sent. */
export type Asks = Readonly<{
  ask: (path: string, init: RequestInit) => Promise<Response>
  /** Returns what those who ask send with a request; `undefined` if nobody can ask so here. */
  headersOf: (as: string) => Promise<Readonly<Record<string, string>> | undefined>
  /** Runs a command of a text, or resolves to undefined if a program is missing; without it, commands are not tried. */
  run?: (command: string, values: Values) => Promise<ClaimAnswer | undefined>
}>

const minutesIn = { DAY: 24 * 60, MINUTE: 1 } as const

/** Puts values and times where a text names them. */
const filled = (text: string, values: Values): string =>
  text.replaceAll(valueName, (whole, many?: string, unit?: keyof typeof minutesIn, name?: string) =>
    many === undefined || unit === undefined
      ? (values[name ?? ''] ?? whole)
      : new Date(Date.now() + Number(many) * minutesIn[unit] * 60_000).toISOString()
  )

/** What a text has in it of JSON: all of it, or what is behind headers or a line that was printed before. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.search(/^[{[]/m)))
  } catch {
    return undefined
  }
}

/** The number of members of a list or an object. */
const membersOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : undefined

const above = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))

/** Returns what an answer has that a claim denies, and what it lacks. */
export function* contradictions(claim: Claim, { status, text }: ClaimAnswer, values: Values): Generator<string> {
  const { shows = {}, counts = {}, lacks = [] } = claim
  if (status !== (claim.status ?? 200)) {
    yield `answered ${status} instead of ${claim.status ?? 200}: ${text.slice(0, 300)}`
    return
  }
  const json = jsonIn(text)
  for (const [pointer, value] of Object.entries(shows) as [string, JsonValue][]) {
    const expected = typeof value === 'string' ? filled(value, values) : value
    const found = valueAt(json, pointer)
    if (!isSame(found, expected))
      yield `shows ${JSON.stringify(found)} at ${pointer} instead of ${JSON.stringify(expected)}`
  }
  for (const [pointer, many] of Object.entries(counts)) {
    const found = membersOf(valueAt(json, pointer))
    if (found !== many) yield `has ${found ?? 'no'} members at ${pointer} instead of ${many}`
  }
  for (const pointer of lacks) {
    if (valueAt(json, pointer) !== undefined) yield `has ${pointer}, which it should lack`
    // What is nowhere lacks nothing: a misspelt place would never be wrong.
    if (membersOf(valueAt(json, above(pointer))) === undefined) yield `has no members at ${above(pointer)}`
  }
}

async function answerTo(
  claim: Claim,
  value: unknown,
  values: Values,
  { ask, headersOf, run }: Asks
): Promise<ClaimAnswer | undefined> {
  const { as, method = 'GET', path = '', body, runs } = claim
  if (runs !== undefined) return await run?.(String(valueAt(value, runs)), values)
  const headers = as === undefined ? {} : await headersOf(as)
  if (headers === undefined) return undefined
  const response = await ask(filled(path, values), {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: filled(JSON.stringify(body), values) })
  })
  return { status: response.status, text: await response.text() }
}

/**
 * Tries the claims of a text in their order. `untried` counts those whose caller or command is not to be had here,
 * those that need a value of such an answer, and all behind one that would have written something.
 */
export async function tryClaims(
  { value, source, claims }: ClaimedText,
  asks: Asks,
  onAnswer: (claim: Claim, answer: ClaimAnswer, values: Values) => void = () => undefined
): Promise<Readonly<{ broken: readonly Diagnostic[]; untried: number }>> {
  const broken: Diagnostic[] = []
  const values: Record<string, string> = {}
  let [untried, isUnwritten] = [0, false]
  for (const [index, claim] of claims.entries()) {
    const { says, as = 'anybody', method = 'GET', path, runs = '', keeps = {} } = claim
    const isPossible = !isUnwritten && [...namesIn(path), ...namesIn(claim.body)].every(name => name in values)
    const answer = isPossible ? await answerTo(claim, value, values, asks) : undefined
    if (answer === undefined) {
      untried++
      isUnwritten ||= method !== 'GET'
      continue
    }
    const what = path === undefined ? `The command ${runs}` : `"${says ?? ''}" (${as}: ${method} ${path})`
    for (const text of contradictions(claim, answer, values))
      broken.push(report(source, 'X204', [index], `${what} ${text}`))
    onAnswer(claim, answer, { ...values })
    const json = jsonIn(answer.text)
    for (const [name, pointer] of Object.entries(keeps)) {
      const kept = valueAt(json, pointer)
      if (typeof kept === 'string') values[name] = kept
      else broken.push(report(source, 'X204', [index, 'keeps'], `${what} has no text at ${pointer}`))
    }
  }
  return { broken, untried }
}

async function wrongHere({ claims, ask, headersOf, runCommand, note }: Subject): Promise<readonly Diagnostic[]> {
  const broken: Diagnostic[] = []
  let untried = 0
  for (const text of claims) {
    const tried = await tryClaims(text, { ask, headersOf, run: runCommand })
    broken.push(...tried.broken)
    untried += tried.untried
  }
  if (untried > 0)
    note(
      `${count(untried, 'claim')} ${untried === 1 ? 'is' : 'are'} not tried here: no root lets in who asks, or a program is missing.`
    )
  return broken
}

/** Tries the claims of all texts of a service, in each of its configurations. */
export async function wrongClaims(subject: Subject): Promise<readonly Diagnostic[]> {
  const others =
    subject.claims.length === 0
      ? []
      : await subject.inOthers(async (other, configuration) =>
          (await wrongHere(other)).map(found => ({ ...found, message: `${found.message} (${configuration})` }))
        )
  return [...(await wrongHere(subject)), ...others.flat()]
}

export const claims: Promised = {
  name: 'What the texts claim of the service is so.',
  broken: async subject =>
    (await wrongClaims(subject)).map(({ file, span, message }) => `${file}:${span.line}: ${message}`)
}
