import { parseSegments, type Route, type Segment } from './route.ts'

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

type Value = string | number | boolean | undefined

const encode = (value: Value): string => encodeURIComponent(String(value ?? ''))

const expansion = /\{([^{}]+)\}/g

/** Returns the names of the required values: those in the path and in the fixed query. */
export const valuesOf = ({ segments, fixed, whole: member }: Target): string[] =>
  member !== undefined
    ? [member]
    : [
        ...segments.flatMap(segment => ('placeholder' in segment ? [segment.placeholder] : [])),
        ...[...fixed.matchAll(expansion)].map(([, name = '']) => name)
      ]

/**
 * Returns the request URL for the given values; `undefined` if a value of the path or the fixed query is missing. A
 * named query parameter without a value, or with the empty value that forms send, is left out.
 */
export function expandTarget(target: Target, valueOf: (name: string) => Value): string | undefined {
  const { segments, fixed, names } = target
  if (valuesOf(target).some(name => (valueOf(name) ?? '') === '')) return undefined
  if (target.whole !== undefined) return String(valueOf(target.whole))
  const path = segments
    .map(segment => `/${'placeholder' in segment ? encode(valueOf(segment.placeholder)) : segment.literal}`)
    .join('')
  const given = names.flatMap(name =>
    (valueOf(name) ?? '') === '' ? [] : [`${encode(name)}=${encode(valueOf(name))}`]
  )
  return `${path}${fixed.replace(expansion, (_, name: string) => encode(valueOf(name)))}${given.length === 0 ? '' : `${fixed === '' ? '?' : '&'}${given.join('&')}`}`
}

/** Whether a request to the target matches the route: a placeholder matches anything, a literal only itself. */
export const meets = (target: readonly Segment[], route: readonly Segment[]): boolean =>
  target.length === route.length &&
  route.every(
    (segment, at) => 'placeholder' in segment || segment.literal === (target[at] as { literal?: string }).literal
  )

const literals = (segments: readonly Segment[]): number => segments.filter(segment => 'literal' in segment).length

/** Returns the route that matches the segments; of several, the one with the most literals. */
export const answering = <One extends Readonly<{ route: Pick<Route, 'segments'> }>>(
  all: Iterable<One>,
  segments: readonly Segment[]
): One | undefined =>
  [...all]
    .filter(({ route }) => meets(segments, route.segments))
    .sort((a, b) => literals(b.route.segments) - literals(a.route.segments))[0]
