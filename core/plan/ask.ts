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

/** How many surfaces may ask one through the other. More is a loop, and a fault of the code that asks. */
const deepest = 3

/** What is asked is passed on, so it may hold nothing of one request. */
const relayed = { accept: 'application/json', via: '1.1 pantry' }

const headersOf = ({ head }: Answer, wanted: string): readonly string[] =>
  fieldsOf(head).flatMap(([name, value]) => (name === wanted ? [value] : []))
const headerOf = (answer: Answer, wanted: string): string => headersOf(answer, wanted)[0] ?? ''

const textOf = ({ body, encoding }: Answer): string =>
  typeof body === 'string' ? (encoding === 'latin1' ? Buffer.from(body, 'latin1').toString() : body) : body.toString()

/** What is sent with a request is read as if it had come from outside. */
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
 * Asks a surface in process, at the moment of the request that asks: nothing of it is passed on but the hash of its
 * address, and who asks. From a surface that is open to everyone that is nobody, so the answer is what anyone gets. The
 * generation is looked up when it is needed: plans are made before it.
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
