// How the format, the language and the content coding of an answer are chosen, and the memos that keep what was chosen
// and the answers themselves. The package `negotiator` takes 4 times as long to choose a coding and the same time for a
// format, does not match `application/*+json`, and refuses where we send a default.
import { LRUCache } from 'lru-cache'
import { formatModules, type Format } from '../format/index.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { PlanInput } from './kind.ts'
import type { PlanRequest } from './request.ts'

const mediaTypes = new Map(Object.entries(formatModules).map(([format, module]) => [format, module.accepts]))

/** Returns a function that chooses the format: `?format=`, else `Accept`, else the first format of the manifest. */
export function compileFormat({
  formats
}: Surface): (asked: PlanInput['query'][string], request: PlanRequest) => Format {
  const [first = 'json'] = formats
  const chosenBy = memoizeByHeader(accept => negotiateFormat(accept, formats))
  return (asked, { headers: { accept } }) => {
    if (formats.length === 1) return first
    if (typeof asked === 'string') return asked
    return typeof accept === 'string' ? chosenBy(accept) : first
  }
}

/**
 * An extended language range (RFC 4647 §2.2) in lower case. Ranges of more than `maxRangeLength` characters are
 * ignored.
 */
const rangeForm = /^(?:\*|[a-z]{1,8})(?:-(?:\*|[a-z0-9]{1,8}))*$/
const maxRangeLength = 100
const maxRanges = 50

/**
 * Removes the wildcards inside a range, which lookup skips (RFC 4647 §3.4). Returns `*` for a range that begins with
 * `*`.
 */
const withoutWildcards = (range: string): string => (range.startsWith('*') ? '*' : range.replaceAll('-*', ''))

/** Tells whether a range matches a tag or a prefix of the tag: basic filtering (RFC 4647 §3.3.1), without `*`. */
const covers = (range: string, tag: string): boolean => tag === range || tag.startsWith(`${range}-`)

/** Removes the last subtag of a range, and a subtag of one character before it as well (RFC 4647 §3.4). */
const truncated = (range: string): string =>
  range.slice(0, Math.max(range.lastIndexOf('-'), 0)).replace(/-[a-z0-9]$/, '')

/** Returns the tag that lookup finds (RFC 4647 §3.4), else the first tag that has the range as its prefix. */
function lookUp(range: string, tags: readonly string[]): string | undefined {
  for (let part = range; part !== ''; part = truncated(part)) if (tags.includes(part)) return part
  return tags.find(tag => covers(range, tag))
}

/**
 * Returns the language that an Accept-Language field prefers (RFC 9110 §12.5.4) among `languages`, the default first. A
 * language that a range of weight 0 covers is refused unless another range names it exactly; `*` matches the first
 * language that no other range covers. If nothing matches, returns the first language that is not refused, or the
 * default: an answer in another language is more useful than an error.
 */
export function negotiateLanguage(header: string, languages: readonly string[]): string {
  const ranges = weightedNames(header)
    .slice(0, maxRanges)
    .filter(({ name }) => name.length <= maxRangeLength && rangeForm.test(name))
    .map(({ name, weight }) => ({ range: withoutWildcards(name), weight }))
  const tags = languages.map(tag => tag.toLowerCase())
  const offered = tags.filter(
    tag =>
      !ranges.some(({ range, weight }) => weight === 0 && covers(range, tag)) ||
      ranges.some(({ range, weight }) => weight > 0 && range === tag)
  )
  const unnamed = offered.find(tag => !ranges.some(({ range }) => covers(range, tag)))
  for (const { range } of ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)) {
    const found = range === '*' ? unnamed : lookUp(range, offered)
    if (found !== undefined) return languages[tags.indexOf(found)] ?? ''
  }
  return languages[Math.max(tags.indexOf(offered[0] ?? ''), 0)] ?? ''
}

/**
 * The languages in which a surface may answer, the default first: those of its content; else, of its HTML alone, those
 * of the service, if it has several.
 */
export function languagesOf(
  { languages, formats }: Surface,
  { languages: spoken }: Service
): Readonly<{ offered: readonly string[]; onlyOfHtml: boolean }> | undefined {
  if (languages !== undefined) return { offered: languages, onlyOfHtml: false }
  return spoken.length > 1 && formats.includes('html') ? { offered: spoken, onlyOfHtml: true } : undefined
}

/**
 * Returns a function that chooses the language: `?lang=`, else `Accept-Language`, else the first language; `undefined`
 * if neither the content nor its page has languages.
 */
export function compileLanguage(
  surface: Surface,
  service: Service
): (asked: unknown, request: PlanRequest, format: Format) => string | undefined {
  const languages = languagesOf(surface, service)
  if (languages === undefined) return () => undefined
  const { offered, onlyOfHtml } = languages
  const preferred = compilePreferred(offered)
  return (asked, request, format) => {
    if (onlyOfHtml && format !== 'html') return undefined
    return typeof asked === 'string' && !onlyOfHtml ? asked : preferred(request)
  }
}

/** Returns a function that chooses one of some languages by `Accept-Language`, else the first. */
export function compilePreferred(languages: readonly string[]): (request: PlanRequest) => string | undefined {
  const [first] = languages
  const chosenBy = memoizeByHeader(accept => negotiateLanguage(accept, languages))
  return ({ headers: { 'accept-language': accept } }) => (typeof accept === 'string' ? chosenBy(accept) : first)
}

const slots = 131_072

/** Returns the 32-bit FNV-1a hash of a text, over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/**
 * Returns a function that tells whether it was called with the same text not long ago. With it, answers that are
 * requested only once stay out of the cache. It may forget a text, and rarely mistakes one text for another.
 */
export function createDoorkeeper(): (text: string) => boolean {
  const seen = new Int32Array(slots)
  return text => {
    const hash = hashOf(text)
    const slot = hash & (slots - 1)
    const isKnown = seen[slot] === hash
    seen[slot] = hash
    return isKnown
  }
}

/**
 * A cache of values that are costly to make. `bytes` is the size of a value without its key. Values with a key of more
 * than `maxKeyLength` characters, or larger than an eighth of the budget, are not cached.
 */
type Memo<T> = Readonly<{
  get: (key: string) => T | undefined
  set: (key: string, value: T, bytes: number) => void
  wasAsked: (key: string) => boolean
  clear: () => void
}>

/** Bytes that all memos of the process may hold together; the least recently used value is evicted first. */
const budgetBytes = 32 * 1024 * 1024
const maxKeyLength = 512
/** Memory of an entry beside its texts and buffers: objects, closures, lists of headers. Measured, rounded up. */
const entryBytes = 1024

const asked = createDoorkeeper()
const entries = new LRUCache<string, Readonly<{ value: unknown; bytes: number }>>({
  maxSize: budgetBytes,
  maxEntrySize: budgetBytes / 8,
  sizeCalculation: ({ bytes }) => bytes
})
let memos = 0

/** Once 90 % of the budget is used: the probability that `isRoom` lets a new answer with a version be cached. */
const insertionRate = 1 / 8

/**
 * Tells whether to cache a new value now. If slightly more keys are requested in turn than fit, a plain LRU cache would
 * evict each one just before its next use; so only one in eight new values is inserted (bimodal insertion, Qureshi et
 * al., ISCA 2007).
 */
export const isRoom = (): boolean => entries.calculatedSize < 0.9 * budgetBytes || Math.random() < insertionRate

export const memoBytes = (): number => entries.calculatedSize

export function createMemo<T>(): Memo<T> {
  memos += 1
  const prefix = `${memos}\n`
  return {
    get: key => entries.get(prefix + key)?.value as T | undefined,
    wasAsked: key => asked(prefix + key),
    clear: () => {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) entries.delete(key)
    },
    set(key, value, bytes) {
      if (key.length <= maxKeyLength)
        entries.set(prefix + key, { value, bytes: bytes + 2 * (prefix.length + key.length) + entryBytes })
    }
  }
}

function memoizeByHeader<T>(make: (header: string) => T): (header: string) => T {
  const memo = createMemo<T>()
  return header => {
    const known = memo.get(header)
    if (known !== undefined) return known
    const made = make(header)
    memo.set(header, made, 0)
    return made
  }
}

/** A content coding (RFC 9110 §8.4.1). */
export type Encoding = 'br' | 'gzip' | 'identity'

const weightForm = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

type Weighted = Readonly<{ name: string; weight: number }>

/**
 * Parses the members of an Accept, Accept-Language or Accept-Encoding field, in lower case, with their weights (RFC
 * 9110 §12.4.2). Malformed members are left out.
 */
function weightedNames(header: string): Weighted[] {
  const names: Weighted[] = []
  for (const member of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map(part => part.trim())
    const written = parameters.find(parameter => parameter.startsWith('q='))
    const weight = written === undefined ? 1 : weightForm.test(written) ? Number(written.slice(2)) : undefined
    if (name !== '' && weight !== undefined) names.push({ name, weight })
  }
  return names
}

/**
 * Returns how specifically a media range matches a media type that may contain `*`: 0 not at all, 1 `*\/*`, 2 `type/*`,
 * 3 a range that the wildcard of `type` covers (`application/*+json`), 4 `type` itself.
 */
function specificity(range: string, type: string): 0 | 1 | 2 | 3 | 4 {
  if (range === type) return 4
  const [before = '', after] = type.split('*')
  if (after !== undefined && range.length > type.length && range.startsWith(before) && range.endsWith(after)) return 3
  if (range.endsWith('/*') && type.startsWith(range.slice(0, -1))) return 2
  return range === '*/*' ? 1 : 0
}

const unnamed = { weight: 0, close: 0 }

/** Returns the weight of the most specific range for a format (RFC 9110 §12.5.1), and how specific it is (`close`). */
function preference(ranges: readonly Weighted[], types: readonly string[]): typeof unnamed {
  let best = unnamed
  for (const { name, weight } of ranges) {
    const close = Math.max(name === '*/*' ? 1 : 0, ...types.map(type => specificity(name, type)))
    if (close > best.close || (close === best.close && close > 0 && weight > best.weight)) best = { weight, close }
  }
  return best
}

/**
 * Returns the format that an Accept field prefers: by weight, then by how specifically it is named, then by the order
 * of `formats`. If no format is acceptable, returns the first: an answer in another format is more useful than an error
 * (RFC 9110 §12.4.1).
 */
export function negotiateFormat(
  accept: string,
  formats: readonly Format[],
  accepts: ReadonlyMap<Format, readonly string[]> = mediaTypes
): Format {
  const ranges = weightedNames(accept)
  let chosen = formats[0] ?? 'json'
  let best = unnamed
  for (const format of formats) {
    const { weight, close } = preference(ranges, accepts.get(format) ?? [])
    if (weight === 0 || weight < best.weight || (weight === best.weight && close <= best.close)) continue
    best = { weight, close }
    chosen = format
  }
  return chosen
}

const weightsOf = memoizeByHeader((header): Readonly<Record<Encoding, number>> => {
  const weights = new Map(weightedNames(header).map(({ name, weight }) => [name === 'x-gzip' ? 'gzip' : name, weight]))
  const others = weights.get('*')
  // Identity is acceptable unless excluded; if neither it nor `*` is named, it is the last choice (RFC 9110 §12.5.3).
  return {
    br: weights.get('br') ?? others ?? 0,
    gzip: weights.get('gzip') ?? others ?? 0,
    identity: weights.get('identity') ?? others ?? Number.MIN_VALUE
  }
})

/**
 * Returns the content coding that an Accept-Encoding field prefers among those offered, best first; at equal weight the
 * earlier one, and any of them before identity. Without the field: identity.
 */
export function chooseEncoding(header: string | undefined, offered: readonly Encoding[]): Encoding {
  if (header === undefined) return 'identity'
  const weights = weightsOf(header)
  let chosen: Encoding = 'identity'
  let best = 0
  for (const encoding of offered) {
    if (weights[encoding] <= best) continue
    best = weights[encoding]
    chosen = encoding
  }
  return best >= weights.identity ? chosen : 'identity'
}
