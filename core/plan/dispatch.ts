import type { Segment } from '../manifest/paths.ts'

export type IndexedRoute<T> = Readonly<{ methods: readonly string[]; segments: readonly Segment[]; value: T }>

/**
 * The value of the route and the decoded placeholders; or the methods that the path supports, as an `Allow` field lists
 * them (RFC 9110 §10.2.1); or why the path cannot be decoded; undefined if no route has the path.
 */
export type RouteMatch<T> =
  | Readonly<{ value: T; params: Readonly<Record<string, string>> }>
  | Readonly<{ allowed: readonly string[] }>
  | Readonly<{ malformed: string }>
  | undefined

export type RouteIndex<T> = Readonly<{
  /** `path` is percent-encoded, without the query. HEAD matches GET routes; OPTIONS matches none. */
  find: (method: string, path: string) => RouteMatch<T>
}>

type Target<T> = Readonly<{ value: T; names: readonly string[] }>
type Node<T> = { literals: Map<string, Node<T>>; placeholder: Node<T> | undefined; targets: Map<string, Target<T>> }

const newNode = <T>(): Node<T> => ({ literals: new Map(), placeholder: undefined, targets: new Map() })

function add<T>(root: Node<T>, { methods, segments, value }: IndexedRoute<T>): void {
  let node = root
  const names: string[] = []
  for (const segment of segments) {
    if ('literal' in segment) {
      const child = node.literals.get(segment.literal) ?? newNode<T>()
      node.literals.set(segment.literal, child)
      node = child
    } else {
      node = node.placeholder ??= newNode<T>()
      names.push(segment.placeholder)
    }
  }
  for (const method of withHead(methods)) node.targets.set(method, { value, names })
}

const withHead = (methods: readonly string[]): readonly string[] =>
  methods.includes('GET') ? [...methods, 'HEAD'] : methods

/**
 * Finds the target of the method by depth-first search, a literal before the placeholder. Adds the values of the
 * placeholders to `values`. An empty segment does not match a placeholder.
 */
function descend<T>(
  node: Node<T>,
  method: string,
  segments: readonly string[],
  depth: number,
  values: string[]
): Target<T> | undefined {
  const segment = segments[depth]
  if (segment === undefined) return node.targets.get(method)
  const literal = node.literals.get(segment)
  const found = literal === undefined ? undefined : descend(literal, method, segments, depth + 1, values)
  if (found !== undefined || node.placeholder === undefined || segment === '') return found
  values.push(segment)
  const target = descend(node.placeholder, method, segments, depth + 1, values)
  if (target === undefined) values.pop()
  return target
}

function methodsAt<T>(node: Node<T>, segments: readonly string[], depth = 0): readonly string[] {
  const segment = segments[depth]
  if (segment === undefined) return [...node.targets.keys()]
  const next = [node.literals.get(segment), segment === '' ? undefined : node.placeholder]
  return next.flatMap(child => (child === undefined ? [] : methodsAt(child, segments, depth + 1)))
}

function paramsOf(names: readonly string[], values: readonly string[]): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (let index = 0; index < names.length; index += 1) params[names[index] ?? ''] = values[index] ?? ''
  return params
}

type ExactRoutes<T> = Map<string, Record<string, RouteMatch<T>>>

/** Indexes the routes without placeholders, each with its match, so that a look-up allocates nothing. */
function exactRoutes<T>(routes: readonly IndexedRoute<T>[]): ExactRoutes<T> {
  const exact: ExactRoutes<T> = new Map()
  for (const { methods, segments, value } of routes) {
    const literals = segments.flatMap(segment => ('literal' in segment ? [segment.literal] : []))
    if (literals.length < segments.length) continue
    const path = `/${literals.join('/')}`
    const byMethod = exact.get(path) ?? (Object.create(null) as Record<string, RouteMatch<T>>)
    for (const method of withHead(methods)) byMethod[method] = Object.freeze({ value, params: Object.freeze({}) })
    exact.set(path, byMethod)
  }
  return exact
}

/**
 * Creates an index that prefers a literal segment to a placeholder, and tries the placeholder if the literal leads to
 * no route for the method.
 */
export function createRouteIndex<T>(routes: readonly IndexedRoute<T>[]): RouteIndex<T> {
  const exact = exactRoutes(routes)
  const root = newNode<T>()
  for (const route of routes) add(root, route)
  return {
    find(method, path) {
      const known = exact.get(path)?.[method]
      if (known !== undefined) return known
      const decoded = decodePath(path)
      if (!decoded.ok) return { malformed: decoded.message }
      const { segments } = decoded
      const values: string[] = []
      const target = descend(root, method, segments, 0, values)
      if (target !== undefined) return { value: target.value, params: paramsOf(target.names, values) }
      const methods = methodsAt(root, segments)
      return methods.length === 0 ? undefined : { allowed: [...new Set([...methods, 'OPTIONS'])].sort() }
    }
  }
}

const maxQueryLength = 8192
const maxParameters = 100

/**
 * Maximum characters of a path. Clients accept header fields that contain the path, even if all of it is
 * percent-encoded.
 */
export const maxPathLength = 4096

/** A percent-encoded path, and its query without the question mark. */
export type RequestTarget = Readonly<{ path: string; search: string }>

export function splitTarget(target: string): RequestTarget {
  const mark = target.indexOf('?')
  return mark === -1 ? { path: target, search: '' } : { path: target.slice(0, mark), search: target.slice(mark + 1) }
}

type Refusal = Readonly<{ ok: false; message: string }>
type Query = Readonly<{ ok: true; values: ReadonlyMap<string, readonly string[]> }> | Refusal
type Path = Readonly<{ ok: true; segments: readonly string[] }> | Refusal

const noQuery: Query = { ok: true, values: new Map() }

const refuse = (message: string): Refusal => ({ ok: false, message })

const undecodable = 'is not valid percent-encoded UTF-8, or holds U+0000.'

const outsideAscii = /[^\x21-\x7e]/

/** Decodes percent-encoding. Returns `undefined` for a broken escape (RFC 3986 §2.1), invalid UTF-8 or U+0000. */
function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}

const decodeForm = (text: string): string | undefined => decode(text.includes('+') ? text.replaceAll('+', ' ') : text)

/**
 * Parses a query, with or without its question mark. Refuses more than 8192 characters, and what `parsePairs` refuses.
 */
export const parseQuery = (search: string): Query =>
  search.length > maxQueryLength
    ? refuse(`The query is longer than ${maxQueryLength} characters.`)
    : parsePairs(search.startsWith('?') ? search.slice(1) : search, 'query')

/**
 * Parses `application/x-www-form-urlencoded` text (WHATWG URL §5.1). Refuses characters that must be percent-encoded,
 * what `decode` refuses, and more than 100 parameters.
 */
export function parsePairs(search: string, noun: 'query' | 'form'): Query {
  if (search === '') return noQuery
  if (outsideAscii.test(search)) return refuse(`The ${noun} holds characters that must be percent-encoded.`)
  const values = new Map<string, string[]>()
  let count = 0
  for (let at = 0, end = 0; at < search.length; at = end + 1) {
    end = search.indexOf('&', at)
    if (end === -1) end = search.length
    if (end === at) continue
    count += 1
    if (count > maxParameters) return refuse(`The ${noun} has more than ${maxParameters} parameters.`)
    const sign = search.indexOf('=', at)
    const nameEnd = sign === -1 || sign > end ? end : sign
    const name = decodeForm(search.slice(at, nameEnd))
    if (name === undefined) return refuse(`The name of a ${noun} parameter ${undecodable}`)
    const value = decodeForm(search.slice(nameEnd + 1, end))
    if (value === undefined) return refuse(`The ${noun} parameter \`${name.slice(0, 80)}\` ${undecodable}`)
    const earlier = values.get(name)
    if (earlier === undefined) values.set(name, [value])
    else earlier.push(value)
  }
  return { ok: true, values }
}

/** Returns `query` with the values of `changes` as a query string, with its question mark. */
export function changedQuery(
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  changes: Readonly<Record<string, string | number>>
): string {
  const pairs = Object.entries({ ...query, ...changes }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]]
  )
  return `?${new URLSearchParams(pairs).toString()}`
}

/** Returns a query without the format, as a query string with its question mark; undefined if it asks for nothing. */
export function askedQuery(query: Readonly<Record<string, string | number | boolean | undefined>>): string | undefined {
  const asked = Object.entries(query).filter(([name, value]) => name !== 'format' && value !== undefined)
  return asked.length === 0 ? undefined : changedQuery(Object.fromEntries(asked), {})
}

/**
 * Splits a request path into decoded segments. Nothing is normalised: empty segments, `.` and `..` are kept, and an
 * escaped slash (`%2F`) is part of its segment. Refuses a path without a leading slash, more than 4096 characters,
 * characters that must be percent-encoded, and what `decode` refuses.
 */
export function decodePath(path: string): Path {
  if (!path.startsWith('/')) return refuse('The path does not start with a slash.')
  if (path.length > maxPathLength) return refuse(`The path is longer than ${maxPathLength} characters.`)
  if (outsideAscii.test(path)) return refuse('The path holds characters that must be percent-encoded.')
  const segments: string[] = []
  // Not `split`: cutting the pieces one by one takes half the time.
  for (let at = 1; at <= path.length;) {
    const next = path.indexOf('/', at)
    const end = next === -1 ? path.length : next
    const segment = decode(path.slice(at, end))
    if (segment === undefined) return refuse(`Segment ${segments.length + 1} of the path ${undecodable}`)
    segments.push(segment)
    at = end + 1
  }
  return { ok: true, segments }
}
