import type { Static } from 'typebox'
import { Type } from '../canonical/type.ts'

const Text = Type.String({ minLength: 1 })
const closed = { additionalProperties: false }

/** The edge kinds of the concept graph, in the order in which the graph lists their counts. */
export const edgeKinds = [
  'grounds_in',
  'explained_by',
  'instance_of',
  'extended_by',
  'cites',
  'ships_in',
  'succeeds',
  'audited_by'
] as const
export type EdgeKind = (typeof edgeKinds)[number]

/**
 * How a property is computed for a concept: from its edges (their number, the names at the other end, or whether one
 * exists), or as the number of formats of the surface at the concept's path (1 if no surface answers there, 0 if the
 * concept has no path).
 */
const Computed = Type.Union([
  Type.Object({ show: Type.Literal('formats') }, closed),
  Type.Object(
    {
      show: Type.Enum(['count', 'names', 'exists']),
      direction: Type.Enum(['incoming', 'outgoing']),
      edge: Type.Enum(edgeKinds),
      of: Type.Optional(Text),
      not_of: Type.Optional(Text)
    },
    closed
  )
])
export type Computed = Readonly<Static<typeof Computed>>

export const propertyFields = {
  name: Text,
  type: Type.Enum(['boolean', 'number', 'enum', 'date', 'string']),
  description: Text,
  source: Type.Enum(['manifest', 'graph', 'audit', 'ontology', 'computed']),
  modality: Type.Enum(['observable', 'declared', 'derived']),
  nullable: Type.Optional(Type.Boolean()),
  enum_values: Type.Optional(Type.Array(Text, { minItems: 1 }))
}

/** One kind of concept of the ontology: an entry of the corpus `concept-kinds`. */
export const ConceptKind = Type.Object(
  {
    kind: Text,
    position: Type.Integer(),
    edge: Type.Optional(
      Type.Enum(edgeKinds, { description: 'How a surface relates to a concept of this kind that applies to it.' })
    ),
    description: Text,
    purpose: Type.String({ description: 'What the other parts of the service use the kind for.' }),
    limits: Type.String({ description: 'What a reader must not conclude from it.' }),
    properties: Type.Array(Type.Object({ ...propertyFields, computed: Type.Optional(Computed) }, closed))
  },
  closed
)
export type ConceptKind = Readonly<Static<typeof ConceptKind>>
