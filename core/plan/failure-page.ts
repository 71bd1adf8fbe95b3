import { isObject, type JsonValue } from '../canonical/json.ts'
import { escapeXml } from '../format/escape.ts'
import { formatModules } from '../format/index.ts'
import type { Site } from '../format/format.ts'
import { writePage } from '../format/page.ts'
import { negotiateFormat } from './negotiate.ts'
import type { PlanRequest } from './request.ts'
import type { Result } from './result.ts'

const accepts = new Map(['json', 'html'].map(name => [name, formatModules[name as 'json' | 'html'].accepts]))

/** Tells whether a path is for programs, which always get JSON. */
const isProgramPath = (path: string): boolean => path.startsWith('/api/')

/** Tells whether a request that no surface matches gets an HTML page: browsers prefer HTML in `Accept`. */
export const wantsPage = ({ path, headers: { accept } }: PlanRequest): boolean =>
  !isProgramPath(path) && typeof accept === 'string' && negotiateFormat(accept, ['json', 'html'], accepts) === 'html'

/** The page title for each status. */
const titles: Readonly<Record<number, string>> = {
  400: 'That request has a mistake',
  401: 'Please sign in first',
  403: 'This is not for everyone',
  404: 'Nothing is here',
  405: 'That is not possible here',
  410: 'This is gone',
  413: 'That is too much at once',
  415: 'That cannot be read here',
  429: 'Please wait a moment',
  500: 'Something went wrong here',
  503: 'This is not available now'
}

const link = (path: string): string => `<li><a href="${escapeXml(path)}">${escapeXml(path)}</a></li>`

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value)
    ? value.flatMap(one => (typeof one === 'string' || typeof one === 'number' ? [String(one)] : []))
    : []

/** Returns the paths that can be opened: those without a placeholder. */
const pathsOf = (value: JsonValue | undefined): string[] =>
  textsOf(value).filter(path => path.startsWith('/') && !path.includes('{'))

/** Lists the allowed or known values that the details of the error name. */
function allowed({ error }: Result): string {
  const details = error?.details ?? {}
  const list = Object.keys(details).find(name => name === 'allowed' || name.startsWith('known_'))
  const texts = (list === undefined ? [] : textsOf(details[list])).slice(0, 60)
  return texts.length === 0
    ? ''
    : `<p>It may be one of these:</p><ul>${texts.map(text => `<li>${escapeXml(text)}</li>`).join('')}</ul>`
}

function suggested({ data }: Result): string {
  const suggestions = isObject(data) ? data['suggestions'] : undefined
  const paths = isObject(suggestions) ? pathsOf(suggestions['did_you_mean']) : []
  return paths.length === 0 ? '' : `<p>Did you mean one of these?</p><ul>${paths.map(link).join('')}</ul>`
}

/** Writes the HTML page of a failure: what happened, and what to do next. */
export function failurePage(site: Site, result: Result, { path, requestId }: PlanRequest): string {
  const main = [
    `<p>${escapeXml(result.error?.message ?? '')}</p>`,
    allowed(result),
    suggested(result),
    `<p>You can go to <a href="${escapeXml(site.home)}">${escapeXml(site.name)}</a>${site.menu.map(entry => `, <a href="${escapeXml(entry.path)}">${escapeXml(entry.label)}</a>`).join('')}.</p>`,
    `<p><small>Status ${result.status}. Request ${escapeXml(requestId)}.</small></p>`
  ].join('')
  return writePage(site, { title: titles[result.status] ?? `Status ${result.status}`, path, main })
}
