import { escapeXml } from '../../format/format.ts'
import type { KindDependencies } from '../../plan/kind.ts'
import type { PlanRequest } from '../../plan/request.ts'
import type { Language } from '../../vocabulary/language.ts'

/** Adds to a path which form led there. */
export function withDone(target: string, name: string): string {
  const [path = '', ...fragment] = target.split('#')
  return [`${path}${path.includes('?') ? '&' : '?'}done=${name}`, ...fragment].join('#')
}

/** Returns what was done by the form that led to a page: one of its own, or `<page>.<form>`. */
export function doneText(views: KindDependencies<'views'>['views'], code: string, name: unknown): string | undefined {
  const [, page = code, form = ''] = /^(?:(.+)\.)?(\w+)$/.exec(typeof name === 'string' ? name : '') ?? []
  const forms = views.get(page)?.forms ?? {}
  return Object.hasOwn(forms, form) ? forms[form]?.done : undefined
}

/**
 * Whether a page of the service led here, as its forms do: a link of another site must not make a page say that
 * something was done. Older browsers do not tell.
 */
export const isLedHere = ({ headers }: PlanRequest): boolean =>
  (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin'

/** Of a page that says what was done: nobody else may be given it. */
export const saidOnce = { 'Cache-Control': 'no-store', Vary: 'Sec-Fetch-Site' }

export const withStatus = (html: string, text: string | undefined, { textOf: inWords }: Language): string =>
  text === undefined ? html : `<p class="done" role="status">${escapeXml(inWords(text))}</p>${html}`
