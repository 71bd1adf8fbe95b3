import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import type { Entry } from '../corpus/corpus.ts'
import type { Language } from '../vocabulary/language.ts'
import type { Word } from '../vocabulary/texts.ts'
import {
  bodyOf,
  dateOf,
  escapeXml,
  humanise,
  isPlain,
  linkTarget,
  otherMembers,
  textOf,
  titleOf,
  type FormatModule,
  type Plain,
  type Site,
  type View
} from './format.ts'
import { writeCrumbs, writeSearchLink, writeSharing, type Crumb, type Sharing } from './head.ts'
import { markUp } from './pieces.ts'

/** Returns the path of the page that a value leads to. */
type PathOf = (value: Plain) => string

/** Writes a value; `language` is that of the words around it. */
function plain(value: Plain, { say }: Language, pathOf?: PathOf): string {
  if (value === null) return `<span class="none">${escapeXml(say('none'))}</span>`
  if (typeof value === 'boolean') return escapeXml(say(value ? 'true' : 'false'))
  const text = escapeXml(String(value))
  const target = pathOf?.(value) ?? (typeof value === 'string' ? linkTarget(value) : undefined)
  return target === undefined ? text : `<a${attribute('href', target)}>${text}</a>`
}

/** Writes the name of a member as words. */
const label = (name: string, { textOf: inWords }: Language): string => escapeXml(inWords(humanise(name)))

const members = (value: JsonObject, language: Language, pages?: List['pagesIn']): string =>
  `<dl>${Object.entries(value)
    .map(([name, member]) => `<dt>${label(name, language)}</dt><dd>${block(member, language, pages?.get(name))}</dd>`)
    .join('')}</dl>`

function block(value: JsonValue, language: Language, pathOf?: PathOf): string {
  if (isPlain(value)) return plain(value, language, pathOf)
  if (isObject(value)) return members(value, language)
  const items = value.map(item => `<li>${block(item, language, pathOf)}</li>`)
  return items.length === 0 ? `<p class="none">${escapeXml(language.say('none'))}</p>` : `<ul>${items.join('')}</ul>`
}

type List = NonNullable<View['list']>

/** Writes a value in one line: the items of a list with commas between them, and an object as JSON. */
function inline(value: JsonValue, language: Language, pathOf?: PathOf): string {
  if (isPlain(value)) return plain(value, language, pathOf)
  if (isObject(value)) return escapeXml(JSON.stringify(value))
  return value.length === 0 ? plain(null, language) : value.map(item => inline(item, language, pathOf)).join(', ')
}

/** Writes entries that have no text of their own as a table. The first cell of a row is its title, and its heading. */
function table(list: List, caption: string, language: Language): string {
  const { entries, key, roles, columns, pageOf, pagesIn } = list
  const [first, ...others] = [...columns].sort((a, b) => Number(b === roles.title) - Number(a === roles.title))
  if (first === undefined) return ''
  const cell = (name: string, value: JsonValue | undefined, pathOf: PathOf | undefined): string =>
    `<td${typeof value === 'number' ? ' class="number"' : ''} data-label="${label(name, language)}">${value === undefined ? '' : inline(value, language, pathOf)}</td>`
  const rows = entries.map(entry => {
    const title = escapeXml(first === roles.title ? titleOf(entry, roles, key) : textOf(entry[first]))
    const linked = pageOf === undefined ? title : `<a${attribute('href', pageOf(entry))}>${title}</a>`
    return `<tr><th scope="row">${linked}</th>${others.map(name => cell(name, entry[name], pagesIn?.get(name))).join('')}</tr>`
  })
  const heads = [first, ...others].map(name => `<th scope="col">${label(name, language)}</th>`).join('')
  return `<div class="scroll" tabindex="0" role="region"${attribute('aria-label', caption)}><table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

const sections = ({ entries, key, roles, pageOf, pagesIn }: List, language: Language): string =>
  entries
    .map(entry => {
      const [date, body] = [escapeXml(dateOf(entry, roles)), escapeXml(bodyOf(entry, roles))]
      const title = escapeXml(titleOf(entry, roles, key))
      const linked = pageOf === undefined ? title : `<a${attribute('href', pageOf(entry))}>${title}</a>`
      const heading = `${date === '' ? '' : `<time>${date}</time> · `}${linked}`
      return `<section><h2>${heading}</h2>${body === '' ? '' : `<p>${body}</p>`}${members(otherMembers(entry, roles), language, pagesIn)}</section>`
    })
    .join('')

/** Writes links to the lists of the entries that name one entry. */
function naming({ key, namedIn }: List, entry: Entry, language: Language): string {
  const lists = namedIn?.(entry[key]) ?? []
  if (lists.length === 0) return ''
  const items = lists.map(
    ({ title, parameter, path }) =>
      `<li><a${attribute('href', path)}>${escapeXml(language.textOf(title))} · ${label(parameter, language)}</a></li>`
  )
  return `<h2>${escapeXml(language.say('Entries that name this one'))}</h2><ul>${items.join('')}</ul>`
}

/** Writes a list of entries, or one entry whose title is that of the page. */
function content(list: List, summary: string, language: Language): string {
  const { entries, roles, isOne, next, all, pagesIn } = list
  const [only] = isOne === true ? entries : []
  if (only !== undefined) {
    const text = escapeXml(bodyOf(only, roles))
    const others = Object.entries(only).filter(([name]) => name !== roles.title && name !== roles.text)
    return `${text === '' ? '' : `<p>${text}</p>`}${members(Object.fromEntries(others), language, pagesIn)}${naming(list, only, language)}`
  }
  const written =
    roles.text === undefined && entries.length > 0 ? table(list, summary, language) : sections(list, language)
  return [
    written,
    next === undefined
      ? ''
      : `<p><a rel="next"${attribute('href', next)}>${escapeXml(language.say('Next page'))}</a></p>`,
    all === undefined
      ? ''
      : `<p><a download${attribute('href', all)}>${escapeXml(language.say('All entries as a file'))}</a></p>`
  ].join('')
}

export const html: FormatModule = {
  mediaType: 'text/html; charset=utf-8',
  accepts: ['text/html', 'application/xhtml+xml'],
  of: ['words'],
  policy:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  render({ site, title, summary, path, language, list, data, deprecation }) {
    const [only] = list?.isOne === true ? list.entries : []
    return writePage(site, {
      title: list === undefined || only === undefined ? title : titleOf(only, list.roles, list.key),
      description: summary,
      path,
      language,
      deprecation,
      main: `<p>${escapeXml(summary)}</p>${list === undefined ? block(data, site.language) : content(list, summary, site.language)}`
    })
  }
}

/** Matches an attribute with a path. In text, `writePage` and the renderer of views escape the quotation mark. */
const pathAttribute = / (href|src|action|formaction|poster|data-(?!label)[a-z-]+)="(\/[^"]*)"/g

/** Completes the paths in the attributes of a page, also those of views, which know nothing of the path above them. */
export const placeLinks = (text: string, place: (target: string) => string): string =>
  text.replaceAll(pathAttribute, (_, name: string, target: string) => ` ${name}="${place(target)}"`)

type PageParts = Readonly<{
  title: string
  description?: string | undefined
  path: string
  /** Language tag of the content. Default: that of the site. */
  language?: string | undefined
  deprecation?: View['deprecation']
  /** The content below the heading `title`, as HTML. */
  main: string
  /** Paths of the surfaces that answer the content of the page as data. */
  data?: readonly string[]
  scripts?: readonly string[]
  /** The pages above it, the topmost first. */
  crumbs?: readonly Crumb[] | undefined
  /** Only of a public page: what it says of itself to others. */
  sharing?: Sharing | undefined
}>

const attribute = (name: string, value: string): string => ` ${name}="${escapeXml(value)}"`

/** Writes a path as a link, unless it has placeholders. */
function pathLink(target: string): string {
  const shown = `<code>${escapeXml(target)}</code>`
  return target.includes('{') ? shown : `<a${attribute('href', target)}>${shown}</a>`
}

/** Writes that a page is deprecated, and what to use instead. */
function notice({ date, sunset, successor, reason }: NonNullable<View['deprecation']>, site: Site): string {
  const { say, textOf: inWords } = site.language
  const known = { date, reason: inWords(reason) }
  const since =
    sunset === undefined
      ? say('Deprecated since {date}: {reason}', known)
      : say('Deprecated since {date}, ends on {sunset}: {reason}', { ...known, sunset })
  const target = successor === undefined ? undefined : site.pathOf(successor)
  const instead = escapeXml(say('Use this instead:'))
  return `<p role="note"><strong>${escapeXml(since)}</strong>${target === undefined ? '' : ` ${instead} ${pathLink(target)}`}</p>`
}

/** Returns the path of the menu entry for a page: the path of the page itself, or the longest one that it is below. */
const currentIn = ({ menu }: Site, path: string): string | undefined =>
  menu
    .map(entry => entry.path)
    .filter(one => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`))
    .sort((a, b) => b.length - a.length)[0]

/** Writes an entry of the menu that is a search field; other entries as an empty text. */
const searchField = ({ label: name, path, asks }: Site['menu'][number], submit: string): string =>
  asks === undefined
    ? ''
    : `<form role="search"${attribute('action', path)} method="get"${attribute('aria-label', name)}><input type="search"${attribute('name', asks)}${attribute('aria-label', name)}${attribute('placeholder', name)} aria-keyshortcuts="/" maxlength="200" required><button type="submit">${submit}</button></form>`

/** Text for a place that has no elements. */
const withoutCode = (text: string): string => text.replaceAll('`', '')

const hasTime = /<time datetime="[^"]*T/

/** Writes a complete page. It has no inline scripts or styles, because its Content-Security-Policy allows neither. */
export function writePage(
  site: Site,
  {
    title,
    description,
    path,
    language = site.language.tag,
    deprecation,
    main,
    data = [],
    scripts = [],
    crumbs = [],
    sharing
  }: PageParts
): string {
  const content = markUp(
    `${writeCrumbs(crumbs, site.language.say('Where this is'))}<h1>${escapeXml(title)}</h1>${deprecation === undefined ? '' : notice(deprecation, site)}${main}`
  )
  const used = hasTime.test(content) ? [...scripts, 'times.js'] : scripts
  const plainTitle = withoutCode(title)
  const current = currentIn(site, path)
  const say = (word: Word): string => escapeXml(site.language.say(word))
  const entry = ({ label, path: target }: Site['menu'][number]): string =>
    `<li><a${attribute('href', target)}${target === path ? ' aria-current="page"' : target === current ? ' aria-current="true"' : ''}>${escapeXml(label)}</a></li>`
  const links = site.menu.filter(({ asks }) => asks === undefined)
  const { icon, logo, footer } = site
  const style = site.asset('style.css')
  return [
    `<!doctype html>\n<html${attribute('lang', language)}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">`,
    `<title>${escapeXml(title === site.name ? title : `${plainTitle} · ${site.name}`)}</title>`,
    description === undefined ? '' : `<meta name="description"${attribute('content', withoutCode(description))}>`,
    sharing === undefined
      ? ''
      : writeSharing(
          site,
          { title: plainTitle, description: withoutCode(description ?? site.summary), path, crumbs },
          sharing
        ),
    style === undefined ? '' : `<link rel="stylesheet"${attribute('href', style)}>`,
    icon === undefined ? '' : `<link rel="icon"${attribute('type', icon.mediaType)}${attribute('href', icon.path)}>`,
    writeSearchLink(site),
    ...data.map(target => `<link rel="alternate" type="application/json"${attribute('href', target)}>`),
    ...[...(site.menu.some(({ asks }) => asks !== undefined) ? ['search-key.js'] : []), ...used]
      .flatMap(name => site.asset(name) ?? [])
      .map(target => `<script type="module"${attribute('src', target)}></script>`),
    `</head><body><a class="skip" href="#content">${say('Skip to the content')}</a>`,
    `<header><nav${attribute('aria-label', site.language.say('Main'))}><a class="home"${attribute('href', site.home)}>${logo === undefined ? '' : `<img${attribute('src', logo)} alt="">`}${escapeXml(site.name)}</a>${links.length === 0 ? '' : `<ul>${links.map(entry).join('')}</ul>`}${site.menu.map(one => searchField(one, say('Search'))).join('')}</nav></header>`,
    `<main id="content">${content}</main>`,
    `<footer><p>${escapeXml(site.summary)}</p>${footer.length === 0 ? '' : `<ul>${footer.map(({ label, href }) => `<li><a${attribute('href', href)}>${escapeXml(label)}</a></li>`).join('')}</ul>`}${data.length === 0 ? '' : `<p>${say('This page as data:')} ${data.map(pathLink).join(', ')}</p>`}</footer>`,
    '</body></html>\n'
  ].join('')
}
