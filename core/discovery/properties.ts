import type { JsonValue } from '../canonical/json.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Concept } from './concepts.ts'
import { usesStores } from './pointers.ts'

export type Properties = Readonly<Record<string, JsonValue>>
type Edge = Readonly<{ from: string, to: string, kind: string }>

/** Without stores a request cannot change anything; with them the methods decide (RFC 9110 section 9.2.1). */
const isKnownSafe = (surface: Surface): boolean => !usesStores(surface) || surface.route.methods.every(method => method === 'GET')

/**
 * What the declaration of a surface says about the properties of a resource. Whether an answer is about a person is not
 * declared, so `carries_pii` and `requires_consent` are left out rather than guessed.
 */
export const resourceProperties = (surface: Surface): Properties => ({
  ...(isKnownSafe(surface) ? { idempotent: true, side_effecting: false } : {}),
  cache_ttl_seconds: surface.freshness.seconds,
  versioned: /[/.]v\d+(?=[/.]|$)/.test(surface.route.path),
  stability: surface.stability,
  modality_count: surface.formats.length,
  ...(surface.languages === undefined ? {} : { languages: surface.languages.join(', ') }),
  auth_kind: surface.access,
  provenance_kind: surface.provenance,
  host: null,
  since: surface.since,
  method_count: surface.route.methods.length
})

/** The declared properties of a concept, and those that follow from its edges. */
export function conceptProperties ({ id, kind, path, properties }: Concept, edges: readonly Edge[], surfaces: readonly Surface[]): Properties {
  const self = `${kind}:${id}`
  const to = (edgeKind: string, from = ''): readonly Edge[] => edges.filter(edge => edge.to === self && edge.kind === edgeKind && edge.from.startsWith(from))
  const from = (edgeKind: string): readonly Edge[] => edges.filter(edge => edge.from === self && edge.kind === edgeKind)
  const names = (nodes: readonly string[]): string | null => nodes.length === 0 ? null : nodes.map(node => node.slice(node.indexOf(':') + 1)).join(', ')
  const targets = (edgeKind: string): string | null => names(from(edgeKind).map(edge => edge.to))
  const computed: Readonly<Record<string, () => Properties>> = {
    cosmology_axis: () => ({ extension_count: from('extended_by').length, resource_grounding_count: to('grounds_in', 'resource:').length }),
    methodology: () => ({
      instantiates_doctrine: targets('instance_of'),
      formats_count: surfaces.find(surface => surface.route.path === path)?.formats.length ?? (path === null ? 0 : 1)
    }),
    doctrine: () => ({ methodology_instantiation_count: to('instance_of', 'methodology:').length }),
    connection_doc: () => ({
      ships_in_kingdom: targets('ships_in'),
      outbound_citation_count: from('cites').length,
      inbound_citation_count: to('cites').filter(edge => !edge.from.startsWith('resource:')).length
    }),
    kingdom: () => ({ succeeds: targets('succeeds'), produces_connection_doc: to('ships_in', 'connection_doc:').length > 0 }),
    audit: () => ({ doctrine_instantiated: names(to('audited_by', 'doctrine:').map(edge => edge.from)) })
  }
  return { ...properties, ...computed[kind]?.() }
}
