import { renderToString } from 'preact-render-to-string'
import { isSame, type Caller } from '../../access/access.ts'
import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import { writePage } from '../../format/html.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { Ask, Passed } from '../../handler/handler.ts'
import type { Beside, PageContent, Sent } from '../../handler/page.ts'
import { known } from '../../manifest/kind.ts'
import { errorCodesOf } from '../../manifest/service-defaults.ts'
import type { Service } from '../../manifest/service.ts'
import { expandTarget, type Target } from '../../manifest/paths.ts'
import type { Surface } from '../../manifest/surface.ts'
import type { ContentSource, Given, PlanInput, Version } from '../../plan/kind.ts'
import type { PlanRequest } from '../../plan/request.ts'
import type { Asks, PageAnswer } from './manifest.ts'

type Heard = Readonly<{
  name: string
  path: string
  status: number
  mediaType: string
  text: string
  data: JsonValue
  error: JsonObject | undefined
  retryAfter: string
  cookies: readonly string[]
  passed: readonly Passed[]
}>

type Values = (name: string) => string | number | boolean | undefined

/** Returns the result of a request that is not made, because a value of its path is unknown. */
const unasked = (name: string, path: string): Heard => ({
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

/** Calls a surface and returns its answer; `data` is what its contract wraps. */
async function hear({ name, target }: Asks, valueOf: Values, ask: Ask, sent?: Parameters<Ask>[1]): Promise<Heard> {
  const path = expandTarget(target, valueOf)
  if (path === undefined) return unasked(name, target.text)
  const asked = await ask(path, sent)
  if (asked === undefined && target.whole !== undefined) return unasked(name, path)
  if (asked === undefined) throw new Error(`No surface answers ${path}.`)
  const { mediaType, retryAfter, cookies, passed, body: text } = asked
  const body = text === '' || mediaType !== 'application/json' ? null : (JSON.parse(text) as JsonValue)
  const isWrapped =
    isObject(body) && (asked.surface.contract === 'envelope' || (asked.status >= 400 && 'error' in body))
  const { data = null, error } = isWrapped ? body : { data: body }
  return {
    name,
    path,
    status: asked.status,
    mediaType,
    text,
    data,
    error: isObject(error) ? error : undefined,
    retryAfter,
    cookies,
    passed
  }
}

/** The same, where a request that cannot be read does not fail the page. */
async function hearSafely(
  one: Asks,
  valueOf: Values,
  { ask, service }: Readonly<{ ask: Ask; service: Service }>,
  toBody?: () => JsonValue
): Promise<Heard> {
  try {
    return await hear(one, valueOf, ask, toBody === undefined ? undefined : { method: 'POST', body: toBody() })
  } catch (error) {
    const status =
      error instanceof SurfaceError ? (error.status ?? errorCodesOf(service)[error.code]?.status) : undefined
    if (!(error instanceof SurfaceError) || status === undefined) throw error
    return {
      ...unasked(one.name, one.target.text),
      status,
      error: { message: error.message, ...(error.details === undefined ? {} : { details: error.details }) }
    }
  }
}

/** Looks up a value in the path and query; a name with dots is looked up in the answers. */
const lookIn =
  ({ params, query }: PlanInput, heard: readonly Heard[]): Values =>
  name => {
    if (!name.includes('.')) return params[name] ?? query[name]
    const found = name
      .split('.')
      .reduce<JsonValue | undefined>(
        (at, key) => (isObject(at) ? at[key] : undefined),
        Object.fromEntries(heard.map(one => [one.name, one.data]))
      )
    return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? found : undefined
  }

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** The error of a page whose shown surface failed: it has that surface's status, code and message. */
class ShownError extends SurfaceError {
  constructor({ data, error = {}, retryAfter }: Heard) {
    const { details } = error
    super({ code: textOf(error['code']) }, textOf(error['message']), {
      data,
      ...(isObject(details) ? { details } : {}),
      ...(retryAfter === '' ? {} : { headers: { 'Retry-After': retryAfter } })
    })
  }
}

const besideOf = ({ status, path, mediaType, text, data, error, passed }: Heard): Beside<JsonValue> => ({
  status,
  path,
  mediaType,
  text,
  data: status === 200 ? data : undefined,
  reason: textOf(error?.['message']),
  passed
})

const sentOf = ({ status, path, mediaType, text, data, error, passed }: Heard): Sent<JsonValue> => {
  const details = error?.['details']
  return {
    status,
    path,
    mediaType,
    text,
    data: status < 300 ? data : undefined,
    reason: textOf(error?.['message']),
    details: isObject(details) ? details : {},
    passed
  }
}

/**
 * Returns the form without its token. Throws 403 if the caller has a session and the token does not belong to it. The
 * origin was checked earlier.
 */
function formOf(body: JsonValue = {}, { session }: Caller): JsonValue {
  if (!isObject(body)) return body
  const { token, ...form } = body
  if (session === undefined || (typeof token === 'string' && isSame(token, session.formToken))) return form
  throw new SurfaceError(
    'FORBIDDEN',
    'This form is not of your session. Please open its page again, and send it from there.',
    { details: { field: 'token' } }
  )
}

/** Returns a version for the page that combines the versions of all surfaces it shows; undefined if one has none. */
function joinVersions(
  targets: readonly Target[],
  versions: (target: Target) => Version | undefined
): Version | undefined {
  const all = targets.map(versions)
  const known = all.filter(version => version !== undefined)
  return known.length < all.length
    ? undefined
    : async now => (await Promise.all(known.map(version => version(now)))).join(' ')
}

type GivenToPages = Given<'views' | 'ask' | 'versions' | 'site' | 'service'>

/** Asks what is shown, and gathers what every view is given. */
const compileLook =
  ({ answer: { shows, besides } }: Surface<PageAnswer>, { service }: GivenToPages) =>
  async (input: PlanInput, request: PlanRequest, ask: Ask) => {
    const heard = await Promise.all(shows.map(one => hear(one, lookIn(input, []), ask)))
    const failed = heard.find(({ status }) => status !== 200)
    if (failed !== undefined) throw new ShownError(failed)
    const beside = await Promise.all(besides.map(one => hearSafely(one, lookIn(input, heard), { ask, service })))
    return {
      heard,
      given: {
        shown: Object.fromEntries(heard.map(({ name, data }) => [name, data])),
        beside: Object.fromEntries(beside.map(one => [one.name, besideOf(one)])),
        params: input.params,
        query: input.query,
        path: request.path,
        service,
        formToken: request.caller.session?.formToken ?? ''
      }
    }
  }

/** Writes what a view gave; `sent` is what a form was answered, `data` the paths of what a page shows. */
const compileWrite =
  (surface: Surface, { site }: GivenToPages) =>
  (content: PageContent, path: string, { sent, data = [] }: Readonly<{ sent?: Heard; data?: readonly string[] }>) => {
    const { status = 200, cookies = [], retryAfter = '' } = sent ?? {}
    if ('seeOther' in content)
      return {
        status: 303,
        data: null,
        headers: { Location: content.seeOther },
        cookies,
        renderings: { html: () => '' }
      }
    const { title, description = surface.summary, main, scripts } = content
    const text = writePage(site, {
      title,
      description,
      path,
      main: renderToString(main),
      data,
      ...(scripts === undefined ? {} : { scripts })
    })
    return {
      status,
      data: null,
      headers: retryAfter === '' ? {} : { 'Retry-After': retryAfter },
      cookies,
      renderings: { html: () => text }
    }
  }

/**
 * Asks what a page shows, or sends what a form says, gives the answers to the view, and writes what that gives. Without
 * a surface to show, a page follows from the registry alone.
 */
export function compilePage(surface: Surface<PageAnswer>, given: GivenToPages): ContentSource<PlanRequest> {
  const { code, shows, besides, form } = surface.answer
  const page = known(given.views.get(code), `the view ${code}`)
  const [look, write] = [compileLook(surface, given), compileWrite(surface, given)]
  if (form === undefined)
    return {
      when: 'live',
      version: joinVersions(
        [...shows, ...besides].map(({ target }) => target),
        given.versions
      ),
      async answer(input, request) {
        const { heard, given: shown } = await look(input, request, given.ask(request))
        return write(page.view(shown), request.path, { data: heard.map(({ path }) => path) })
      }
    }
  const { toBody, view } = known(page.forms[form.name], `the form ${form.name} of ${code}`)
  // What a form does is done each time.
  return {
    when: 'live',
    async answer(input, request) {
      const ask = given.ask(request)
      const { heard, given: shown } = await look(input, request, ask)
      const fields = formOf(input.body, request.caller)
      const sent = await hearSafely(form.sends, lookIn(input, heard), { ask, service: given.service }, () =>
        toBody(fields, input.files ?? {})
      )
      const back = expandTarget(form.back, lookIn(input, [])) ?? request.path
      return write(view({ ...shown, form: fields, sent: sentOf(sent), back }), request.path, { sent })
    }
  }
}
