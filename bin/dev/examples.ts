import { admitsEveryone } from '../../core/access/index.ts'
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

const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g
const withoutNow = (line: string): string =>
  line.replace(times, time => (Math.abs(Date.parse(time) - Date.now()) < near ? 'now' : time))

/** Whether asking for it may change nothing: no more than reading is done, or nothing is kept. */
const isHarmless = (surface: Surface, { method }: Example): boolean =>
  admitsEveryone(surface.access) && (method === 'GET' || !usesStores(surface))

/** An answer as lines that can be compared: its status, and what it says without the envelope. */
function linesOf({ contract }: Surface, { status, head, body, encoding }: Answer): readonly string[] {
  const text = typeof body === 'string' ? Buffer.from(body, encoding).toString() : body.toString()
  const type = /^content-type: *([^;\r\n]*)/im.exec(head)?.[1] ?? ''
  if (type.endsWith('json')) {
    const value = JSON.parse(text) as unknown
    const said = contract === 'envelope' && isObject(value) && status < 400 && 'data' in value ? value['data'] : value
    return [`status ${status}`, ...JSON.stringify(said, null, 2).split('\n')]
  }
  return [`status ${status}`, ...(type === 'text/html' ? text.replaceAll('><', '>\n<') : text).split('\n')]
}

async function ask(generation: Generation, surface: Surface, example: Example): Promise<readonly string[]> {
  const { method, url, headers, content } = example
  const answer = await answerOf(generation, {
    method,
    url,
    headers: {
      ...(content === undefined ? {} : { 'content-type': content.type }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    },
    body: content === undefined ? undefined : Buffer.from(content.text)
  })
  return linesOf(surface, answer).map(withoutNow)
}

/**
 * What the examples of surfaces answer that anybody may ask for, and that change nothing. Each is asked for twice: a
 * line that differs says nothing about an edit.
 */
export async function answersTo(generation: Generation, surfaces: readonly Surface[]): Promise<Answers> {
  const answers = new Map<string, readonly string[]>()
  for (const surface of surfaces) {
    for (const example of surface.examples.filter(one => isHarmless(surface, one))) {
      const first = await ask(generation, surface, example)
      const second = await ask(generation, surface, example)
      answers.set(
        `${example.method} ${example.url}`,
        first.length === second.length ? first.map((line, at) => (line === second[at] ? line : 'varies')) : ['varies']
      )
    }
  }
  return answers
}
