import { isOpen } from '../access/index.ts'
import type { JsonObject } from '../canonical/json.ts'
import { originOf } from '../canonical/url.ts'
import { memoize } from '../canonical/work.ts'
import type { Entry } from '../corpus/corpus.ts'
import type { Site } from '../format/format.ts'
import { feedPath } from '../format/head.ts'
import type { Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import { iconOf, type Asset } from '../registry/assets.ts'
import { placeOf } from '../registry/place.ts'
import { isStandard, type Registry } from '../registry/registry.ts'

export type MetaFacts = Readonly<{
  sources: readonly string[]
  sourceLicense: readonly string[]
  freshnessSeconds: number
  license: string
  doesNotInclude: readonly string[]
  containsSelf: boolean
  deprecation: JsonObject | null
  /** `_meta.language`; only if the corpus of the answer declares languages. */
  language?: JsonObject | undefined
  /** Path and query of the next page of a list, if there is one. */
  nextLink?: string | undefined
}>

/** JSON text of `_meta`, split where the values of `retrieved_at` and `request_id` go. */
type MetaText = readonly [beforeTime: string, beforeId: string, end: string]

/** Writes `_meta`: the fields of the framework in a fixed order, then the members that the service declares. */
export type MetaWriter = (path: string, asOf: string, facts: MetaFacts) => MetaText

export function compileMeta(registry: Registry): MetaWriter {
  const { service, corpora } = registry
  const members = Object.entries(service.envelope).map(([name, member]) => {
    const fixed = 'corpus' in member ? '' : JSON.stringify(member.value)
    return {
      name: JSON.stringify(name),
      text: 'corpus' in member ? selectEntry(corpora.get(member.corpus)?.entries ?? [], member) : () => fixed
    }
  })
  const head = `{"spec_version":${JSON.stringify(service.spec_version)},"endpoint":`
  // Many answers have the same `MetaFacts` object, so its text is cached.
  const written = new WeakMap<MetaFacts, ReturnType<typeof factsText>>()
  return (path, asOf, facts) => {
    const endpoint = JSON.stringify(path)
    let fixed = written.get(facts)
    if (fixed === undefined) written.set(facts, (fixed = factsText(facts)))
    let end = `${fixed.before}${endpoint}${fixed.after}`
    for (const { name, text } of members) end += `,${name}:${text(path)}`
    return [`${head}${endpoint},"retrieved_at":"`, `","as_of":${JSON.stringify(asOf)},"request_id":"`, `${end}}`]
  }
}

/** Returns the part of `_meta` that depends on the facts, split where the path (`this_endpoint`) goes. */
function factsText(facts: MetaFacts) {
  const { sources, sourceLicense, freshnessSeconds, license, deprecation, nextLink = null, language } = facts
  const before = JSON.stringify({
    sources,
    source_license: sourceLicense,
    freshness_seconds: freshnessSeconds,
    license,
    deprecation,
    next_link: nextLink,
    language
  })
  return {
    before: `",${before.slice(1, -1)},"self_reference":{"this_endpoint":`,
    after: `,"contains_self":${facts.containsSelf}},"does_not_include":${JSON.stringify(facts.doesNotInclude)}`
  }
}

const licenseLabels = (service: Service, sources: readonly string[]): readonly string[] =>
  sources.map(source => service.tiers[service.sources[source]?.license ?? '']?.label ?? 'noassertion')

/** Returns the deprecation notice of a surface, whose `successor` is a path; null if it is not deprecated. */
export function deprecationOf({ deprecation }: Surface, byId: Registry['byId']): JsonObject | null {
  if (deprecation === undefined) return null
  const { date, sunset = null, successor, reason } = deprecation
  return { date, sunset, successor: byId.get(successor ?? '')?.route.path ?? null, reason }
}

export const metaFactsOf = (surface: Surface, { service, byId }: Registry): MetaFacts => ({
  sources: surface.sources,
  sourceLicense: licenseLabels(service, surface.sources),
  freshnessSeconds: surface.freshness.seconds,
  license: surface.license,
  doesNotInclude: surface.doesNotInclude,
  containsSelf: surface.containsSelf,
  deprecation: deprecationOf(surface, byId)
})

/**
 * Returns the facts of an answer that no surface gives, such as a 404. Its source is the first one of the service whose
 * license tier is open.
 */
export function unclaimedFacts(service: Service): MetaFacts {
  const first = Object.entries(service.sources).find(([, { license }]) => service.tiers[license]?.open === true)
  const sources = first === undefined ? [] : [first[0]]
  return {
    sources,
    sourceLicense: licenseLabels(service, sources),
    freshnessSeconds: 0,
    license: first?.[1].license ?? 'NOASSERTION',
    doesNotInclude: [],
    containsSelf: false,
    deprecation: null
  }
}

export type ErrorBody = Readonly<{ code: string; status: number; message: string; details?: JsonObject; docs: string }>

/** Returns the djb2 hash (XOR variant) over UTF-16 code units, as a non-negative integer. */
function djb2(text: string): number {
  let hash = 5381
  for (let i = 0; i < text.length; i += 1) hash = ((hash << 5) + hash) ^ text.charCodeAt(i)
  return Math.abs(hash)
}

/** Returns the 32-bit FNV-1a hash over UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

const hashes = { 'fnv-1a': fnv1a, djb2 }

/**
 * Returns a function that selects an entry by the hash of `prefix` and a path, as JSON text: the same path always gets
 * the same entry. Without entries, the text is `null`.
 */
function selectEntry(
  entries: readonly Entry[],
  { hash = 'fnv-1a', prefix = '' }: Readonly<{ hash?: keyof typeof hashes; prefix?: string }>
): (path: string) => string {
  const texts = entries.map(entry => JSON.stringify(entry))
  return path => texts[hashes[hash](prefix + path) % texts.length] ?? 'null'
}

const unsafe = /[^\x21-\x7e]|["<>\\^`{|}]/g

/** Makes a path safe for a header: characters that are not allowed in a URI are percent-encoded (RFC 3986 §2.1). */
const headerSafe = (path: string): string =>
  path.search(unsafe) === -1
    ? path
    : path.replace(unsafe, char => encodeURIComponent(char.isWellFormed() ? char : '\ufffd'))

/** Placeholder for the path of the answer in the text of the header, where the character is not allowed otherwise. */
const ownPath = '\0'

/**
 * Returns a function that writes the Link header of the answer at a path (RFC 8288). A relation type that is not
 * registered with IANA is sent under two names: the short one, and its URI as an extension relation type (§2.1.2).
 */
export function compileLinks({ service, byId }: Registry): (path: string) => string {
  const parts = service.links.map(({ rel, registered, surface, query, type }) => {
    const path = surface === undefined ? ownPath : (byId.get(surface)?.route.path ?? '/')
    const target = surface === undefined || query === undefined ? path : `${path}?${query}`
    const relation = registered ? rel : `${rel} ${service.base_url}/rels/${rel}`
    return `<${target}>; rel="${relation}"${type === undefined ? '' : `; type="${type}"`}`
  })
  const between = parts.join(', ').split(ownPath)
  return path => between.join(headerSafe(path))
}

/** Writes one link, to append to the links that `compileLinks` writes. */
export const link = (target: string, rel: string, language?: string): string =>
  `<${headerSafe(target)}>; rel="${rel}"${language === undefined ? '' : `; hreflang="${language}"`}`

/** Writes a link to the same content in another media type. */
export const alternate = (target: string, type: string): string => `${link(target, 'alternate')}; type="${type}"`

/** Returns what all pages of a registry have in common. */
export const siteOf = memoize((registry: Registry): Site => {
  const { service, surfaces, byId, assets, moved, language } = registry
  const folder = surfaces.find(({ serves }) => serves === 'assets')?.route.path
  const entries = surfaces.flatMap(surface => {
    const { page: { menu } = {}, route } = surface
    return menu === undefined ? [] : [{ ...menu, path: route.path, isStandard: isStandard(surface) }]
  })
  const taken = new Set(entries.filter(entry => !entry.isStandard).map(({ place }) => place))
  const menu = entries
    .filter(entry => !entry.isStandard || !taken.has(entry.place))
    .sort((a, b) => a.place - b.place)
    .map(({ label, path, asks }) => ({ label, path, ...(asks === undefined ? {} : { asks }) }))
  const home =
    surfaces.find(({ route, formats }) => route.path === `${moved?.base ?? ''}/` && formats[0] === 'html') ??
    surfaces.find(({ serves }) => serves === 'root')
  const pathOf = ({ file }: Asset): string | undefined => folder?.replace(/\{\w+\}/, file)
  const asset = (name: string): string | undefined => {
    const found = assets.get(name)
    return found === undefined ? undefined : pathOf(found)
  }
  const { logo, footer = [] } = service.theme
  const icon = iconOf(registry)
  const iconPath = icon === undefined ? undefined : pathOf(icon)
  return {
    name: service.name,
    summary: service.summary,
    origin: originOf(service.base_url),
    language,
    home: home?.route.path ?? '/',
    menu,
    icon:
      icon === undefined || iconPath === undefined
        ? undefined
        : { path: iconPath, mediaType: icon.mediaType.replace(/;.*/, '') },
    logo: logo === undefined ? undefined : asset(logo),
    feeds: surfaces.flatMap(({ route, access, formats, title }) =>
      isOpen(access) && formats.includes('atom') && !route.path.includes('{')
        ? [{ label: title, path: feedPath(route.path) }]
        : []
    ),
    footer: footer.map(({ label, href }) => ({ label, href: placeOf(registry)(href) })),
    ...(moved === undefined ? {} : { under: { base: moved.base, place: placeOf(registry) } }),
    pathOf: id => byId.get(id)?.route.path,
    asset
  }
})
