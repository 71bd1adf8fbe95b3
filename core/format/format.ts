import type { JsonObject, JsonValue } from '../canonical/json.ts'
import type { Entry, Roles } from '../corpus/corpus.ts'
import type { Site } from './page.ts'

/** What a representation is made of: the data of an answer and the words around it. */
export type View = Readonly<{
  title: string
  summary: string
  /** Absolute URL of the answered path, without the query. */
  url: string
  /** Public origin of the service. */
  origin: string
  service: string
  /** What the pages of the service have in common. */
  site: Site
  /** Concrete path that was answered. */
  path: string
  contact: string
  data: JsonValue
  /** Tag of the language of the content, where it is declared. */
  language?: string
  /** What is read out instead of `data`. */
  prose?: JsonValue
  /**
   * The entries of a collection answer, with the roles of their fields; `columns`: the names of the fields to show in a
   * table; `readAt`: where a person reads one, absolute.
   */
  list?: Readonly<{
    entries: readonly Entry[]
    key: string
    roles: Roles
    columns: readonly string[]
    readAt: (entry: Entry) => string
  }>
}>

/**
 * What an answer holds that a format can be made of: any `value`; `words`, written beforehand and fit for reading; one
 * `object`; the `list` of entries of a corpus; or fixed `lines`.
 */
export type Content = (typeof contents)[number]
export const contents = ['value', 'words', 'object', 'list', 'lines'] as const

/** One representation, by its name in the table of `index.ts`. `render` is pure: the same view gives the same text. */
export type FormatModule = Readonly<{
  mediaType: string
  /** Media types of `Accept` that ask for it; none for forms that only `?format=` names. */
  accepts: readonly string[]
  /** What it is made of: a kind offers it when its answers hold one of these. */
  of: readonly Content[]
  /** Content-Security-Policy of the media type, where it can show or run anything. */
  policy?: string
  render: (view: View) => string
}>

/**
 * How a null is read out. It may be unknown, withheld or without meaning, so no text claims that the value does not
 * exist.
 */
export const notGiven = 'not given'

export type Plain = null | boolean | number | string

export const isPlain = (value: JsonValue): value is Plain => value === null || typeof value !== 'object'

/** Members with the plain ones first, so that none appears below the heading of another. */
export const plainFirst = (object: JsonObject): (readonly [string, JsonValue])[] =>
  Object.entries(object).sort(([, a], [, b]) => Number(isPlain(b)) - Number(isPlain(a)))

/** `opening_hours` -> `Opening hours`. */
export const humanise = (name: string): string => {
  const words = name.replace(/^@/, '').replace(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const textOf = (value: JsonValue | undefined): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A field of an entry by role, with the names most corpora use as a fallback. */
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
