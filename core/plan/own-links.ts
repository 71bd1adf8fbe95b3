import { isOpen } from '../access/index.ts'
import { alternate, link } from '../contract/links.ts'
import { pagesOf, type Surface } from '../manifest/surface.ts'
import type { Segment } from '../manifest/paths.ts'
import type { Registry } from '../registry/registry.ts'
import { commonFields, compileCacheControl, deprecationFields, field, fields, isStored, varyOf } from './headers.ts'
import type { BodyText } from './request.ts'
import type { Result } from './result.ts'

/**
 * Returns the canonical path for a path that matches an alias, with the same placeholder values; `undefined` if the
 * path matches no alias.
 */
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

/**
 * Fills the placeholders of `to` with the values that `path` has for the same names in `from`; returns `undefined` if a
 * name is missing.
 */
function pathAt(to: readonly Segment[], from: readonly Segment[], path: string): string | undefined {
  const parts = path.split('/').slice(1)
  const values = new Map(
    from.flatMap((segment, at) => ('placeholder' in segment ? [[segment.placeholder, parts[at] ?? '']] : []))
  )
  const made = to.map(segment => ('placeholder' in segment ? values.get(segment.placeholder) : segment.literal))
  return made.includes(undefined) ? undefined : `/${made.join('/')}`
}

/**
 * Returns `alternate` links: from a page to the first data surface that it shows, and from a data surface to the pages
 * that show it.
 */
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
 * Returns a function that makes the links that only some answers have (RFC 8288): `next` (there is a next page),
 * `canonical` (RFC 6596: an alias was requested), `deprecation` (RFC 9745 §3: the manifest document of the service),
 * `successor-version` (RFC 5829), and `alternate` for each other language and between page and data.
 */
function compileOwnLinks(
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

/**
 * `head` has the fields that describe the content; `unchanged` is for a 304, which has none of them (RFC 9110 §15.4.5).
 * `bytes` counts only the fields of this answer, not those that all answers share.
 */
type Heads = Readonly<{ control: string; head: string; unchanged: string; etag: string | undefined; bytes: number }>
type HeadWriter = (result: Result, text: Pick<BodyText, 'mediaType' | 'etag'>, path: string, method: string) => Heads

/**
 * Returns a function that writes the headers of an answer except the stamps, Content-Length and Content-Encoding.
 * Headers that depend only on the media type and `Vary` are made once.
 */
export function compileHeads(surface: Surface, registry: Registry, links: (path: string) => string): HeadWriter {
  const kept = new Map<string, Readonly<{ content: string; always: string }>>()
  const ownLinks = compileOwnLinks(surface, registry)
  const controlOf = compileCacheControl(surface)
  const alike = (mediaType: string, ownVary = ''): Readonly<{ content: string; always: string }> => {
    const key = `${mediaType}\n${ownVary}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const vary = varyOf(surface) + (ownVary === '' ? '' : `, ${ownVary}`)
    const made = {
      content: fields({ 'Content-Type': mediaType, 'X-Content-License': surface.license }),
      always:
        commonFields(registry.service, mediaType, isOpen(surface.access)) +
        field('Vary', vary) +
        deprecationFields(surface)
    }
    kept.set(key, made)
    return made
  }
  return (result, text, path, method) => {
    const { 'Cache-Control': ownControl, Vary: ownVary, ...rest } = result.headers ?? {}
    const control = ownControl ?? controlOf(result.status, method)
    const etag = !isStored(control) || result.status >= 300 ? undefined : text.etag()
    const { content, always } = alike(text.mediaType, ownVary)
    const own = ownLinks(result, path)
    const shown = surface.contract === 'envelope' ? [links(path), ...own] : own
    const ownFields =
      (shown.length === 0 ? '' : field('Link', shown.join(', '))) +
      (etag === undefined ? '' : `ETag: ${etag}\r\n`) +
      (result.headers === undefined ? '' : fields(rest)) +
      (result.cookies ?? []).map(cookie => field('Set-Cookie', cookie)).join('')
    const unchanged = always + ownFields
    const language = result.language === undefined ? '' : field('Content-Language', result.language.content.join(', '))
    return { control, head: content + language + unchanged, unchanged, etag, bytes: ownFields.length + language.length }
  }
}
