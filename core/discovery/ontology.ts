import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'
import { accessTable } from '../access/index.ts'
import { propertyFields, type ConceptKind } from '../manifest/concept-kind.ts'
import type { Registry } from '../registry/registry.ts'
import { provenances, stabilities } from '../vocabulary/words.ts'
import { Closed, Count, defineDocument, Instant, ListOf, Text } from './define.ts'
import { omit } from './plain-schema.ts'
import { newestDeclaration } from './pointers.ts'

const Property = Closed(propertyFields)

/** Returns the words of the framework and the service that are the enum values of properties of the kind `resource`. */
const wordsOf = ({ access, hosts }: Registry['service']): Readonly<Record<string, readonly string[]>> => ({
  auth_kind: Object.keys(accessTable(access)),
  provenance_kind: provenances,
  stability: stabilities,
  host: hosts
})

/** A property of the kind `resource`, which has it only if a surface has languages. */
const languages: Static<typeof Property> = {
  name: 'languages',
  type: 'string',
  description: 'Tags of the languages of the content, the default first, joined by commas.',
  source: 'manifest',
  modality: 'declared',
  nullable: true
}

function withWords(kind: ConceptKind, { service, surfaces }: Registry): ConceptKind {
  if (kind.kind !== 'resource') return kind
  const words = wordsOf(service)
  const properties = kind.properties
    .map(property => {
      const list = words[property.name]
      return list === undefined ? property : { ...property, enum_values: [...list] }
    })
    .filter(({ enum_values: list }) => list?.length !== 0)
  const hasLanguages = surfaces.some(surface => surface.languages !== undefined)
  return { ...kind, properties: hasLanguages ? [...properties, languages] : properties }
}

/**
 * Returns the kinds of concepts of the framework, then those of the corpus `concept-kinds`; the registry has checked
 * both.
 */
export const conceptKinds = (registry: Registry): readonly ConceptKind[] =>
  ['ontology', 'concept-kinds']
    .flatMap(name => (registry.corpora.get(name)?.entries ?? []) as readonly unknown[] as readonly ConceptKind[])
    .map(kind => withWords(kind, registry))

const Document = Closed({
  ontology_version: Type.Literal('1.0.0'),
  description: Text,
  generated_at: Instant,
  kinds: ListOf({ kind: Text, description: Text, properties: Type.Array(Property) }),
  index: Closed({ kind_count: Count, property_count: Count })
})

export const ontology = defineDocument(Document)({
  build: registry => {
    const kinds = conceptKinds(registry).map(({ kind, description, properties }) => ({
      kind,
      description,
      // The rule that computes a property is not published.
      properties: properties.map(property => omit(property, 'computed'))
    }))
    return {
      ontology_version: '1.0.0',
      description:
        'The kinds of thing this service describes and the properties each may have. `modality` says whether a value is seen from outside, ' +
        'stated by the authors, or computed from other values.',
      generated_at: newestDeclaration(registry),
      kinds,
      index: { kind_count: kinds.length, property_count: kinds.reduce((sum, kind) => sum + kind.properties.length, 0) }
    }
  }
})
