import type { Static } from 'typebox'
import type { JsonValue } from '../canonical/json.ts'
import { Type } from '../canonical/type.ts'
import { referredFields } from '../corpus/corpus.ts'
import { edgeKinds, type Computed, type ConceptKind, type EdgeKind } from '../manifest/concept-kind.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'
import { applies, conceptsOf, type Concept } from './concepts.ts'
import { Closed, Count, Counts, defineDocument, Instant, MapOf, Nullable, Path, Text } from './define.ts'
import { conceptKinds } from './ontology.ts'
import { countBy, newestDeclaration, documentPathOf, pick, usesStores } from './pointers.ts'

type Properties = Readonly<Record<string, JsonValue>>
type EdgeEnds = Readonly<Record<'from' | 'to' | 'kind', string>>

/** Whether requests surely change nothing: the surface uses no stores, or has only the method GET (RFC 9110 §9.2.1). */
const isKnownSafe = (surface: Surface): boolean =>
  !usesStores(surface) || surface.route.methods.every(method => method === 'GET')

export const resourceProperties = (surface: Surface): Properties => ({
  ...(isKnownSafe(surface) ? { idempotent: true, side_effecting: false } : {}),
  cache_ttl_seconds: surface.freshness.seconds,
  versioned: /[/.]v\d+(?=[/.]|$)/.test(surface.route.path),
  stability: surface.stability,
  carries_pii: surface.carriesPii,
  requires_consent: surface.requiresConsent,
  modality_count: surface.formats.length,
  ...(surface.languages === undefined ? {} : { languages: surface.languages.join(', ') }),
  // A property has a single value, so of several access kinds only the first is given.
  auth_kind: surface.access[0] ?? null,
  provenance_kind: surface.provenance,
  host: null,
  since: surface.since,
  method_count: surface.route.methods.length
})

function computedValue(
  { id, kind, path }: Concept,
  rule: Computed,
  edges: readonly EdgeEnds[],
  surfaces: readonly Surface[]
): JsonValue {
  if (rule.show === 'formats')
    return surfaces.find(surface => surface.route.path === path)?.formats.length ?? (path === null ? 0 : 1)
  const [own, other] = rule.direction === 'incoming' ? (['to', 'from'] as const) : (['from', 'to'] as const)
  const nodes = edges
    .filter(edge => edge.kind === rule.edge && edge[own] === `${kind}:${id}`)
    .map(edge => edge[other].split(/:(.*)/s))
    .filter(([kind]) => (rule.of === undefined || kind === rule.of) && kind !== rule.not_of)
  if (rule.show === 'count') return nodes.length
  if (rule.show === 'exists') return nodes.length > 0
  return nodes.length === 0 ? null : nodes.map(([, id]) => id).join(', ')
}

/** Returns the declared properties of a concept, and those that rules of its kind compute. */
export const conceptProperties = (
  concept: Concept,
  properties: ConceptKind['properties'],
  edges: readonly EdgeEnds[],
  surfaces: readonly Surface[]
): Properties => ({
  ...concept.properties,
  ...Object.fromEntries(
    properties.flatMap(({ name, computed }) =>
      computed === undefined ? [] : [[name, computedValue(concept, computed, edges, surfaces)]]
    )
  )
})

const Node = Closed({
  id: Text,
  kind: Text,
  label: Text,
  description: Type.String(),
  path: Nullable(Type.String()),
  since: Nullable(Text),
  properties: MapOf(
    Type.Union([Type.Boolean(), Type.Number(), Type.String(), Type.Null()]),
    'Properties that the ontology names for the kind. One that is neither declared nor computed is left out.'
  )
})
type Node = Readonly<Static<typeof Node>>
const Edge = Closed({ from: Text, to: Text, kind: Type.Enum(edgeKinds), via: Text })
type Edge = Readonly<Static<typeof Edge>>

const nodeId = ({ kind, id }: Pick<Concept, 'kind' | 'id'>): string => `${kind}:${id}`
const resourceId = ({ id }: Surface): string => `resource:${id}`
const isEdgeKind = (word: string): word is EdgeKind => (edgeKinds as readonly string[]).includes(word)

const ruleEdges = (surfaces: readonly Surface[], concept: Concept, kind: EdgeKind): Edge[] =>
  concept.appliesTo.flatMap(rule =>
    surfaces
      .filter(surface => applies(rule, surface))
      .map(surface => ({ from: resourceId(surface), to: nodeId(concept), kind, via: `${rule.facet} ${rule.value}` }))
  )

/** Returns the edges from surfaces that show a requested entry to those that list its corpus or pick from it. */
const corpusEdges = (surfaces: readonly Surface[]): Edge[] =>
  surfaces.flatMap(one =>
    surfaces.flatMap((list): Edge[] =>
      one.shows?.as === 'one' &&
      list.shows !== undefined &&
      list.shows.as !== 'one' &&
      one.shows.corpus === list.shows.corpus
        ? [{ from: resourceId(one), to: resourceId(list), kind: 'instance_of', via: `corpus ${one.shows.corpus}` }]
        : []
    )
  )

/** Returns the edges from surfaces that show entries to those that show the entries that their fields name. */
function fieldEdges({ surfaces, corpora }: Registry): Edge[] {
  const showing = (corpus: string, as: 'one' | 'list'): readonly Surface[] =>
    surfaces.filter(({ shows }) => shows?.corpus === corpus && shows.as === as)
  return [...corpora.values()].flatMap(({ name, schema }) =>
    referredFields(schema).flatMap(({ field, corpus }) => {
      const ones = showing(corpus, 'one')
      const targets = ones.length > 0 ? ones : showing(corpus, 'list')
      return surfaces
        .filter(({ shows }) => shows?.corpus === name)
        .flatMap(from =>
          targets
            .filter(to => to !== from)
            .map((to): Edge => ({ from: resourceId(from), to: resourceId(to), kind: 'cites', via: `field ${field}` }))
        )
    })
  )
}

function conceptEdges(concepts: readonly Concept[]): Edge[] {
  const nodes = new Map(concepts.map(concept => [concept.id, nodeId(concept)]))
  return concepts.flatMap(concept =>
    concept.relations.flatMap(({ to: id, kind }) => {
      const to = nodes.get(id)
      return to === undefined || !isEdgeKind(kind) ? [] : [{ from: nodeId(concept), to, kind, via: 'declared' }]
    })
  )
}

const methodologyEdges = (surfaces: readonly Surface[], concepts: readonly Concept[]): Edge[] =>
  surfaces.flatMap(surface =>
    concepts
      .filter(({ kind, id }) => kind === 'methodology' && id === surface.methodology)
      .map(concept => ({ from: resourceId(surface), to: nodeId(concept), kind: 'explained_by', via: 'declared' }))
  )

/**
 * Returns the whole graph. From one node to another, there is at most one edge of each kind; a declared edge replaces
 * one that follows from a rule.
 */
export function graphOf(registry: Registry) {
  const concepts = conceptsOf(registry)
  const { surfaces } = registry
  const kinds = new Map(conceptKinds(registry).map(kind => [kind.kind, kind]))
  const edgesByKey = new Map<string, Edge>()
  for (const edge of [
    ...methodologyEdges(surfaces, concepts),
    ...conceptEdges(concepts),
    ...corpusEdges(surfaces),
    ...fieldEdges(registry),
    ...concepts.flatMap(concept => {
      const kind = kinds.get(concept.kind)?.edge
      return kind === undefined ? [] : ruleEdges(surfaces, concept, kind)
    })
  ]) {
    const key = `${edge.from} ${edge.kind} ${edge.to}`
    if (!edgesByKey.has(key)) edgesByKey.set(key, edge)
  }
  const edges = [...edgesByKey.values()]
  const namedByOntology = (kind: string, values: Properties): Node['properties'] =>
    Object.fromEntries(
      (kinds.get(kind)?.properties ?? []).flatMap(({ name }) => {
        const value = values[name]
        return value === undefined || (typeof value === 'object' && value !== null) ? [] : [[name, value]]
      })
    )
  const nodes: Node[] = [
    ...surfaces.map(surface => ({
      id: resourceId(surface),
      kind: 'resource',
      label: surface.id,
      description: surface.summary,
      path: surface.route.path,
      since: surface.since,
      properties: namedByOntology('resource', resourceProperties(surface))
    })),
    ...concepts.map(concept => ({
      id: nodeId(concept),
      ...pick(concept, 'kind', 'label', 'description', 'path', 'since'),
      properties: namedByOntology(
        concept.kind,
        conceptProperties(concept, kinds.get(concept.kind)?.properties ?? [], edges, surfaces)
      )
    }))
  ]
  return { nodes, edges }
}

const Document = Closed({
  graph_version: Type.Literal('1.0.0'),
  description: Text,
  generated_at: Instant,
  node_count: Count,
  edge_count: Count,
  nodes: Type.Array(Node),
  edges: Type.Array(Edge),
  index: Closed({ by_kind: Counts, by_edge_kind: Counts }),
  ontology_url: Nullable(Path),
  manifest_url: Nullable(Path)
})

export const graph = defineDocument(Document)({
  build: registry => {
    const { nodes, edges } = graphOf(registry)
    const zero = (words: readonly string[]) => Object.fromEntries(words.map(word => [word, 0]))
    return {
      graph_version: '1.0.0',
      description:
        'Surfaces and concepts as nodes, with the properties that the ontology names. `via` names the rule or declaration that an edge comes from.',
      generated_at: newestDeclaration(registry),
      node_count: nodes.length,
      edge_count: edges.length,
      nodes,
      edges,
      index: {
        by_kind: { ...zero(conceptKinds(registry).map(kind => kind.kind)), ...countBy(nodes, node => node.kind) },
        by_edge_kind: { ...zero(edgeKinds), ...countBy(edges, edge => edge.kind) }
      },
      ontology_url: documentPathOf(registry, 'ontology'),
      manifest_url: documentPathOf(registry, 'manifest')
    }
  }
})
