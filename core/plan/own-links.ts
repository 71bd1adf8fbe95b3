import { link } from '../contract/links.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import type { Result } from './result.ts'

/** The path that an alias means, with the same values; `undefined` for the path itself. */
function canonicalPath ({ aliases, segments }: Surface['route'], path: string): string | undefined {
  const parts = path.split('/').slice(1)
  const alias = aliases.find(one => one.segments.length === parts.length && one.segments.every((segment, index) => 'placeholder' in segment || segment.literal === parts[index]))
  if (alias === undefined) return undefined
  const values = new Map(alias.segments.flatMap((segment, index) => 'placeholder' in segment ? [[segment.placeholder, parts[index] ?? '']] : []))
  return segments.map(segment => `/${'placeholder' in segment ? values.get(segment.placeholder) ?? '' : segment.literal}`).join('')
}

/**
 * Links that only some answers have (RFC 8288): `next` (a page follows), `canonical` (RFC 6596: an alias was asked), `deprecation`
 * (RFC 9745 §3: the directory of the service tells more), `successor-version` (RFC 5829), and `alternate` for each other language.
 */
export function compileOwnLinks ({ route, deprecation }: Surface, { byId, surfaces }: Registry): (result: Result, path: string) => readonly string[] {
  const directory = surfaces.find(({ serves }) => serves === 'manifest')?.route.path
  const successor = byId.get(deprecation?.successor ?? '')?.route.path
  const fixed = deprecation === undefined ? [] : [
    ...(directory === undefined ? [] : [link(directory, 'deprecation')]),
    ...(successor === undefined ? [] : [link(successor, 'successor-version')])
  ]
  return ({ next, language }, path) => {
    const canonical = route.aliases.length === 0 ? undefined : canonicalPath(route, path)
    return [
      ...(next === undefined ? [] : [link(path + next, 'next')]),
      ...(canonical === undefined ? [] : [link(canonical, 'canonical')]),
      ...[...language?.queries ?? []].flatMap(([tag, query]) => tag === language?.tag ? [] : [link(path + query, 'alternate', tag)]),
      ...fixed
    ]
  }
}
