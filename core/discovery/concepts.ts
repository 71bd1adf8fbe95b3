import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import type { Surface } from '../manifest/surface.ts'
import { placeOf } from '../registry/place.ts'
import type { Registry } from '../registry/registry.ts'

/**
 * One entry of the corpus `concepts`: something that explains, grounds or checks surfaces. `appliesTo`: the facets of
 * surfaces that it applies to; `relations`: ids of other concepts, each with the kind of the edge.
 */
export type Concept = Readonly<{
  id: string
  kind: string
  label: string
  description: string
  path: string | null
  since: string | null
  appliesTo: readonly Rule[]
  relations: readonly Readonly<{ to: string; kind: string }>[]
  properties: JsonObject
}>

type Rule = Readonly<{ facet: string; value: string }>

const textOr = <T>(value: JsonValue | undefined, otherwise: T): string | T =>
  typeof value === 'string' ? value : otherwise

/** Returns the text members `a` and `b` of each item of a list; items that lack one of them are left out. */
const pairsIn = <A extends string, B extends string>(value: JsonValue | undefined, a: A, b: B) =>
  (Array.isArray(value) ? (value as readonly JsonValue[]) : []).flatMap(item =>
    isObject(item) && typeof item[a] === 'string' && typeof item[b] === 'string'
      ? [{ [a]: item[a], [b]: item[b] } as Readonly<Record<A | B, string>>]
      : []
  )

/** Returns the entries of the corpus `concepts`, whose schema is the service's own; none if no root has the corpus. */
export const conceptsOf = (registry: Registry): readonly Concept[] =>
  (registry.corpora.get('concepts')?.entries ?? []).map(entry => ({
    id: textOr(entry.id, ''),
    kind: textOr(entry.kind, ''),
    label: textOr(entry.label, textOr(entry.id, '')),
    description: textOr(entry.description, ''),
    path: typeof entry.path === 'string' ? placeOf(registry)(entry.path) : null,
    since: textOr(entry.since, null),
    appliesTo: pairsIn(entry.applies_to, 'facet', 'value'),
    relations: pairsIn(entry.relations, 'to', 'kind'),
    properties: isObject(entry.properties) ? entry.properties : {}
  }))

const facets: Readonly<Record<string, (surface: Surface) => string | readonly string[]>> = {
  kind: surface => surface.kind,
  contract: surface => surface.contract,
  access: surface => surface.access,
  tag: surface => surface.tags,
  license: surface => surface.license,
  provenance: surface => surface.provenance,
  freshness: surface => surface.freshness.key,
  stability: surface => surface.stability
}

export const applies = ({ facet, value }: Rule, surface: Surface): boolean =>
  Object.hasOwn(facets, facet) && [facets[facet]?.(surface)].flat().includes(value)

/** Returns the ids of the concepts of one kind that apply to a surface. */
export const conceptsFor = (concepts: readonly Concept[], kind: string, surface: Surface): readonly string[] =>
  concepts
    .filter(concept => concept.kind === kind && concept.appliesTo.some(rule => applies(rule, surface)))
    .map(({ id }) => id)
