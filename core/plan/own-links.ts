import { alternate, link } from '../contract/links.ts'
import { pagesOf } from '../manifest/target.ts'
import type { Segment, Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { Result } from './result.ts'

/** The path that an alias means, with the same values; `undefined` for the path itself. */
function canonicalPath({ aliases, segments }: Surface['route'], path: string): string | undefined {
  const parts = path.split('/').slice(1)
  const alias = aliases.find(
    one =>
      one.segments.length === parts.length &&
      one.segments.every((segment, index) => 'placeholder' in segment || segment.literal === parts[index])
  )
  if (alias === undefined) return undefined
  const values = new Map(
    alias.segments.flatMap((segment, index) =>
      'placeholder' in segment ? [[segment.placeholder, parts[index] ?? '']] : []
    )
  )
  return segments
    .map(segment => `/${'placeholder' in segment ? (values.get(segment.placeholder) ?? '') : segment.literal}`)
    .join('')
}

const html = 'text/html'
const json = 'application/json'

/** The path of `to` with the values that `from` has at the same names; `undefined` where a name is missing. */
function pathAt(to: readonly Segment[], from: readonly Segment[], path: string): string | undefined {
  const parts = path.split('/').slice(1)
  const values = new Map(
    from.flatMap((segment, at) => ('placeholder' in segment ? [[segment.placeholder, parts[at] ?? '']] : []))
  )
  const made = to.map(segment => ('placeholder' in segment ? values.get(segment.placeholder) : segment.literal))
  return made.includes(undefined) ? undefined : `/${made.join('/')}`
}

/** From a page to the data that it shows first, and from that to the page. */
function compileAlternates(surface: Surface, surfaces: readonly Surface[]): (path: string) => readonly string[] {
  const { route, page } = surface
  if (page?.sends !== undefined) return () => []
  const [shown] = page?.shows ?? []
  if (shown !== undefined)
    return path =>
      [pathAt(shown.segments, route.segments, path)].flatMap(target =>
        target === undefined ? [] : [alternate(target, json)]
      )
  const showing = pagesOf(surface, surfaces)
  return path =>
    showing.flatMap(
      ({
        page: {
          route: { segments }
        },
        asks
      }) => {
        const target = pathAt(segments, asks.segments, path)
        return target === undefined ? [] : [alternate(target, html)]
      }
    )
}

/**
 * Links that only some answers have (RFC 8288): `next` (a page follows), `canonical` (RFC 6596: an alias was asked),
 * `deprecation` (RFC 9745 §3: the directory of the service tells more), `successor-version` (RFC 5829), and `alternate`
 * for each other language and for the page or the data.
 */
export function compileOwnLinks(
  surface: Surface,
  { byId, surfaces }: Registry
): (result: Result, path: string) => readonly string[] {
  const { route, deprecation } = surface
  const directory = surfaces.find(({ serves }) => serves === 'manifest')?.route.path
  const successor = byId.get(deprecation?.successor ?? '')?.route.path
  const fixed =
    deprecation === undefined
      ? []
      : [
          ...(directory === undefined ? [] : [link(directory, 'deprecation')]),
          ...(successor === undefined ? [] : [link(successor, 'successor-version')])
        ]
  const alternates = compileAlternates(surface, surfaces)
  return ({ next, language }, path) => {
    const canonical = route.aliases.length === 0 ? undefined : canonicalPath(route, path)
    return [
      ...alternates(path),
      ...(next === undefined ? [] : [link(path + next, 'next')]),
      ...(canonical === undefined ? [] : [link(canonical, 'canonical')]),
      ...[...(language?.queries ?? [])].flatMap(([tag, query]) =>
        tag === language?.tag ? [] : [link(path + query, 'alternate', tag)]
      ),
      ...fixed
    ]
  }
}
