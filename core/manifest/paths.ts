import type { Method } from '../vocabulary/words.ts'

/** One segment of a path: literal text, or a placeholder that matches exactly one segment. */
export type Segment = Readonly<{ literal: string } | { placeholder: string }>

export type Route = Readonly<{
  /** Path as in the manifest: `/a/{b}/c`. */
  path: string
  segments: readonly Segment[]
  placeholders: readonly string[]
  methods: readonly Method[]
  aliases: readonly Readonly<{ path: string; segments: readonly Segment[] }>[]
}>

/** Returns the segments of a path, which is not checked. The last segment of `/a/` is an empty literal. */
export const parseSegments = (path: string): Segment[] =>
  path
    .split('/')
    .slice(1)
    .map(part => {
      const placeholder = /^\{(.+)\}$/.exec(part)?.[1]
      return placeholder === undefined ? { literal: part } : { placeholder }
    })

/**
 * Tells whether a path belongs to the whole origin, so that clients look for it nowhere else: well-known documents (RFC
 * 8615) and robots.txt (RFC 9309).
 */
export const isOfOrigin = (path: string): boolean => path.startsWith('/.well-known/') || path === '/robots.txt'

/** Returns a path of a manifest as it is served by a service below `base`, such as `/pantry`. */
export const movedPath = (base: string, path: string): string => (isOfOrigin(path) ? path : base + path)

/** Returns a path as surfaces have it: without doubled slashes and without one at its end. */
export const plainPath = (path: string): string => path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')

/** Returns a path without the `base` that the service is under; a path outside of it as it is. */
export const withoutBase = (base: string, path: string): string =>
  base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path

/** Returns the names of the placeholders. */
export const placeholderNamesOf = (segments: readonly Segment[]): string[] =>
  segments.flatMap(segment => ('placeholder' in segment ? [segment.placeholder] : []))

export const placeholdersOf = (path: string): string[] => placeholderNamesOf(parseSegments(path))

const placeholder = /\{[^/{}]*\}/g

/** Returns the path without the names of its placeholders. Paths with equal shapes match the same requests. */
export const routeShape = (path: string): string => path.replaceAll(placeholder, '{}')

/**
 * A request to the service itself that a manifest names, as a URI template (RFC 6570): `/books/{isbn}`,
 * `/search?kind=book{&q}`, `/search{?q,limit}`. Values in the path and in the fixed query are simple expansions
 * (§3.2.2); the named rest of the query holds only values that are given (§3.2.8, §3.2.9). A name with dots (§2.3) is a
 * member of an earlier answer: `/authors/{book.author.id}`; `{+book.link}` alone (§3.2.3) is a whole URL from an
 * earlier answer.
 */
export type Target = Readonly<{
  text: string
  segments: readonly Segment[]
  fixed: string
  names: readonly string[]
  whole?: string
}>

const whole = /^\{\+([A-Za-z_]\w*(?:\.\w+)+)\}$/

const form =
  /^(?<path>\/[^?{}]*(?:\{[A-Za-z_]\w*(?:\.\w+)*\}[^?{}]*)*)(?<fixed>\?[^{}]*(?:\{[A-Za-z_]\w*(?:\.\w+)*\}[^{}]*)*)?(?:\{[?&](?<names>\w+(?:,\w+)*)\})?$/

/** Parses a target; returns `undefined` if the text is not such a template. */
export function parseTarget(text: string): Target | undefined {
  const [, member] = whole.exec(text) ?? []
  if (member !== undefined) return { text, segments: [], fixed: '', names: [], whole: member }
  const { path, fixed = '', names = '' } = form.exec(text)?.groups ?? {}
  return path === undefined
    ? undefined
    : { text, segments: parseSegments(path), fixed, names: names === '' ? [] : names.split(',') }
}

/** Returns a request of a manifest as it is made below `base`. */
export const movedTarget = (base: string, target: Target): Target =>
  base === '' || target.whole !== undefined || isOfOrigin(target.text)
    ? target
    : { ...target, text: base + target.text, segments: [...parseSegments(base), ...target.segments] }

type Value = string | number | boolean | undefined

/** Matches text that `encodeURIComponent` leaves unchanged. Most values are such text, and this test is faster. */
const plain = /^[\w.~-]*$/
const encode = (value: Value): string =>
  typeof value === 'string' && plain.test(value) ? value : encodeURIComponent(String(value ?? ''))

const expansion = /\{([^{}]+)\}/g

/** Returns the names of the required values: those in the path and in the fixed query, or the one of a whole URL. */
export const requiredVariablesOf = ({ segments, fixed, whole: member }: Target): string[] =>
  member === undefined
    ? [...placeholderNamesOf(segments), ...Array.from(fixed.matchAll(expansion), ([, name = '']) => name)]
    : [member]

/**
 * Returns the request URL for the given values; `undefined` if a value of the path or the fixed query is missing or
 * empty. A named query parameter without a value, or with the empty value that forms send, is left out.
 */
export function expandTarget(target: Target, valueOf: (name: string) => Value): string | undefined {
  const { segments, fixed, names } = target
  const isGiven = (name: string): boolean => (valueOf(name) ?? '') !== ''
  if (!requiredVariablesOf(target).every(isGiven)) return undefined
  if (target.whole !== undefined) return String(valueOf(target.whole))
  const path = segments
    .map(segment => `/${'placeholder' in segment ? encode(valueOf(segment.placeholder)) : segment.literal}`)
    .join('')
  const query = fixed.replace(expansion, (_, name: string) => encode(valueOf(name)))
  const rest = names.filter(isGiven).map(name => `${encode(name)}=${encode(valueOf(name))}`)
  return `${path}${query}${rest.length === 0 ? '' : `${fixed === '' ? '?' : '&'}${rest.join('&')}`}`
}

/**
 * Whether a request to the target matches the route. A placeholder of the route matches any segment; a placeholder of
 * the target, whose value is not known yet, matches only a placeholder of the route.
 */
export const matchesRoute = (target: readonly Segment[], route: readonly Segment[]): boolean =>
  target.length === route.length &&
  route.every(
    (segment, at) => 'placeholder' in segment || segment.literal === (target[at] as { literal?: string }).literal
  )

const literals = (segments: readonly Segment[]): number => segments.filter(segment => 'literal' in segment).length

/** Returns the item whose route matches the segments; of several, the one with the most literal segments. */
export const bestMatch = <Item extends Readonly<{ route: Pick<Route, 'segments'> }>>(
  all: Iterable<Item>,
  segments: readonly Segment[]
): Item | undefined =>
  [...all]
    .filter(({ route }) => matchesRoute(segments, route.segments))
    .sort((a, b) => literals(b.route.segments) - literals(a.route.segments))[0]

/**
 * Returns the path of a surface by its id: `pathTo('books/book', { isbn })`. Values are percent-encoded. Throws an
 * Error for an unknown id, a placeholder without a value or a value without a placeholder: each is a bug in the
 * program. `pattern` returns the path with its placeholders: `/api/v1/books/{isbn}`. `at` takes a requested path and
 * returns the pattern of the surface that answers there, or undefined if there is none.
 */
export type PathTo = ((id: string, values?: Readonly<Record<string, string>>) => string) &
  Readonly<{ pattern: (id: string) => string; at: (path: string) => string | undefined }>

/** A path, and its texts before, between and after the placeholders. */
type Pattern = Readonly<{ path: string; placeholders: readonly string[]; texts: readonly string[] }>

export function compilePathTo(
  byId: ReadonlyMap<string, Readonly<{ route: Pick<Route, 'path' | 'placeholders' | 'segments'> }>>
): PathTo {
  const patterns = new Map<string, Pattern>()
  const patternOf = (id: string): Pattern => {
    const known = patterns.get(id)
    if (known !== undefined) return known
    const route = byId.get(id)?.route
    if (route === undefined) throw new Error(`A path was asked for by the id \`${id}\`, which no surface has.`)
    const { path, placeholders } = route
    const pattern = { path, placeholders, texts: path.split(placeholder) }
    patterns.set(id, pattern)
    return pattern
  }
  const pathTo = (id: string, values: Readonly<Record<string, string>> = {}): string => {
    const { placeholders, texts } = patternOf(id)
    for (const name in values)
      if (!placeholders.includes(name)) throw new Error(`The path of \`${id}\` has no placeholder \`${name}\`.`)
    let filled = texts[0] ?? ''
    for (const [at, name] of placeholders.entries()) {
      const value = values[name]
      if (value === undefined) throw new Error(`The path of \`${id}\` needs a value for \`${name}\`.`)
      filled += encode(value) + (texts[at + 1] ?? '')
    }
    return filled
  }
  const at = (path: string): string | undefined => bestMatch(byId.values(), parseSegments(path))?.route.path
  return Object.assign(pathTo, { pattern: (id: string) => patternOf(id).path, at })
}
