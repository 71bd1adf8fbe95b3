import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { isSame, type Caller } from '../../access/access.ts'
import { isOpen } from '../../access/index.ts'
import { isObject, type JsonValue } from '../../canonical/json.ts'
import { memoize } from '../../canonical/work.ts'
import type { Site } from '../../format/format.ts'
import { writeRefusal, type Mistake } from '../../format/filled-form.ts'
import { writePage } from '../../format/html.ts'
import { SurfaceError } from '../../handler/errors.ts'
import type { Ask } from '../../handler/handler.ts'
import type { PageContent } from '../../handler/page.ts'
import { ensureDefined } from '../../manifest/kind.ts'
import { expandTarget, movedTarget, withoutBase, type Target } from '../../manifest/paths.ts'
import type { Surface } from '../../manifest/surface.ts'
import { speaking } from '../../page/components.tsx'
import type { AskFrom, ContentSource, KindDependencies, PlanInput, Result, Version } from '../../plan/kind.ts'
import { assertNoIssues } from '../../plan/read.ts'
import type { PlanRequest } from '../../plan/request.ts'
import { propertiesOf } from '../../schema/json-schema.ts'
import type { Language } from '../../vocabulary/language.ts'
import { askSafely, askSurface, lookIn, readable, ShownError, textOf, type SurfaceAnswer } from './ask.ts'
import { requireContent, unshown } from './content.ts'
import { doneText, isLedHere, saidOnce, withDone, withStatus } from './done.ts'
import type { PageAnswer, PageReads, PageRequest } from './manifest.ts'
import { confirmContent, stepFields, stepOf, typedIn } from './steps.tsx'

/** Returns a form without fields of these names, which the framework added. */
function without(names: readonly string[], body: JsonValue = {}): JsonValue {
  if (!isObject(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

/**
 * Throws 400 for fields that do not fit, and 403 if the caller has a session and the token does not belong to it. The
 * origin was checked earlier.
 */
function checkForm({ body, issues = [] }: PlanInput, { session }: Caller): void {
  const token = isObject(body) ? body['token'] : undefined
  if (session !== undefined && !(typeof token === 'string' && isSame(token, session.formToken)))
    throw new SurfaceError(
      'FORBIDDEN',
      'This form is not of your session. What was typed is still here: please send it again.',
      { details: { field: 'token' } }
    )
  assertNoIssues(issues, 'body')
}

function isFit(input: PlanInput, caller: Caller): boolean {
  try {
    checkForm(input, caller)
    return true
  } catch {
    return false
  }
}

/** Returns the requests of a page as they are made by a service under a path. */
function movedAnswer(answer: PageAnswer, { under }: Site): PageAnswer {
  if (under === undefined) return answer
  const move = ({ name, target }: PageRequest): PageRequest => ({ name, target: movedTarget(under.base, target) })
  const moveAll = ({ shows, besides }: PageReads): PageReads => ({ shows: shows.map(move), besides: besides.map(move) })
  const { form } = answer
  return {
    ...answer,
    ...moveAll(answer),
    form: form && {
      ...form,
      sends: move(form.sends),
      back: movedTarget(under.base, form.back),
      page: moveAll(form.page)
    }
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
function compileTexts(texts: Surface['texts'] = {}): (language: Language) => Readonly<Record<string, string>> {
  return memoize(({ textOf: inWords }) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, inWords(text)]))
  )
}

/** Returns a function that asks other surfaces in the language of a page. */
const askIn = (ask: AskFrom, request: PlanRequest, language: string | undefined): Ask =>
  ask(language === undefined ? request : { ...request, language })

const compileLook = (
  surface: Surface<PageAnswer>,
  { service, site: siteIn }: PageDependencies,
  { shows, besides, texts }: PageReads & Readonly<{ texts: Surface['texts'] }> = {
    ...surface.answer,
    texts: surface.texts
  }
) => {
  const textsIn = compileTexts(texts)
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

type Written = Readonly<{
  /** The answer of the surface to a form. */
  sent?: SurfaceAnswer
  /** Those of the surfaces under `besides`. */
  beside?: readonly SurfaceAnswer[]
  /** The paths of the surfaces that the page shows. */
  data?: readonly string[]
  headers?: NonNullable<Result['headers']>
  /** Completes the HTML of the content. */
  finish?: (html: string) => string
}>

/** Writes the page that a view returned, or a redirect. */
function write(
  surface: Surface<PageAnswer>,
  site: Site,
  content: PageContent,
  path: string,
  { sent, beside = [], data = [], headers, finish = html => html }: Written = {}
): Result {
  const { cookies = [] } = sent ?? {}
  if ('seeOther' in content)
    return { status: 303, data: null, headers: { Location: content.seeOther }, cookies, renderings: { html: () => '' } }
  const { language } = site
  const {
    title,
    description = language.textOf(surface.summary),
    main,
    scripts = [],
    refusedBy,
    crumbs,
    sharing
  } = content
  const { status = 200, retryAfter = '' } = sent ?? beside.find(({ name }) => name === refusedBy) ?? {}
  const html = finish(renderToString(speaking(language, main)))
  const { deprecation } = surface
  const isShared = status === 200 && surface.answer.form === undefined && isOpen(surface.access)
  const text = writePage(site, {
    title,
    description,
    path,
    deprecation,
    main: html,
    data,
    scripts,
    crumbs,
    sharing: isShared ? { ...sharing } : undefined
  })
  return {
    status,
    data: null,
    shows: data[0],
    headers: retryAfter === '' ? { ...headers } : { ...headers, 'Retry-After': retryAfter },
    cookies,
    renderings: { html: () => text }
  }
}

/** Shown as the reason if the form was not sent, because a value of its path is missing. */
const nowhere = 'There is nothing here that takes this form.'

/** Returns what is wrong with a form, for each field once. `field` is empty if it concerns no field. */
function mistakesOf({ error = {} }: SurfaceAnswer): readonly Mistake[] {
  const { message, details } = error
  const { field, issues } = isObject(details) ? details : {}
  const of = (one: JsonValue, text: JsonValue | undefined): Mistake => ({
    field: textOf(isObject(one) ? one['field'] : one),
    message: textOf(text)
  })
  const list: readonly JsonValue[] = Array.isArray(issues) ? issues : []
  const all = list.map(issue => of(issue, isObject(issue) ? issue['message'] : ''))
  const mistakes = all.length > 0 ? all : [of(field ?? '', textOf(message) === '' ? nowhere : message)]
  return [...new Map(mistakes.toReversed().map(one => [one.field, one])).values()].toReversed()
}

/** Returns the redirect from another spelling of the path of a page to its own; `undefined` if there is none. */
function movedBy(content: PageContent, { path, search }: PlanRequest): Result | undefined {
  const own = 'seeOther' in content ? undefined : content.sharing?.canonical
  if (own === undefined || own === path) return undefined
  const headers = { Location: search === '' ? own : `${own}?${search}` }
  return { status: 308, data: null, headers, renderings: { html: () => '' } }
}

/**
 * Compiles the answers of a page or of one of its forms. A page that asks no surface has one version until the next
 * reload.
 */
export function compilePage(declared: Surface<PageAnswer>, given: PageDependencies): ContentSource<PlanRequest> {
  const surface = { ...declared, answer: movedAnswer(declared.answer, given.site(undefined).site) }
  const { code, shows, besides, form, hasOneSpelling } = surface.answer
  const page = ensureDefined(given.views.get(code), `the view ${code}`)
  const look = compileLook(surface, given)
  if (form === undefined)
    return {
      when: 'live',
      version: joinVersions([...shows, ...besides], given.versions),
      async answer(input, request) {
        const asked = await look(input, request, askIn(given.ask, request, input.language))
        const { answers, beside, site, given: shown } = asked
        const content = requireContent(surface, page.view(shown))
        const moved = hasOneSpelling ? movedBy(content, request) : undefined
        const done = doneText(given.views, code, input.query['done'])
        return (
          moved ??
          write(surface, site, content, request.path, {
            beside,
            data: answers.map(({ path }) => path),
            headers: done !== undefined && isOpen(surface.access) ? saidOnce : {},
            finish: html => withStatus(html, isLedHere(request) ? done : undefined, site.language)
          })
        )
      }
    }
  const { schema = {} } = surface.input.body ?? {}
  const { toBody, view, done } = ensureDefined(page.forms[form.name], `the form ${form.name} of ${code}`)
  /** Lets the page that a redirect leads to say what was done. */
  const led = (content: PageContent, back: string): PageContent =>
    done === undefined || !('seeOther' in content)
      ? content
      : { seeOther: withDone(content.seeOther, content.seeOther === back ? form.name : `${code}.${form.name}`) }
  const lookAtPage = compileLook(surface, given, { ...form.page, texts: page.texts })

  /** Returns the content of the page of the form, or undefined if the page cannot be shown now. */
  const pageAgain = async (input: PlanInput, request: PlanRequest, ask: Ask, back: string) => {
    try {
      const { given: shown } = await lookAtPage(input, request, ask)
      const content = requireContent(surface, page.view({ ...shown, path: back, query: {} }))
      return 'seeOther' in content ? undefined : content
    } catch (error) {
      if (error instanceof SurfaceError) return undefined
      throw error
    }
  }

  // A form has no version: its answer is never cached.
  return {
    when: 'live',
    async answer(input, request) {
      const ask = askIn(given.ask, request, input.language)
      const { answers, site, given: shown } = await look(input, request, ask)
      const { language } = site
      const fields = without(['token', ...(form.confirm.length === 0 ? [] : Object.keys(stepFields))], input.body)
      const typed = typedIn(without(['token', 'confirmed'], input.body))
      const back = expandTarget(form.back, lookIn(input, [])) ?? request.path
      const step = stepOf(form.confirm, typed)
      const confirming =
        step &&
        confirmContent({
          step,
          typed,
          params: input.params,
          path: request.path,
          back,
          token: shown.formToken,
          language
        })
      const isConfirmed = isObject(input.body) && input.body['confirmed'] === 'yes'
      if (confirming !== undefined && !isConfirmed && isFit(input, request.caller))
        return write(surface, site, confirming, request.path)
      const answer = await askSafely(form.sends, lookIn(input, answers), ask, given.service, () => {
        checkForm(input, request.caller)
        return toBody(fields, input.files ?? {})
      })
      const sent = readable(answer, answer.status < 300)
      // The view relies on the fields that are required, and on their types.
      const isRead = input.issues?.every(({ rule }) => rule !== 'missing' && rule !== 'type') === true
      const viewed = isRead ? view({ ...shown, form: fields, sent, back }) : undefined
      const own = viewed === undefined ? undefined : requireContent(surface, viewed)
      if (sent.data !== undefined)
        return write(surface, site, led(own as PageContent, back), request.path, { sent: answer })
      const mistakes = mistakesOf(answer)
      // The step is shown again, unless a field is wrong that only the page has.
      const [ofStep, names] = [step?.reason === true ? 'reason' : '', Object.keys(propertiesOf(schema))]
      const isOfPage = mistakes.some(({ field }) => {
        const [name = ''] = field.split('.')
        return name !== ofStep && name !== 'token' && names.includes(name)
      })
      const again = isConfirmed && !isOfPage ? confirming : undefined
      const found = own ?? again ?? (await pageAgain(input, request, ask, back))
      if (found !== undefined && 'seeOther' in found) return write(surface, site, found, back, { sent: answer })
      const title = shown.texts['title'] ?? found?.title ?? language.textOf(surface.title)
      const content = { main: h('p', null), ...found, title: own === undefined ? title : (found?.title ?? title) }
      return write(surface, site, content, request.path, {
        sent: answer,
        finish: html =>
          writeRefusal(html, {
            actions: [request.path, withoutBase(site.under?.base ?? '', request.path)],
            here: own === undefined ? back : request.path,
            typed: new Map([...typed].filter(([name]) => propertiesOf(schema)[name]?.['writeOnly'] !== true)),
            mistakes,
            back,
            language
          })
      })
    }
  }
}
