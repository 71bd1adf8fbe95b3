import type { JsonObject, JsonValue } from '../canonical/json.ts'
import { escapeXml, queryIn, type Site } from './format.ts'

/** A step of the way to a page: what it is called, and its path. */
export type Crumb = Readonly<{ label: string; path: string }>

/** What a page says to those who link to it, keep it in an index or read it by program. Paths are of the service. */
export type Sharing = Readonly<{
  /** The path under which the page is known, if it answers under several. Default: its own. */
  canonical?: string | undefined
  /** Whether search engines may keep it. Default: true; `false` is for a page that only narrows or sorts another. */
  isIndexed?: boolean | undefined
  /** What the page is about, as a node of schema.org without `@context` and `url`. */
  about?: JsonObject | undefined
  /** A picture of it for previews, and what it shows. */
  picture?: Readonly<{ path: string; text: string }> | undefined
}>

type Head = Readonly<{ title: string; description: string; path: string; crumbs?: readonly Crumb[] }>

const attribute = (name: string, value: string): string => ` ${name}="${escapeXml(value)}"`

/** Writes JSON for a `script` element: without `<`, nothing in it can end the element (HTML §4.12.1.3). */
const dataBlock = (value: JsonValue): string =>
  `<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

/** The pages above a page and the page itself, as schema.org says it. */
const breadcrumbs = (crumbs: readonly Crumb[], title: string, urlOf: (path: string) => string): JsonObject => ({
  '@type': 'BreadcrumbList',
  itemListElement: [
    ...crumbs.map(({ label, path }, at) => ({ '@type': 'ListItem', position: at + 1, name: label, item: urlOf(path) })),
    { '@type': 'ListItem', position: crumbs.length + 1, name: title }
  ]
})

/**
 * Writes what a public page says in its head beyond its title: its canonical URL (RFC 6596), the properties of Open
 * Graph and Twitter, data of schema.org as JSON-LD, and the feeds of the service.
 */
export function writeSharing(
  site: Site,
  { title, description, path, crumbs = [] }: Head,
  { canonical, isIndexed = true, about, picture }: Sharing
): string {
  const urlOf = (target: string): string => site.origin + (site.under?.place(target) ?? target)
  const url = canonical === undefined ? site.origin + path : urlOf(canonical)
  const properties: readonly (readonly [string, string | undefined])[] = [
    ['og:type', 'website'],
    ['og:site_name', site.name],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ['og:image', picture && urlOf(picture.path)],
    ['og:image:alt', picture?.text]
  ]
  const graph = [
    ...(crumbs.length === 0 ? [] : [breadcrumbs(crumbs, title, urlOf)]),
    ...(about === undefined ? [] : [{ ...about, url }])
  ]
  return [
    `<link rel="canonical"${attribute('href', url)}>`,
    isIndexed ? '' : '<meta name="robots" content="noindex">',
    ...properties.flatMap(([property, content]) =>
      content === undefined ? [] : `<meta${attribute('property', property)}${attribute('content', content)}>`
    ),
    `<meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}">`,
    ...site.feeds.map(
      ({ label, path: feed }) =>
        `<link rel="alternate" type="application/atom+xml"${attribute('title', label)}${attribute('href', feed)}>`
    ),
    graph.length === 0 ? '' : dataBlock({ '@context': 'https://schema.org', '@graph': graph })
  ].join('')
}

export const openSearchType = 'application/opensearchdescription+xml'

/** Writes a link to the description of the search of a service, if it has one. */
export function writeSearchLink(site: Site): string {
  const path = site.pathOf('opensearch')
  return path === undefined
    ? ''
    : `<link rel="search" type="${openSearchType}"${attribute('title', site.name)}${attribute('href', path)}>`
}

/** Writes the pages above a page, as links. `label`: what the list is called. */
export const writeCrumbs = (crumbs: readonly Crumb[], label: string): string =>
  crumbs.length === 0
    ? ''
    : `<nav class="crumbs"${attribute('aria-label', label)}><ol>${crumbs
        .map(one => `<li><a${attribute('href', one.path)}>${escapeXml(one.label)}</a></li>`)
        .join('')}</ol></nav>`

/** The path of a list as an Atom feed. */
export const feedPath = (path: string): string => path + queryIn('atom', undefined)
