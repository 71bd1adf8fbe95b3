import { urlOf, type JsonValue } from 'pantry/data'
import { statementContract } from './contract.ts'
import type { Issues } from './issues.ts'
import { readText } from './text.ts'

const { limits } = statementContract

/** An https URL without credentials, as the URL Standard serialises it. It is never fetched. */
export function readUrl(value: JsonValue, path: string, issues: Issues): string | null {
  const text = readText(value, { path, most: limits.url }, issues)
  if (text === null) return null
  const refuse = (why: string): null => issues.add(path, 'invalid_format', `\`${path}\` ${why}`)
  if (/\s/.test(text)) return refuse('holds white space.')
  const url = /^https:\/\//i.test(text) ? urlOf(text) : undefined
  if (url === undefined) return refuse('must be a complete https URL.')
  if (url.username !== '' || url.password !== '') return refuse('must not carry credentials.')
  const serialised = url.href.normalize('NFC')
  // Percent-encoding makes a text longer.
  return serialised.length <= limits.url
    ? serialised
    : issues.add(path, 'too_long', `\`${path}\` is longer than ${limits.url} characters as it is serialised.`)
}

/** A list of URLs, each once, in the order of UTF-16 code units. A list that was left out is empty. */
export function readUrls(value: JsonValue | undefined, path: string, issues: Issues): readonly string[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return issues.add(path, 'wrong_type', `\`${path}\` must be a list of URLs.`)
  const items = value as readonly JsonValue[]
  if (items.length > limits.urls)
    return issues.add(path, 'too_many', `\`${path}\` has ${items.length} entries; at most ${limits.urls} are taken.`)
  const urls = items.map((item, index) => readUrl(item, `${path}.${index}`, issues))
  return [...new Set(urls.filter(url => url !== null))].sort()
}
