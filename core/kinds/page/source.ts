import { renderToString } from 'preact-render-to-string'
import { isSame, type Caller } from '../../access/access.ts'
import { isObject, type JsonObject, type JsonValue } from '../../canonical/json.ts'
import { memoize } from '../../canonical/work.ts'
import type { Site } from '../../format/format.ts'
import { writePage } from '../../format/html.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { Ask } from '../../handler/handler.ts'
import type { Beside, PageContent, Sent } from '../../handler/page.ts'
import { ensureDefined } from '../../manifest/kind.ts'
import { errorCodesOf } from '../../manifest/service-defaults.ts'
import type { Service } from '../../manifest/service.ts'
import { expandTarget, movedTarget, type Target } from '../../manifest/paths.ts'
import type { Surface } from '../../manifest/surface.ts'
import { speaking } from '../../page/components.tsx'
import type { AskFrom, ContentSource, KindDependencies, PlanInput, Result, Version } from '../../plan/kind.ts'
import type { PlanRequest } from '../../plan/request.ts'
import type { Language } from '../../vocabulary/language.ts'
import { requireContent, unshown } from './content.ts'
import type { PageAnswer, PageRequest } from './manifest.ts'

/** The answer of a surface; `data` is what its contract wraps, or the whole JSON body. */
type SurfaceAnswer = Omit<Beside, 'data' | 'reason' | 'details'> &
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

async function askSurface(
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
async function askSafely(
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
const lookIn =
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

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

/** The failure of a page: its status, code and message are those of the surface that failed. */
class ShownError extends SurfaceError {
  constructor({ data, error = {}, retryAfter }: SurfaceAnswer) {
    const { details } = error
    super({ code: textOf(error['code']) }, textOf(error['message']), {
      data,
      ...(isObject(details) ? { details } : {}),
      ...(retryAfter === '' ? {} : { headers: { 'Retry-After': retryAfter } })
    })
  }
}

function readable(answer: SurfaceAnswer, isGiven: boolean): Sent<JsonValue> {
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

/** Returns the requests of a page as they are made by a service under a path. */
function movedAnswer(answer: PageAnswer, { under }: Site): PageAnswer {
  if (under === undefined) return answer
  const move = ({ name, target }: PageRequest): PageRequest => ({ name, target: movedTarget(under.base, target) })
  const { shows, besides, form } = answer
  return {
    ...answer,
    shows: shows.map(move),
    besides: besides.map(move),
    form: form && { ...form, sends: move(form.sends), back: movedTarget(under.base, form.back) }
  }
}

/** Returns a version for the page that combines those of all surfaces it asks; undefined if one of them has none. */
function joinVersions(
  requests: readonly PageRequest[],
  versions: (target: Target) => Version | undefined
): Version | undefined {
  const known = requests.flatMap(({ target }) => versions(target) ?? [])
  return known.length < requests.length
    ? undefined
    : async now => (await Promise.all(known.map(version => version(now)))).join(' ')
}

type PageDependencies = KindDependencies<'views' | 'ask' | 'versions' | 'site' | 'service'>

/** Returns a function that returns texts in a language, which it does once for each. */
function compileTexts({ texts = {} }: Surface): (language: Language) => Readonly<Record<string, string>> {
  return memoize(({ textOf: inWords }) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, inWords(text)]))
  )
}

/** Returns a function that asks other surfaces in the language of a page. */
const askIn = (ask: AskFrom, request: PlanRequest, language: string | undefined): Ask =>
  ask(language === undefined ? request : { ...request, language })

const compileLook = (surface: Surface<PageAnswer>, { service, site: siteIn }: PageDependencies) => {
  const { shows, besides } = surface.answer
  const textsIn = compileTexts(surface)
  return async (input: PlanInput, request: PlanRequest, ask: Ask) => {
    const answers = await Promise.all(shows.map(one => askSurface(one, lookIn(input, []), ask)))
    const failed = answers.find(({ status }) => status !== 200)
    if (failed !== undefined) {
      const { name, path, status, error } = failed
      throw error === undefined ? unshown(surface, name, path, status) : new ShownError(failed)
    }
    const beside = await Promise.all(besides.map(one => askSafely(one, lookIn(input, answers), ask, service)))
    const { site, service: spoken } = siteIn(input.language)
    return {
      answers,
      beside,
      site,
      given: {
        shown: Object.fromEntries(answers.map(({ name, data }) => [name, data])),
        beside: Object.fromEntries(beside.map(one => [one.name, readable(one, one.status === 200)])),
        params: input.params,
        query: input.query,
        path: request.path,
        service: spoken,
        texts: textsIn(site.language),
        language: site.language.tag,
        formToken: request.caller.session?.formToken ?? ''
      }
    }
  }
}

/**
 * Writes the page that a view returned, or a redirect. `sent`: the answer of the surface to a form; `beside`: those of
 * the surfaces under `besides`; `data`: the paths of the surfaces that the page shows.
 */
function write(
  surface: Surface<PageAnswer>,
  site: Site,
  returned: PageContent,
  path: string,
  {
    sent,
    beside = [],
    data = []
  }: Readonly<{ sent?: SurfaceAnswer; beside?: readonly SurfaceAnswer[]; data?: readonly string[] }>
): Result {
  const content = requireContent(surface, returned)
  const { cookies = [] } = sent ?? {}
  if ('seeOther' in content)
    return { status: 303, data: null, headers: { Location: content.seeOther }, cookies, renderings: { html: () => '' } }
  const { language } = site
  const { title, description = language.textOf(surface.summary), main, scripts = [], refusedBy } = content
  const { status = 200, retryAfter = '' } = sent ?? beside.find(({ name }) => name === refusedBy) ?? {}
  const html = renderToString(speaking(language, main))
  const { deprecation } = surface
  const text = writePage(site, { title, description, path, deprecation, main: html, data, scripts })
  return {
    status,
    data: null,
    shows: data[0],
    headers: retryAfter === '' ? {} : { 'Retry-After': retryAfter },
    cookies,
    renderings: { html: () => text }
  }
}

/**
 * Compiles the answers of a page or of one of its forms. A page that asks no surface has one version until the next
 * reload.
 */
export function compilePage(declared: Surface<PageAnswer>, given: PageDependencies): ContentSource<PlanRequest> {
  const surface = { ...declared, answer: movedAnswer(declared.answer, given.site(undefined).site) }
  const { code, shows, besides, form } = surface.answer
  const page = ensureDefined(given.views.get(code), `the view ${code}`)
  const look = compileLook(surface, given)
  if (form === undefined)
    return {
      when: 'live',
      version: joinVersions([...shows, ...besides], given.versions),
      async answer(input, request) {
        const asked = await look(input, request, askIn(given.ask, request, input.language))
        const { answers, beside, site, given: shown } = asked
        return write(surface, site, page.view(shown), request.path, { beside, data: answers.map(({ path }) => path) })
      }
    }
  const { toBody, view } = ensureDefined(page.forms[form.name], `the form ${form.name} of ${code}`)
  // A form has no version: its answer is never cached.
  return {
    when: 'live',
    async answer(input, request) {
      const ask = askIn(given.ask, request, input.language)
      const { answers, site, given: shown } = await look(input, request, ask)
      const fields = formOf(input.body, request.caller)
      const answer = await askSafely(form.sends, lookIn(input, answers), ask, given.service, () =>
        toBody(fields, input.files ?? {})
      )
      const back = expandTarget(form.back, lookIn(input, [])) ?? request.path
      const sent = readable(answer, answer.status < 300)
      return write(surface, site, view({ ...shown, form: fields, sent, back }), request.path, { sent: answer })
    }
  }
}
