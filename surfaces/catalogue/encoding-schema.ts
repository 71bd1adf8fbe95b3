import Type from 'typebox'
import { mirrorSchema } from '../../core/contract/mirror-schema.ts'

const closed = { additionalProperties: false }
const Text = Type.String()
const Field = { name: Text, property_kind: Text, cardinality: Type.Enum(['required', 'nullable', 'optional']), meaning: Text }
const Count = Type.Integer({ minimum: 0 })

const RecipePart = Type.Object({ pointer: Type.Optional(Text), when_absent: Type.Optional(Text), constant: Type.Optional(Type.Null()) }, closed)

/** The encoding document. */
export const EncodingSchema = mirrorSchema('encoding_spec', {
  _links: Type.Record(Text, Type.Unknown()),
  _note_opaque: Type.Array(Text),
  body_fields: Type.Array(Type.Object({ ...Field, kinds: Type.Array(Text) }, closed)),
  counts: Type.Object({ kinds: Count, preamble: Count, body_fields: Count, property_kinds: Count }, closed),
  encoding: Text,
  hashing: Type.Object({
    algorithm: Text,
    canonical_text: Text,
    self_hash: Text,
    edges: Text,
    content_hash: Type.Object({ rule: Text, by_kind: Type.Record(Text, Type.Record(Text, RecipePart)), encoding_spec: Text }, closed),
    price_inputs: Text
  }, closed),
  kinds: Type.Array(Type.Object({ name: Text, meaning: Text }, closed)),
  preamble: Type.Array(Type.Object(Field, closed)),
  property_kinds: Type.Array(Type.Object({ name: Text, meaning: Text, decodable_by: Text }, closed)),
  rights: Type.Object({ aggregate: Text, structure: Text, field_level_lineage_available: Type.Boolean() }, closed),
  self_verification: Type.Object({ claim: Text, compare_to: Text }, closed),
  sku_grammar: Type.Object({
    form: Text,
    case: Text,
    maximum_length: Count,
    separator: Text,
    escapes: Type.Array(Type.Object({ name: Text, value: Text }, closed)),
    injective: Text,
    language: Text,
    variant: Text,
    examples: Type.Array(Text)
  }, closed),
  version: Text
})
