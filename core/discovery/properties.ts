import type { JsonValue } from '../canonical/json.ts'
import type { Computed, ConceptKind } from '../manifest/concept-kind.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Concept } from './concepts.ts'
import { usesStores } from './pointers.ts'

export type Properties = Readonly<Record<string, JsonValue>>
type Edge = Readonly<{ from: string; to: string; kind: string }>

/**
 * Whether a request is known to change nothing: the surface uses no stores, or it answers only GET (RFC 9110 section
 * 9.2.1).
 */
const isKnownSafe = (surface: Surface): boolean =>
  !usesStores(surface) || surface.route.methods.every(method => method === 'GET')

/** Returns the property values of a `resource` that follow from the surface's declaration. */
export const resourceProperties = (surface: Surface): Properties => ({
  ...(isKnownSafe(surface) ? { idempotent: true, side_effecting: false } : {}),
  cache_ttl_seconds: surface.freshness.seconds,
  versioned: /[/.]v\d+(?=[/.]|$)/.test(surface.route.path),
  stability: surface.stability,
  carries_pii: surface.carriesPii,
  requires_consent: surface.requiresConsent,
  modality_count: surface.formats.length,
  ...(surface.languages === undefined ? {} : { languages: surface.languages.join(', ') }),
  // A property has one value, so only the first access kind is given.
  auth_kind: surface.access[0] ?? null,
  provenance_kind: surface.provenance,
  host: null,
  since: surface.since,
  method_count: surface.route.methods.length
})

function computedValue(
  { id, kind, path }: Concept,
  rule: Computed,
  edges: readonly Edge[],
  surfaces: readonly Surface[]
): JsonValue {
  if (rule.show === 'formats')
    return surfaces.find(surface => surface.route.path === path)?.formats.length ?? (path === null ? 0 : 1)
  const [own, other] = rule.direction === 'incoming' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  const isOf = (node: string, wanted: string | undefined): boolean =>
    wanted !== undefined && node.startsWith(`${wanted}:`)
  const nodes = edges
    .filter(edge => edge.kind === rule.edge && edge[own] === `${kind}:${id}`)
    .map(edge => edge[other])
    .filter(node => (rule.of === undefined || isOf(node, rule.of)) && !isOf(node, rule.not_of))
  if (rule.show === 'count') return nodes.length
  if (rule.show === 'exists') return nodes.length > 0
  return nodes.length === 0 ? null : nodes.map(node => node.slice(node.indexOf(':') + 1)).join(', ')
}

/** Returns the declared properties of a concept, and those that are computed by rules of its kind. */
export const conceptProperties = (
  concept: Concept,
  properties: ConceptKind['properties'],
  edges: readonly Edge[],
  surfaces: readonly Surface[]
): Properties => ({
  ...concept.properties,
  ...Object.fromEntries(
    properties.flatMap(({ name, computed }) =>
      computed === undefined ? [] : [[name, computedValue(concept, computed, edges, surfaces)]]
    )
  )
})
