import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { Ask } from '../../handler/handler.ts'
import type { Beside, Sent } from '../../handler/page.ts'
import { expandTarget } from '../../manifest/paths.ts'
import type { Service } from '../../manifest/service.ts'
import { errorCodesOf } from '../../manifest/service-defaults.ts'
import type { PlanInput } from '../../plan/kind.ts'
import type { PageRequest } from './manifest.ts'

/** The answer of a surface; `data` is what its contract wraps, or the whole JSON body. */
export type SurfaceAnswer = Omit<Beside, 'data' | 'reason' | 'details'> &
  Readonly<{
    name: string
    data: JsonValue
    error: JsonObject | undefined
    retryAfter: string
    cookies: readonly string[]
  }>

type Values = (name: string) => string | number | boolean | undefined

/**
 * The answer to a request that was not made: a value of its path is missing, or no surface answers at a URL that an
 * earlier answer named.
 */
const notAsked = (name: string, path: string): SurfaceAnswer => ({
  name,
  path,
  status: 404,
  mediaType: '',
  text: '',
  data: null,
  error: undefined,
  retryAfter: '',
  cookies: [],
  passed: []
})

export async function askSurface(
  { name, target }: PageRequest,
  valueOf: Values,
  ask: Ask,
  sent?: Parameters<Ask>[1]
): Promise<SurfaceAnswer> {
  const path = expandTarget(target, valueOf)
  if (path === undefined) return notAsked(name, target.text)
  const asked = await ask(path, sent)
  if (asked === undefined && target.whole !== undefined) return notAsked(name, path)
  if (asked === undefined) throw new Error(`No surface answers ${path}.`)
  const { status, mediaType, retryAfter, cookies, passed, body: text } = asked
  const body = text === '' || mediaType !== 'application/json' ? null : (JSON.parse(text) as JsonValue)
  const isWrapped = isObject(body) && (asked.surface.contract === 'envelope' || (status >= 400 && 'error' in body))
  const { data = null, error } = isWrapped ? body : { data: body }
  return {
    name,
    path,
    status,
    mediaType,
    text,
    data,
    error: isObject(error) ? error : undefined,
    retryAfter,
    cookies,
    passed
  }
}

/**
 * Asks a surface. A SurfaceError, such as for a path that cannot be decoded, is returned as the answer, so that the
 * page does not fail.
 */
export async function askSafely(
  request: PageRequest,
  valueOf: Values,
  ask: Ask,
  service: Service,
  toBody?: () => JsonValue
): Promise<SurfaceAnswer> {
  try {
    return await askSurface(request, valueOf, ask, toBody && { method: 'POST', body: toBody() })
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error
    const { code, message, details, status = errorCodesOf(service)[code]?.status } = error
    if (status === undefined) throw error
    return {
      ...notAsked(request.name, request.target.text),
      status,
      error: { message, ...(details === undefined ? {} : { details }) }
    }
  }
}

/**
 * Returns a function that looks up a value by name: in the path, then in the query; a name with dots in the answers.
 */
export const lookIn =
  ({ params, query }: PlanInput, answers: readonly SurfaceAnswer[]): Values =>
  name => {
    if (!name.includes('.')) return params[name] ?? query[name]
    const found = name
      .split('.')
      .reduce<JsonValue | undefined>(
        (at, key) => (isObject(at) ? at[key] : undefined),
        Object.fromEntries(answers.map(one => [one.name, one.data]))
      )
    return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? found : undefined
  }

export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** The failure of a page: its status, code and message are those of the surface that failed. */
export class ShownError extends SurfaceError {
  constructor({ data, error = {}, retryAfter }: SurfaceAnswer) {
    const { details } = error
    super({ code: textOf(error['code']) }, textOf(error['message']), {
      data,
      ...(isObject(details) ? { details } : {}),
      ...(retryAfter === '' ? {} : { headers: { 'Retry-After': retryAfter } })
    })
  }
}

export function readable(answer: SurfaceAnswer, isGiven: boolean): Sent<JsonValue> {
  const { status, path, mediaType, text, data, error, passed } = answer
  const details = error?.['details']
  return {
    status,
    path,
    mediaType,
    text,
    data: isGiven ? data : undefined,
    reason: textOf(error?.['message']),
    details: isObject(details) ? details : {},
    passed
  }
}
