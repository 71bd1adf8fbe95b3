import { setTimeout as sleep } from 'node:timers/promises'
import { diffArrays } from 'diff'
import { accessTable, admitsEveryone } from '../../core/access/index.ts'
import { isObject } from '../../core/canonical/json.ts'
import { usesStores } from '../../core/discovery/pointers.ts'
import type { Example, Surface } from '../../core/manifest/surface.ts'
import type { Generation } from '../../core/plan/generation.ts'
import type { Answer } from '../../core/plan/request.ts'
import { answerOf, exampleRequest } from '../ask.ts'
import { count } from '../io.ts'

/** The responses to examples, as lines, by request. */
export type Answers = ReadonlyMap<string, readonly string[]>

/** Milliseconds: a time in a response that is this near to now is taken as the current time. */
const near = 600_000

/** The time limit for one response. */
const timeoutMs = 5_000

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g
const withoutNow = (line: string): string =>
  line.replace(times, time => (Math.abs(Date.parse(time) - Date.now()) < near ? 'now' : time))

const credentialHeaders = ({ registry: { service } }: Generation): ReadonlySet<string> =>
  new Set([
    'authorization',
    'cookie',
    ...Object.values(accessTable(service.access)).flatMap(({ credential }) => {
      const { name } = credential?.scheme ?? {}
      return typeof name === 'string' ? [name.toLowerCase()] : []
    })
  ])

/**
 * Whether sending an example has no side effects: anyone may send it, it has no credentials, and it is a GET or the
 * surface uses no store.
 */
const isHarmless = (surface: Surface, { method, headers, as }: Example, credentials: ReadonlySet<string>): boolean =>
  admitsEveryone(surface.access) &&
  as === undefined &&
  (method === 'GET' || !usesStores(surface)) &&
  !Object.keys(headers).some(name => credentials.has(name.toLowerCase()))

const isJson = /^application\/(?:[\w.-]+\+)?json$/

/** Returns the lines of the status and of the body, without the envelope. */
function linesOf({ contract }: Surface, { status, head, body, encoding }: Answer): readonly string[] {
  let text = typeof body === 'string' ? Buffer.from(body, encoding).toString() : body.toString()
  const type = /^content-type: *([^;\r\n]*)/im.exec(head)?.[1] ?? ''
  if (type === 'text/html') text = text.replaceAll('><', '>\n<')
  if (isJson.test(type) && text !== '') {
    const value = JSON.parse(text) as unknown
    const hasEnvelope = contract === 'envelope' && isObject(value) && status < 400 && 'data' in value
    text = JSON.stringify(hasEnvelope ? value['data'] : value, null, 2)
  }
  return [`status ${status}`, ...text.split('\n')]
}

async function ask(generation: Generation, surface: Surface, example: Example): Promise<readonly string[]> {
  const late = new AbortController()
  const answer = await Promise.race([
    answerOf(generation, exampleRequest(example)),
    sleep(timeoutMs, undefined, { signal: late.signal }).catch(() => undefined)
  ])
  late.abort()
  return answer === undefined
    ? [`no answer within ${timeoutMs / 1000} seconds`]
    : linesOf(surface, answer).map(withoutNow)
}

/** Returns a name of an example with its headers, because two examples may differ only in these. */
const titleOf = ({ method, url, headers }: Example): string =>
  [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(', ')

/**
 * Sends the harmless examples, each twice, and replaces lines that differ between the two: they would look like
 * changes.
 */
export async function answersTo(generation: Generation, surfaces: readonly Surface[]): Promise<Answers> {
  const answers = new Map<string, readonly string[]>()
  const credentials = credentialHeaders(generation)
  for (const surface of surfaces) {
    for (const example of surface.examples.filter(one => isHarmless(surface, one, credentials))) {
      const first = await ask(generation, surface, example)
      const second = await ask(generation, surface, example)
      answers.set(
        titleOf(example),
        first.length === second.length ? first.map((line, at) => (line === second[at] ? line : 'varies')) : ['varies']
      )
    }
  }
  return answers
}

const maxExamples = 5
const maxLines = 12

/** Returns the lines that only one side has, marked with `+` or `-`. */
const changesOf = (before: readonly string[], after: readonly string[]): readonly string[] =>
  diffArrays([...before], [...after]).flatMap(({ added, removed, value }) =>
    added || removed ? value.map(line => `${added ? '+' : '-'} ${line.trim()}`) : []
  )

const shortened = (lines: readonly string[], most: number, what: string): readonly string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most), `and ${count(lines.length - most, what)} more`]

export function differencesOf(before: Answers, after: Answers): readonly string[] {
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap(request => {
    const lines = changesOf(before.get(request) ?? [], after.get(request) ?? [])
    return lines.length === 0 ? [] : [[request, ...shortened(lines, maxLines, 'line').map(line => `  ${line}`)]]
  })
  const shown = changed.slice(0, maxExamples).flat()
  const verb = changed.length === 1 ? 'answers' : 'answer'
  const more = changed.length > maxExamples ? [`and ${count(changed.length - maxExamples, 'example')} more`] : []
  return [
    `${count(after.size, 'example')} asked, ${changed.length === 0 ? 'none answers' : `${changed.length} ${verb}`} differently`,
    ...[...shown, ...more].map(line => `  ${line}`)
  ]
}
