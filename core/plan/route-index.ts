import type { Segment } from '../manifest/paths.ts'
import { decodePath } from './query.ts'

export type IndexedRoute<T> = Readonly<{ methods: readonly string[]; segments: readonly Segment[]; value: T }>

/**
 * The outcome of a route look-up: the value of the route and the decoded placeholders; or the methods that the path
 * supports instead, as an `Allow` field lists them (RFC 9110 §10.2.1); or why the path cannot be decoded; or
 * `undefined` if no route matches.
 */
export type RouteMatch<T> =
  | Readonly<{ value: T; params: Readonly<Record<string, string>> }>
  | Readonly<{ allowed: readonly string[] }>
  | Readonly<{ malformed: string }>
  | undefined

export type RouteIndex<T> = Readonly<{
  /**
   * Finds a route. `path` is percent-encoded as received, without the query. HEAD matches GET routes; OPTIONS matches
   * no route: it gives `allowed`.
   */
  find: (method: string, path: string) => RouteMatch<T>
}>

type Target<T> = Readonly<{ value: T; names: readonly string[] }>
type Node<T> = { literals: Map<string, Node<T>>; placeholder: Node<T> | undefined; targets: Map<string, Target<T>> }

const newNode = <T>(): Node<T> => ({ literals: new Map(), placeholder: undefined, targets: new Map() })

function literalChild<T>(node: Node<T>, literal: string): Node<T> {
  const known = node.literals.get(literal)
  if (known !== undefined) return known
  const fresh = newNode<T>()
  node.literals.set(literal, fresh)
  return fresh
}

function add<T>(root: Node<T>, { methods, segments, value }: IndexedRoute<T>): void {
  let node = root
  const names: string[] = []
  for (const segment of segments) {
    if ('literal' in segment) {
      node = literalChild(node, segment.literal)
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
 * Finds the target of the method by depth-first search, a literal before the placeholder; fills `values` with the
 * values of the placeholders. An empty segment does not match a placeholder.
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

/** Returns the methods of all routes that match a path. */
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

/**
 * Indexes the routes without placeholders by path and then by method. The match object is made here, so that a look-up
 * allocates nothing.
 */
function exactRoutes<T>(
  routes: readonly IndexedRoute<T>[]
): ReadonlyMap<string, Readonly<Record<string, RouteMatch<T>>>> {
  const exact = new Map<string, Record<string, RouteMatch<T>>>()
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
 * Creates an index that finds the route of a request, independent of the order of declaration: a literal segment is
 * preferred to a placeholder, and where it leads to no route for the method, the placeholder is tried.
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
