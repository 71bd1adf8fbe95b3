import Type, { type Static } from 'typebox'
import { accessTable } from '../access/index.ts'
import type { Registry } from '../registry/registry.ts'
import { provenances, stabilities } from '../vocabulary/words.ts'
import { Closed, Count, defineDocument, Instant, Text } from './define.ts'
import { newestDeclaration } from './pointers.ts'

const Property = Closed({
  name: Text,
  type: Type.Enum(['boolean', 'number', 'enum', 'date', 'string']),
  description: Text,
  source: Type.Enum(['manifest', 'graph', 'audit', 'ontology', 'computed']),
  modality: Type.Enum(['observable', 'declared', 'derived']),
  nullable: Type.Optional(Type.Boolean()),
  enum_values: Type.Optional(Type.Array(Text, { minItems: 1 }))
})

/** One kind of the ontology, as its corpus entry has it. */
type OntologyKind = Readonly<{
  kind: string
  description: string
  /** What the other parts of the service use the kind for. */
  purpose: string
  /** What a reader must not conclude from it. */
  limits: string
  properties: readonly Static<typeof Property>[]
}>

/** The words of the properties of a resource whose list follows from the framework. */
const wordsOf = ({ access }: Registry['service']): Readonly<Record<string, readonly string[]>> =>
  ({ auth_kind: Object.keys(accessTable(access)), provenance_kind: provenances, stability: stabilities })

/** Named where a surface has it, so that a service without languages describes none. */
const languages: Static<typeof Property> = { name: 'languages', type: 'string', description: 'Tags of the languages of the content, the default first, joined by commas.', source: 'manifest', modality: 'declared', nullable: true }

const withWords = ({ surfaces }: Registry, words: ReturnType<typeof wordsOf>) => (kind: OntologyKind): OntologyKind => kind.kind !== 'resource' ? kind : {
  ...kind,
  properties: [...kind.properties.map(property => {
    const list = words[property.name]
    return list === undefined ? property : { ...property, enum_values: [...list] }
  }), ...surfaces.some(surface => surface.languages !== undefined) ? [languages] : []]
}

/** The kinds in reading order. The corpus belongs to the framework's own root, whose schema has exactly these fields. */
export const ontologyKinds = (registry: Registry): readonly OntologyKind[] =>
  ((registry.corpora.get('ontology')?.entries ?? []) as readonly OntologyKind[]).map(withWords(registry, wordsOf(registry.service)))

const Document = Closed({
  ontology_version: Type.Literal('1.0.0'),
  description: Text,
  generated_at: Instant,
  kinds: Type.Array(Closed({ kind: Text, description: Text, properties: Type.Array(Property) })),
  index: Closed({ kind_count: Count, property_count: Count })
})

export const ontology = defineDocument(Document)({
  build: registry => {
    const kinds = ontologyKinds(registry).map(({ kind, description, properties }) => ({ kind, description, properties }))
    return {
      ontology_version: '1.0.0',
      description: 'The kinds of thing this service describes and the properties each may have. `modality` says whether a value is seen from outside, ' +
        'stated by the authors, or computed from other values.',
      generated_at: newestDeclaration(registry),
      kinds,
      index: { kind_count: kinds.length, property_count: kinds.reduce((sum, kind) => sum + kind.properties.length, 0) }
    }
  }
})
