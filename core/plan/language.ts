import type { Surface } from '../manifest/surface.ts'
import { createMemo } from './memo.ts'
import { weightedNames } from './negotiate.ts'
import type { PlanRequest } from './request.ts'

/** A language range (RFC 4647 §2.1). Longer ones name nothing that is declared. */
const rangeForm = /^(?:\*|[a-z]{1,8})(?:-(?:\*|[a-z0-9]{1,8}))*$/
const longestRange = 100
/** How many ranges of a field are looked at. No reader knows more languages; what follows is skipped. */
const mostRanges = 50

/** Without the wildcards within it, which lookup skips (RFC 4647 §3.4); `*` where it begins with one. */
const simple = (range: string): string => (range.startsWith('*') ? '*' : range.replaceAll('-*', ''))

/** Whether a range names a tag or what the tag is a part of: basic filtering (RFC 4647 §3.3.1), without `*`. */
const covers = (range: string, tag: string): boolean => tag === range || tag.startsWith(`${range}-`)

/** The range with its last subtag taken off, and a single character before that as well (RFC 4647 §3.4). */
const shorter = (range: string): string => range.slice(0, Math.max(range.lastIndexOf('-'), 0)).replace(/-[a-z0-9]$/, '')

/**
 * The tag that a range looks up; a range that is less than any tag takes the first that it covers: `pt` is content with
 * `pt-BR`.
 */
function lookUp(range: string, tags: readonly string[]): string | undefined {
  for (let part = range; part !== ''; part = shorter(part)) if (tags.includes(part)) return part
  return tags.find(tag => covers(range, tag))
}

/**
 * The language an Accept-Language field asks for most (RFC 9110 §12.5.4) among `languages`, the default first: each
 * range looks one up, in the order of their weights. A language that a range of weight 0 covers is given to a range
 * that names it only; `*` stands for those that no other range names. What is not well-formed is skipped; where nothing
 * is found, the first language that is not refused, or the default: an answer in another language is more use than a
 * refusal.
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
 * `?lang=` decides, then `Accept-Language`, then the first language. `undefined` where the content has no declared
 * languages.
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
