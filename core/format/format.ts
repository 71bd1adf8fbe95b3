import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { Entry, Roles } from '../corpus/corpus.ts'
import type { Language } from '../vocabulary/language.ts'

/** What all pages of a service have in common. `home` and the `path` of a menu entry are paths of the service. */
export type Site = Readonly<{
  name: string
  summary: string
  /** Public origin of the service, such as `https://library.example`. */
  origin: string
  /** The language of what the framework says on the pages. */
  language: Language
  home: string
  /** The entries of the menu. `asks`: the query parameter of one that is a search field. */
  menu: readonly Readonly<{ label: string; path: string; asks?: string }>[]
  icon?: Readonly<{ path: string; mediaType: string }> | undefined
  /** The path of the picture before the name. */
  logo?: string | undefined
  footer: readonly Readonly<{ label: string; href: string }>[]
  /** The lists that everyone may read as an Atom feed, with the paths of the feeds. */
  feeds: readonly Readonly<{ label: string; path: string }>[]
  /** Returns the path of a surface by its id. */
  pathOf: (id: string) => string | undefined
  /** Returns the path of an asset by its name, such as `style.css`; `undefined` if it is not served. */
  asset: (name: string) => string | undefined
  /**
   * Only of a service under a path: that path, such as `/pantry`, and a function that adds it to a path of the service
   * that was written without it.
   */
  under?: Readonly<{ base: string; place: (target: string) => string }>
}>

/** Returns the query of what was asked in another format. */
export const queryIn = (format: string, asked: string | undefined): string =>
  `${asked === undefined ? '?' : `${asked}&`}format=${format}`

export type View = Readonly<{
  title: string
  summary: string
  /** Absolute URL of the answer, without the query. */
  url: string
  /** Public origin of the service, such as `https://library.example`. */
  origin: string
  service: string
  site: Site
  /** Path of the request, with the values of its placeholders and without the query. */
  path: string
  /** That the answer should no longer be used. `successor`: id of the surface to use instead. */
  deprecation?:
    Readonly<{ date: string; sunset?: string | undefined; successor?: string | undefined; reason: string }> | undefined
  /** What was asked in the query without the format, with its `?`; absent if nothing was. */
  asked?: string | undefined
  contact: string
  /** Since when the surface exists (`YYYY-MM-DD`): the date of entries without one. */
  since: string
  data: JsonValue
  /** Language tag of the content, if its corpus declares languages. */
  language?: string
  /** Data for the plain-text format, used instead of `data`. */
  prose?: JsonValue
  /**
   * Only of an answer that shows entries of a corpus: these entries, and how to write them. `columns`: the fields of a
   * table; `readAt`: returns the absolute URL where people read an entry; `pageOf`: returns the path of the page of one
   * entry, if this answer is not that; `next`: the path of the next page.
   */
  list?: Readonly<{
    entries: readonly Entry[]
    key: string
    roles: Roles
    columns: readonly string[]
    readAt: (entry: Entry) => string
    /** Whether the answer is one entry that was asked for by its key. */
    isOne?: boolean
    pageOf?: ((entry: Entry) => string) | undefined
    /** By field whose values are keys of entries: returns the path of the page of the entry with a key. */
    pagesIn?: ReadonlyMap<string, (key: JsonValue) => string>
    /** Of one entry: returns the lists of the entries that name its key, each with the parameter that selects them. */
    namedIn?: (key: JsonValue | undefined) => readonly Readonly<Record<'title' | 'parameter' | 'path', string>>[]
    next?: string | undefined
    /** The path of all entries as a file, if there is one. */
    all?: string | undefined
  }>
}>

/**
 * The forms of content that a format can be made from: any `value`; `words`, text written to be read; one `object`; a
 * `list` of entries of a corpus; fixed `lines`; or `urls` of the service.
 */
export type Content = (typeof contents)[number]
export const contents = ['value', 'words', 'object', 'list', 'lines', 'urls'] as const

/** A format; `index.ts` lists all formats by name. `render` is pure: the same view gives the same text. */
export type FormatModule = Readonly<{
  mediaType: string
  /** Media types in `Accept` that select the format; none if only `?format=` selects it. */
  accepts: readonly string[]
  /** The content that the format can be made from: a kind offers the format if its answers have one of these. */
  of: readonly Content[]
  /** Content-Security-Policy for the format, if a browser can render or run it. */
  policy?: string
  render: (view: View) => string
  /** For a format whose lists can be written in parts: the text before all entries, and that of some entries. */
  parts?: Readonly<{
    begin: (columns: readonly string[]) => string
    write: (entries: readonly Entry[], columns: readonly string[]) => string
  }>
}>

/** Text for null in Markdown and plain text: the value may be unknown, withheld or meaningless. */
export const notGiven = 'not given'

export type Plain = null | boolean | number | string

export const isPlain = (value: JsonValue): value is Plain => value === null || typeof value !== 'object'

export const plainFirst = (object: JsonObject): (readonly [string, JsonValue])[] =>
  Object.entries(object).sort(([, a], [, b]) => Number(isPlain(b)) - Number(isPlain(a)))

/** Converts a name to words: `opening_hours` -> `Opening hours`. */
export const humanise = (name: string): string => {
  const words = name.replace(/^@/, '').replace(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const textOf = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Returns the field `role` as text, or without a role the first fallback field that is not null; empty if none is. */
export function roleOf(entry: Entry, role: string | undefined, fallbacks: readonly string[]): string {
  for (const name of role === undefined ? fallbacks : [role])
    if (entry[name] !== undefined && entry[name] !== null) return textOf(entry[name])
  return ''
}

export const titleOf = (entry: Entry, roles: Roles, key: string): string =>
  roleOf(entry, roles.title, ['title', 'name', 'label', 'summary', key])
export const bodyOf = (entry: Entry, roles: Roles): string =>
  roleOf(entry, roles.text, ['text', 'detail', 'description', 'body'])
export const dateOf = (entry: Entry, roles: Roles): string =>
  roleOf(entry, roles.date, ['date', 'updated_at', 'posted_at', 'since'])

export const otherMembers = (entry: Entry, { title, date, text }: Roles): Entry =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => ![title, date, text].includes(name)))

/** Matches characters that XML 1.0 (§2.2) forbids even when escaped, and unpaired surrogates. */
const forbidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Escapes text for an element or a quoted attribute of XML, SVG or HTML. Characters that XML forbids become U+FFFD. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, char => entities[char] ?? char)

/** Joins the lines of a text with spaces, for a heading. */
export const oneLine = (text: string): string => text.trim().replace(/\s*[\r\n]\s*/g, ' ')

/**
 * Escapes text for a Markdown paragraph (CommonMark §2.4). An ampersand is escaped only where it begins an entity;
 * `-`, `+`, `=`, and `.` or `)` after digits, only at the start of a line, where they may be markers.
 */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>#|~]/g, char => `\\${char}`)
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^([ \t]*)([-+=])/gm, '$1\\$2')
    .replace(/^([ \t]*\d+)([.)])/gm, '$1\\$2')

/** Returns a text that is an http(s) URL or a path, with `()<>\` percent-encoded; `undefined` for other texts. */
export function linkTarget(text: string): string | undefined {
  if (!/^(https?:\/\/|\/(?!\/))[^\s]*$/.test(text)) return undefined
  return text.replace(/[()<>\\]/g, char =>
    encodeURIComponent(char) === char ? `%${char.charCodeAt(0).toString(16)}` : encodeURIComponent(char)
  )
}
