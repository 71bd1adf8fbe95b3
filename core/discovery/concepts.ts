import { isObject, type JsonObject, type JsonValue } from '../canonical/json.ts'
import type { Surface } from '../manifest/surface.ts'
import type { Registry } from '../registry/registry.ts'

/** A rule that selects the surfaces to which a concept applies. */
export type Rule = Readonly<{ facet: string; value: string }>
export type Relation = Readonly<{ to: string; kind: string }>

/** One entry of the corpus `concepts`: something that explains, grounds or checks surfaces. */
export type Concept = Readonly<{
  id: string
  kind: string
  label: string
  description: string
  path: string | null
  since: string | null
  appliesTo: readonly Rule[]
  relations: readonly Relation[]
  properties: JsonObject
}>

const textOr = <T>(value: JsonValue | undefined, otherwise: T): string | T =>
  typeof value === 'string' ? value : otherwise

const objectOr = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})

function pairs(value: JsonValue | undefined, first: string, second: string): (readonly [string, string])[] {
  if (!Array.isArray(value)) return []
  return (value as readonly JsonValue[]).flatMap(item => {
    if (!isObject(item)) return []
    return typeof item[first] === 'string' && typeof item[second] === 'string'
      ? [[item[first], item[second]] as const]
      : []
  })
}

/** Returns the concepts of a registry; none if no root has the corpus. */
export function conceptsOf(registry: Registry): readonly Concept[] {
  return (registry.corpora.get('concepts')?.entries ?? []).map(entry => ({
    id: textOr(entry.id, ''),
    kind: textOr(entry.kind, ''),
    label: textOr(entry.label, textOr(entry.id, '')),
    description: textOr(entry.description, ''),
    path: textOr(entry.path, null),
    since: textOr(entry.since, null),
    appliesTo: pairs(entry.applies_to, 'facet', 'value').map(([facet, value]) => ({ facet, value })),
    relations: pairs(entry.relations, 'to', 'kind').map(([to, kind]) => ({ to, kind })),
    properties: objectOr(entry.properties)
  }))
}

/** The facets that a rule may name, each with a function that returns a surface's words for it. */
const facets: Readonly<Record<string, (surface: Surface) => readonly string[]>> = {
  kind: surface => [surface.kind],
  contract: surface => [surface.contract],
  access: surface => surface.access,
  tag: surface => surface.tags,
  license: surface => [surface.license],
  provenance: surface => [surface.provenance],
  freshness: surface => [surface.freshness.key],
  stability: surface => [surface.stability]
}

export const applies = (rule: Rule, surface: Surface): boolean =>
  facets[rule.facet]?.(surface).includes(rule.value) ?? false

/** Returns the ids of the concepts of one kind that apply to a surface. */
export const conceptsFor = (concepts: readonly Concept[], kind: string, surface: Surface): readonly string[] =>
  concepts
    .filter(concept => concept.kind === kind && concept.appliesTo.some(rule => applies(rule, surface)))
    .map(concept => concept.id)
