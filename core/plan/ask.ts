import type { JsonValue } from '../canonical/json.ts'
import { bodyTooLarge, invalid } from '../handler/errors.ts'
import type { Ask, Asked } from '../handler/handler.ts'
import { parseStrictJson } from '../source/strict-json.ts'
import { dispatch, routeOf } from './dispatch.ts'
import type { Generation } from './generation.ts'
import { fieldsOf } from './headers.ts'
import { splitTarget } from './query.ts'
import type { Answer, PlanRequest } from './request.ts'
import type { Watch } from './watch.ts'

/**
 * Maximum depth of surfaces that ask each other for one request. A greater depth is taken for a loop, which is a bug in
 * their code.
 */
const deepest = 3

/**
 * The headers of a request between surfaces. The asking surface may pass the answer on, so `via` makes it omit headers
 * that belong to one request.
 */
const relayed = { accept: 'application/json', via: '1.1 pantry' }

const headersOf = ({ head }: Answer, wanted: string): readonly string[] =>
  fieldsOf(head).flatMap(([name, value]) => (name === wanted ? [value] : []))
const headerOf = (answer: Answer, wanted: string): string => headersOf(answer, wanted)[0] ?? ''

const textOf = ({ body, encoding }: Answer): string =>
  typeof body === 'string' ? (encoding === 'latin1' ? Buffer.from(body, 'latin1').toString() : body) : body.toString()

/** Returns the body readers of a request between surfaces: its body is checked like one from outside. */
function bodyOf(body: JsonValue): Pick<PlanRequest, 'readBody' | 'readBytes' | 'readForm'> {
  const bytes = Buffer.from(JSON.stringify(body))
  const readBytes = (limitBytes: number): Promise<Uint8Array> =>
    bytes.length > limitBytes ? Promise.reject(bodyTooLarge(limitBytes)) : Promise.resolve(bytes)
  return {
    readBytes,
    readForm: async limitBytes => ({ pairs: await readBytes(limitBytes) }),
    readBody: async limitBytes => {
      const found = parseStrictJson(await readBytes(limitBytes))
      if (!found.ok) throw invalid('body', found.message)
      return found.value
    }
  }
}

/**
 * Returns the `ask` function of a request: it asks another surface in process, with the same time. The headers, query
 * and body of the asking request are not passed on, but its caller and the hash of its address are. A surface open to
 * everyone has an anonymous caller, so the answer is public. `generationOf` is a function because plans are compiled
 * before the generation exists.
 */
export const compileAsk =
  (generationOf: () => Generation, watch: Watch) =>
  (request: PlanRequest): Ask =>
  async (target, sent): Promise<Asked | undefined> => {
    const depth = (request.depth ?? 0) + 1
    if (depth > deepest) throw new Error(`Surfaces ask each other in a loop: ${target.slice(0, 200)}`)
    const generation = generationOf()
    const method = sent?.method ?? 'GET'
    const { path, search } = splitTarget(target)
    const route = routeOf(generation, method, path)
    if (route !== undefined && 'malformed' in route) throw invalid('path', route.malformed)
    if (route === undefined || !('value' in route)) return undefined
    const { surface } = route.value
    const arrived = { ...request, ...bodyOf(sent?.body ?? null), method, path, search, headers: relayed, depth }
    const { outcome, passed } = watch.during(() => dispatch(generation, arrived, route).answer)
    const answer = await outcome
    return {
      surface,
      status: answer.status,
      mediaType: headerOf(answer, 'Content-Type').split(';')[0] ?? '',
      cacheControl: headerOf(answer, 'Cache-Control'),
      retryAfter: headerOf(answer, 'Retry-After'),
      cookies: headersOf(answer, 'Set-Cookie'),
      body: textOf(answer),
      passed
    }
  }
