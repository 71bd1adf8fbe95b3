import { setTimeout as sleep } from 'node:timers/promises'
import { accessTable, admitsEveryone } from '../../core/access/index.ts'
import { isObject } from '../../core/canonical/json.ts'
import { usesStores } from '../../core/discovery/pointers.ts'
import type { Example, Surface } from '../../core/manifest/surface.ts'
import type { Generation } from '../../core/plan/generation.ts'
import type { Answer } from '../../core/plan/request.ts'
import { answerOf } from '../ask.ts'

/** What examples answer: the lines of each, by its request. */
export type Answers = ReadonlyMap<string, readonly string[]>

/** Milliseconds: a time in an answer that is as near to now is the time of the answer. */
const near = 600_000

/** Milliseconds that one answer may take. */
const patience = 5_000

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g
const withoutNow = (line: string): string =>
  line.replace(times, time => (Math.abs(Date.parse(time) - Date.now()) < near ? 'now' : time))

/** Names of headers that say who asks. */
const credentialHeaders = ({ registry: { service } }: Generation): ReadonlySet<string> =>
  new Set([
    'authorization',
    'cookie',
    ...Object.values(accessTable(service.access)).flatMap(({ credential }) => {
      const { name } = credential?.scheme ?? {}
      return typeof name === 'string' ? [name.toLowerCase()] : []
    })
  ])

/** Whether anybody may ask for it, and asking changes nothing: no more than reading is done, or nothing is kept. */
const isHarmless = (surface: Surface, { method, headers }: Example, credentials: ReadonlySet<string>): boolean =>
  admitsEveryone(surface.access) &&
  (method === 'GET' || !usesStores(surface)) &&
  !Object.keys(headers).some(name => credentials.has(name.toLowerCase()))

const isJson = /^application\/(?:[\w.-]+\+)?json$/

/** An answer as lines that can be compared: its status, and what it says without the envelope. */
function linesOf({ contract }: Surface, { status, head, body, encoding }: Answer): readonly string[] {
  const text = typeof body === 'string' ? Buffer.from(body, encoding).toString() : body.toString()
  const type = /^content-type: *([^;\r\n]*)/im.exec(head)?.[1] ?? ''
  if (isJson.test(type) && text !== '') {
    const value = JSON.parse(text) as unknown
    const said = contract === 'envelope' && isObject(value) && status < 400 && 'data' in value ? value['data'] : value
    return [`status ${status}`, ...JSON.stringify(said, null, 2).split('\n')]
  }
  return [`status ${status}`, ...(type === 'text/html' ? text.replaceAll('><', '>\n<') : text).split('\n')]
}

async function ask(generation: Generation, surface: Surface, example: Example): Promise<readonly string[]> {
  const { method, url, headers, content } = example
  const late = new AbortController()
  const answer = await Promise.race([
    answerOf(generation, {
      method,
      url,
      headers: {
        ...(content === undefined ? {} : { 'content-type': content.type }),
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
      },
      body: content === undefined ? undefined : Buffer.from(content.text)
    }),
    sleep(patience, undefined, { signal: late.signal }).catch(() => undefined)
  ])
  late.abort()
  return answer === undefined
    ? [`no answer within ${patience / 1000} seconds`]
    : linesOf(surface, answer).map(withoutNow)
}

/** An example as its lines are headed; two may have one path and other headers. */
const titleOf = ({ method, url, headers }: Example): string =>
  [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(', ')

/**
 * What the examples of surfaces answer that anybody may ask for, and that change nothing. Each is asked for twice: a
 * line that differs says nothing about an edit.
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
