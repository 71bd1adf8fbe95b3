import { urlOf, type JsonValue } from 'pantry/data'
import { statementContract } from './contract.ts'
import type { Issues } from './issues.ts'
import { readText } from './text.ts'

const { limits: bounds } = statementContract

/** Reads an https URL without credentials and serialises it as in the URL Standard. The URL is never fetched. */
export function readUrl(value: JsonValue, path: string, issues: Issues): string | null {
  const text = readText(value, { path, most: bounds.url }, issues)
  if (text === null) return null
  const refuse = (why: string): null => issues.add(path, 'invalid_format', `\`${path}\` ${why}`)
  if (/\s/.test(text)) return refuse('holds white space.')
  const url = /^https:\/\//i.test(text) ? urlOf(text) : undefined
  if (url === undefined) return refuse('must be a complete https URL.')
  if (url.username !== '' || url.password !== '') return refuse('must not carry credentials.')
  const serialised = url.href.normalize('NFC')
  // The length is checked again, because percent-encoding makes a text longer.
  return serialised.length <= bounds.url
    ? serialised
    : issues.add(path, 'too_long', `\`${path}\` is longer than ${bounds.url} characters as it is serialised.`)
}

/** Reads a list of URLs; removes duplicates and sorts by UTF-16 code units. A missing list is empty. */
export function readUrls(value: JsonValue | undefined, path: string, issues: Issues): readonly string[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return issues.add(path, 'wrong_type', `\`${path}\` must be a list of URLs.`)
  const items = value as readonly JsonValue[]
  if (items.length > bounds.urls)
    return issues.add(path, 'too_many', `\`${path}\` has ${items.length} entries; at most ${bounds.urls} are taken.`)
  const urls = items.map((item, index) => readUrl(item, `${path}.${index}`, issues))
  return [...new Set(urls.filter(url => url !== null))].sort()
}
