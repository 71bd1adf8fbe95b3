import type { JsonObject } from '../canonical/json.ts'
import type { EnvelopeMember, Service } from '../manifest/service.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { selectEntry } from './selection.ts'

/** The facts in `_meta` about the surface that answers. */
export type MetaFacts = Readonly<{
  sources: readonly string[]
  sourceLicense: readonly string[]
  freshnessSeconds: number
  license: string
  doesNotInclude: readonly string[]
  containsSelf: boolean
  deprecation: JsonObject | null
  /** The language of the answer; only if its content has languages. */
  language?: JsonObject | undefined
  /** Path and query of the next page, if there is one. */
  nextLink?: string | undefined
}>

/** JSON text of `_meta`, split where the values of `retrieved_at` and `request_id` go. */
type MetaText = readonly [beforeTime: string, beforeId: string, end: string]

/**
 * Writes `_meta` for one registry: the standard fields in a fixed order, then the members that the service declares.
 */
export type MetaWriter = (path: string, asOf: string, facts: MetaFacts) => MetaText

export function compileMeta(registry: Registry): MetaWriter {
  const { service, corpora } = registry
  const text = (member: EnvelopeMember): ((path: string) => string) => {
    if ('corpus' in member) return selectEntry(corpora.get(member.corpus)?.entries ?? [], member)
    const fixed = JSON.stringify(member.value)
    return () => fixed
  }
  const members = Object.entries(service.envelope).map(([name, member]) => ({
    name: JSON.stringify(name),
    text: text(member)
  }))
  const head = `{"spec_version":${JSON.stringify(service.spec_version)},"endpoint":`
  /** Texts already written, by facts object: many answers share their facts. */
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

/** Returns the text of the facts in `_meta`, before and after the path of the answer. */
const factsText = (facts: MetaFacts): Readonly<{ before: string; after: string }> => ({
  before:
    `","sources":${JSON.stringify(facts.sources)},"source_license":${JSON.stringify(facts.sourceLicense)}` +
    `,"freshness_seconds":${facts.freshnessSeconds},"license":${JSON.stringify(facts.license)},"deprecation":${JSON.stringify(facts.deprecation)},"next_link":${JSON.stringify(facts.nextLink ?? null)}` +
    (facts.language === undefined ? '' : `,"language":${JSON.stringify(facts.language)}`) +
    ',"self_reference":{"this_endpoint":',
  after: `,"contains_self":${facts.containsSelf}},"does_not_include":${JSON.stringify(facts.doesNotInclude)}`
})

const licenseLabels = (service: Service, sources: readonly string[]): readonly string[] =>
  sources.map(source => service.tiers[service.sources[source]?.license ?? '']?.label ?? 'noassertion')

/**
 * Returns the deprecation notice of a surface: `date`, `sunset`, `successor` (a path) and `reason`; null if it is not
 * deprecated.
 */
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
 * Returns the facts of an answer that no surface gives: its source is the service's first open one, and it is stale at
 * once.
 */
export function unclaimedFacts(service: Service): MetaFacts {
  const own = Object.keys(service.sources)
    .filter(label => service.tiers[service.sources[label]?.license ?? '']?.open === true)
    .slice(0, 1)
  const license = service.sources[own[0] ?? '']?.license ?? 'NOASSERTION'
  return {
    sources: own,
    sourceLicense: licenseLabels(service, own),
    freshnessSeconds: 0,
    license,
    doesNotInclude: [],
    containsSelf: false,
    deprecation: null
  }
}

/** The shape of all errors of the service. */
export type ErrorBody = Readonly<{ code: string; status: number; message: string; details?: JsonObject; docs: string }>
