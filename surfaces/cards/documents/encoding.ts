import {
  closed,
  Count,
  mirrorDocument,
  mirrorSchema,
  Text,
  Type,
  type JsonObject,
  type JsonValue,
  type MirrorText
} from 'pantry/data'
import { skuLimit } from '../sku.ts'
import { bodyFields, preamble } from './encoding-fields.ts'
import { documentKinds, linksOf, paths, propertyKinds, recipes } from './parts.ts'

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

const named = (table: Readonly<Record<string, JsonValue>>): JsonValue =>
  Object.entries(table).map(([name, value]) => ({ name, value }))

const hashing: JsonObject = {
  algorithm:
    'SHA-256 over the UTF-8 bytes of the canonical text, written as 64 lowercase hexadecimal digits without a prefix.',
  canonical_text:
    'RFC 8785 (JSON Canonicalization Scheme): no white space, member names in UTF-16 code unit order, numbers as ECMAScript writes them. A text with an unpaired surrogate has no canonical form and is never published.',
  self_hash: 'Remove the member `@self_hash`, take the canonical text of the rest, hash it.',
  edges: 'A `target_hash` equals the `@content_hash` of the document it points to.',
  content_hash: {
    rule: "Build an object with the members listed for the document's `@kind`; hash its canonical text. A part with `constant` has that value. A part with `pointer` has the value at that JSON pointer (RFC 6901) of the document; where the pointer leads nowhere, the value of `when_absent`.",
    by_kind: recipes,
    encoding_spec: 'The object is the body of the document: all its members whose names do not start with `@`.'
  },
  price_inputs:
    'The content hash of a card has fixed nulls where an earlier scheme had a price and its date. Hashes of that scheme are not supported.'
}

const skuGrammar: JsonObject = {
  form: '<game>-<set>-<number>-<lang>[-<variant>]',
  case: 'Lowercase. Lookups fold A-Z first.',
  maximum_length: skuLimit,
  separator: 'The hyphen separates the parts and occurs nowhere else.',
  escapes: named({
    'a-z and 0-9': 'stand for themselves',
    'capital letters': 'are lowercased first: identities that differ only in case are one identity',
    'hyphen (-)': 'becomes _',
    'space ( )': 'becomes .',
    'every other character':
      'becomes ~ and two hexadecimal digits for each byte of its UTF-8 form; so _ . and ~ themselves are written ~5f ~2e ~7e'
  }),
  injective:
    'Two different native identities never share a SKU: each part can be decoded again, and the parts are fixed in number.',
  language: 'A BCP 47 tag in lowercase; its hyphens become _ as in every part, so zh-hans is written zh_hans.',
  variant: 'Absent for the ordinary printing.',
  examples: ['op-op01-001-en', 'op-op01-001-ja', 'op-op01-001-en-p1']
}

/** Builds the encoding document: everything that clients need to recompute all hashes by themselves. */
export function encodingDocument(encoding: string): MirrorText {
  const body: JsonObject = {
    _links: linksOf({
      kind: 'encoding_spec',
      canonical: paths.encoding,
      pattern: paths.encoding,
      connections: [paths.games]
    }),
    _note_opaque: [
      'preamble[].meaning',
      'body_fields[].meaning',
      'kinds[].meaning',
      'property_kinds[].meaning',
      'hashing',
      'sku_grammar',
      'self_verification.claim'
    ],
    body_fields: bodyFields.map(([name, propertyKind, cardinality, meaning, of]) => ({
      name,
      property_kind: propertyKind,
      cardinality,
      meaning,
      kinds: of
    })),
    counts: {
      kinds: Object.keys(documentKinds).length,
      preamble: preamble.length,
      body_fields: bodyFields.length,
      property_kinds: Object.keys(propertyKinds).length
    },
    encoding,
    hashing,
    kinds: Object.entries(documentKinds).map(([name, meaning]) => ({ name, meaning })),
    preamble: preamble.map(([name, propertyKind, cardinality, meaning]) => ({
      name,
      property_kind: propertyKind,
      cardinality,
      meaning
    })),
    property_kinds: Object.entries(propertyKinds).map(([name, [meaning, decodableBy]]) => ({
      name,
      meaning,
      decodable_by: decodableBy
    })),
    rights: { aggregate: 'CC0-1.0', structure: 'CC0-1.0', field_level_lineage_available: true },
    self_verification: {
      claim:
        'The members of this document whose names start with `@` are exactly the names in `preamble`, its `@kind` is one of `kinds`, and its `@content_hash` covers its own body.',
      compare_to: 'preamble'
    },
    sku_grammar: skuGrammar,
    version: encoding.slice(encoding.lastIndexOf('/') + 1)
  }
  return mirrorDocument({
    encoding,
    kind: 'encoding_spec',
    seed: body,
    body,
    sources: ['self'],
    sourceLicense: ['cc0']
  })
}
