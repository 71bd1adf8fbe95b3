import { isObject } from '../canonical/json.ts'
import { urlOf } from '../canonical/url.ts'
import {
  bodyOf,
  dateOf,
  escapeXml,
  linkTarget,
  queryIn,
  roleOf,
  textOf,
  titleOf,
  type FormatModule,
  type View
} from './format.ts'

const dateForm = /^(\d{4})(-\d{2})?(-\d{2})?(T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Returns a year, month, date or timestamp as a full date-time of RFC 3339 (RFC 4287 §3.3); `otherwise` for any other
 * text.
 */
function instant(text: string, otherwise: string): string {
  const [, year, month, day, time] = dateForm.exec(text) ?? []
  if (year === undefined || (time !== undefined && day === undefined)) return otherwise
  const full = `${year}${month ?? '-01'}${day ?? '-01'}${time ?? 'T00:00:00Z'}`
  return Number.isNaN(Date.parse(full)) ? otherwise : full
}

/** Returns the absolute URL of an entry: its `link` if that is an http(s) URL or a path, or else `otherwise`. */
function addressOf(link: string, { origin, site }: View, otherwise: string): string {
  const target = linkTarget(link)
  const address = target?.startsWith('/') === true ? origin + (site.under?.place(target) ?? target) : target
  return (address === undefined ? undefined : urlOf(address)?.href) ?? otherwise
}

const xmlHead = '<?xml version="1.0" encoding="utf-8"?>\n'

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`

const link = (attributes: string, href: string): string => `<link ${attributes} href="${escapeXml(href)}"/>`

/**
 * Writes an Atom feed (RFC 4287). Ids are permanent: the URL of the feed; for an entry, with its key as fragment. An
 * entry without a date has that of the surface.
 */
/** Parameters that show the same entries otherwise, or some of them: they do not make another feed. */
const sameFeed = ['cursor', 'fields', 'lang', 'limit', 'offset']

/** Returns the part of a query that selects entries, with its `?`. */
function selectedBy(asked = ''): string {
  const query = new URLSearchParams(asked)
  for (const name of sameFeed) query.delete(name)
  return query.size === 0 ? '' : `?${query.toString()}`
}

function renderAtom(view: View): string {
  const { list, url, asked, language, service, title, summary, contact, since } = view
  const { entries, key, roles, readAt } = list ?? { entries: [], key: 'id', roles: {}, readAt: () => url }
  const first = `${since}T00:00:00Z`
  const updated =
    entries
      .map(entry => instant(dateOf(entry, roles), first))
      .sort((a, b) => Date.parse(a) - Date.parse(b))
      .at(-1) ?? first
  const items = entries.map(
    entry =>
      `<entry>${element('id', `${url}#${encodeURIComponent(roleOf(entry, key, []).toWellFormed())}`)}` +
      element('title', titleOf(entry, roles, key)) +
      `<updated>${instant(dateOf(entry, roles), first)}</updated>` +
      link('rel="alternate"', addressOf(roleOf(entry, roles.link, []), view, readAt(entry))) +
      `<content type="text">${escapeXml(bodyOf(entry, roles))}</content></entry>`
  )
  return (
    `${xmlHead}<feed xmlns="http://www.w3.org/2005/Atom"${language === undefined ? '' : ` xml:lang="${language}"`}>` +
    element('id', url + selectedBy(asked)) +
    element('title', `${service}: ${title}`) +
    element('subtitle', summary) +
    `<updated>${updated}</updated><author>${element('name', service)}${element('email', contact)}</author>` +
    link('rel="self" type="application/atom+xml"', url + queryIn('atom', asked)) +
    link('rel="alternate" type="application/json"', url + (asked ?? '')) +
    `${items.join('')}</feed>\n`
  )
}

export const atom: FormatModule = {
  mediaType: 'application/atom+xml; charset=utf-8',
  accepts: ['application/atom+xml'],
  of: ['list'],
  render: renderAtom
}

/** Maximum number of URLs in one sitemap (sitemaps.org); further ones are left out. */
const maxUrls = 50_000

/**
 * Writes a sitemap of the paths in `data.urls`, or an index of the sitemaps whose paths are in `data.sitemaps`
 * (https://www.sitemaps.org/protocol.html).
 */
function renderSitemap({ data, origin }: View): string {
  const pathsIn = (name: string): readonly string[] | undefined => {
    const paths = isObject(data) ? data[name] : undefined
    return Array.isArray(paths) ? paths.filter(one => typeof one === 'string').slice(0, maxUrls) : undefined
  }
  const write = (root: string, item: string, paths: readonly string[]): string =>
    `${xmlHead}<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${paths
      .map(path => `<${item}>${element('loc', origin + path)}</${item}>\n`)
      .join('')}</${root}>\n`
  const [index, urls] = [pathsIn('sitemaps'), pathsIn('urls')]
  if (index === undefined && urls === undefined)
    throw new TypeError('A sitemap is made of the paths in `urls` or in `sitemaps`, and the answer has neither.')
  return index === undefined ? write('urlset', 'url', urls ?? []) : write('sitemapindex', 'sitemap', index)
}

export const sitemap: FormatModule = {
  mediaType: 'application/xml; charset=utf-8',
  accepts: ['application/xml', 'text/xml'],
  of: ['urls'],
  render: renderSitemap
}

const wrap = (text: string, width: number, most: number): string[] => {
  const out: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length + 1 > width) {
      out.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') out.push(line)
  return out.length <= most ? out : [...out.slice(0, most - 1), `${(out[most - 1] ?? '').slice(0, width - 1)}…`]
}

/**
 * Returns the SVG that the data contains (`data.svg`), or an SVG of the title and the beginning of the first text of
 * more than 20 characters, or else of the summary.
 */
function renderSvg({ data, title, summary, service }: View): string {
  if (isObject(data) && typeof data.svg === 'string') return data.svg
  const words = isObject(data)
    ? Object.values(data).find(value => typeof value === 'string' && value.length > 20)
    : data
  const text = wrap(textOf(words ?? summary), 62, 9).map(
    (line, index) => `<text x="40" y="${128 + index * 22}" font-size="16">${escapeXml(line)}</text>`
  )
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="340" viewBox="0 0 600 340" role="img" font-family="Georgia, serif" fill="#1d2a33">' +
    `${element('title', title)}<rect width="600" height="340" rx="14" fill="#faf6ec"/><rect x="14" y="14" width="572" height="312" rx="8" fill="none" stroke="#b9a774"/>` +
    `<text x="40" y="82" font-size="26">${escapeXml(title.slice(0, 44))}</text>${text.join('')}` +
    `<text x="560" y="306" font-size="12" text-anchor="end" fill="#6b6250">${escapeXml(service)}</text></svg>\n`
  )
}

export const svg: FormatModule = {
  mediaType: 'image/svg+xml; charset=utf-8',
  accepts: ['image/svg+xml'],
  of: ['object'],
  policy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  render: renderSvg
}
