import { Type, closed, Count, mirrorSchema, Text } from 'pantry/data'

const Field = {
  name: Text,
  property_kind: Text,
  cardinality: Type.Enum(['required', 'nullable', 'optional']),
  meaning: Text
}

const RecipePart = closed({
  pointer: Type.Optional(Text),
  when_absent: Type.Optional(Text),
  constant: Type.Optional(Type.Null())
})

/** The schema of the encoding document. */
export const EncodingSchema = mirrorSchema('encoding_spec', {
  _links: Type.Record(Text, Type.Unknown()),
  _note_opaque: Type.Array(Text),
  body_fields: Type.Array(closed({ ...Field, kinds: Type.Array(Text) })),
  counts: closed({ kinds: Count, preamble: Count, body_fields: Count, property_kinds: Count }),
  encoding: Text,
  hashing: closed({
    algorithm: Text,
    canonical_text: Text,
    self_hash: Text,
    edges: Text,
    content_hash: closed({
      rule: Text,
      by_kind: Type.Record(Text, Type.Record(Text, RecipePart)),
      encoding_spec: Text
    }),
    price_inputs: Text
  }),
  kinds: Type.Array(closed({ name: Text, meaning: Text })),
  preamble: Type.Array(closed(Field)),
  property_kinds: Type.Array(closed({ name: Text, meaning: Text, decodable_by: Text })),
  rights: closed({ aggregate: Text, structure: Text, field_level_lineage_available: Type.Boolean() }),
  self_verification: closed({ claim: Text, compare_to: Text }),
  sku_grammar: closed({
    form: Text,
    case: Text,
    maximum_length: Count,
    separator: Text,
    escapes: Type.Array(closed({ name: Text, value: Text })),
    injective: Text,
    language: Text,
    variant: Text,
    examples: Type.Array(Text)
  }),
  version: Text
})
