import type { Surface } from '../manifest/surface.ts'
import { createMemo } from './memo.ts'
import { weightedNames } from './negotiate.ts'
import type { PlanRequest } from './request.ts'

/** A language range (RFC 4647 §2.1). Ranges longer than `longestRange` characters are ignored. */
const rangeForm = /^(?:\*|[a-z]{1,8})(?:-(?:\*|[a-z0-9]{1,8}))*$/
const longestRange = 100
/** How many ranges of a field are evaluated. No reader knows more languages; the rest is ignored. */
const mostRanges = 50

/**
 * Removes the wildcards inside a range, which lookup skips (RFC 4647 §3.4); returns `*` for a range that begins with
 * one.
 */
const simple = (range: string): string => (range.startsWith('*') ? '*' : range.replaceAll('-*', ''))

/** Tells whether a range matches a tag or a prefix of the tag: basic filtering (RFC 4647 §3.3.1), without `*`. */
const covers = (range: string, tag: string): boolean => tag === range || tag.startsWith(`${range}-`)

/** Removes the last subtag of a range, and a single character before it as well (RFC 4647 §3.4). */
const shorter = (range: string): string => range.slice(0, Math.max(range.lastIndexOf('-'), 0)).replace(/-[a-z0-9]$/, '')

/**
 * Returns the tag that lookup finds for a range (RFC 4647 §3.4), else the first tag with the range as its prefix: `pt`
 * matches `pt-BR`.
 */
function lookUp(range: string, tags: readonly string[]): string | undefined {
  for (let part = range; part !== ''; part = shorter(part)) if (tags.includes(part)) return part
  return tags.find(tag => covers(range, tag))
}

/**
 * Returns the language that an Accept-Language field prefers (RFC 9110 §12.5.4) among `languages`, the default first:
 * ranges are looked up in the order of their weights. A language that a range of weight 0 covers is refused unless
 * another range names it exactly; `*` matches the first language that no other range covers. Malformed members are
 * skipped. If nothing matches, returns the first language that is not refused, or the default: an answer in another
 * language is more useful than an error.
 */
export function negotiateLanguage(header: string, languages: readonly string[]): string {
  const ranges = weightedNames(header)
    .slice(0, mostRanges)
    .filter(({ name }) => name.length <= longestRange && rangeForm.test(name))
    .map(({ name, weight }) => ({ range: simple(name), weight }))
  const tags = languages.map(tag => tag.toLowerCase())
  const refused = new Set(
    tags.filter(
      tag =>
        ranges.some(({ range, weight }) => weight === 0 && covers(range, tag)) &&
        !ranges.some(({ range, weight }) => weight > 0 && range === tag)
    )
  )
  const offered = tags.filter(tag => !refused.has(tag))
  const unnamed = offered.find(tag => !ranges.some(({ range }) => covers(range, tag)))
  for (const { range } of ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)) {
    const found = range === '*' ? unnamed : lookUp(range, offered)
    if (found !== undefined) return languages[tags.indexOf(found)] ?? ''
  }
  return languages[Math.max(tags.indexOf(offered[0] ?? ''), 0)] ?? ''
}

/**
 * Returns a function that chooses the language: `?lang=`, else `Accept-Language`, else the first language; `undefined`
 * if the content declares no languages.
 */
export function compileLanguage({ languages }: Surface): (asked: unknown, request: PlanRequest) => string | undefined {
  if (languages === undefined) return () => undefined
  const [first] = languages
  const wanted = createMemo<string>()
  return (asked, { headers: { 'accept-language': accept } }) => {
    if (typeof asked === 'string') return asked
    if (typeof accept !== 'string') return first
    const known = wanted.get(accept)
    if (known !== undefined) return known
    const found = negotiateLanguage(accept, languages)
    wanted.set(accept, found, 0)
    return found
  }
}
