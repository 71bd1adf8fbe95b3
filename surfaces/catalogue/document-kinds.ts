import type { HashedKind } from './recipes.ts'

/** The possible values of `@kind` of a structural document. */
export type DocumentKind = HashedKind | 'encoding_spec'

/** The meaning of each kind of structural document, in the order of the encoding document. */
export const documentKinds: Readonly<Record<DocumentKind, string>> = {
  card: 'One printing of a card.',
  card_at_date: 'One printing of a card, asked for under a date. The facts are those of today.',
  set: 'One set, with its cards.',
  game: 'One game, with up to five sets, the latest release first and undated ones last.',
  games_collection: 'All games.',
  sets_collection: 'The sets of one game.',
  set_choices: 'The sets that an ambiguous code can mean.',
  federation_identify_response: 'What a content hash names.',
  federation_at_response: 'What a content hash names, asked for under a date. The answer is that of today.',
  auction_state: 'An auction between members, as ratios to its starting price, ordinals and times.',
  user_trust_state: 'How somebody who agreed to it traded, as ratios and ordinals.',
  deck_legality_result: 'What a check of a deck found.',
  encoding_spec: 'The encoding itself.'
}

/** The kinds of values, each with its meaning and `decodable_by`, which says what a client needs to read it. */
export const propertyKinds = {
  encoding_identifier: [
    'Names the encoding and its version.',
    'Any reader: the part after the last `/` is the version.'
  ],
  entity_kind: ['Names what the document describes.', 'Any reader, with the list `kinds` of this document.'],
  sha256_hex: [
    'SHA-256, 64 lowercase hexadecimal digits, over UTF-8 bytes.',
    'Any reader, with the section `hashing`.'
  ],
  paired_time: ['One moment twice: ISO 8601 in UTC with milliseconds, and whole Unix seconds.', 'Any reader.'],
  date: ['A calendar date, ISO 8601.', 'Any reader.'],
  count: ['A whole number, zero or more.', 'Any reader.'],
  truth: ['true or false.', 'Any reader.'],
  word: ['One word of a closed list.', 'Any reader, with the list given beside it.'],
  labels: ['A list of short words.', 'Any reader.'],
  path: ['A path of this service.', 'Any reader that can ask this service.'],
  links: ['Named paths to related documents; null where there is none.', 'Any reader that can ask this service.'],
  edge: [
    'A typed pointer to another structural document, by token, content hash and path.',
    'Any reader: follow the path and compare the hashes.'
  ],
  edges: ['A list of edges, each with a few facts about its target.', 'Any reader.'],
  natural_token: [
    'An identifier as its upstream or its publisher writes it.',
    'Compare for equality; its inner form is a convention of the game.'
  ],
  opaque_text: ['Words for people, in a natural language.', 'Readers of that language.'],
  decomposed_object: ['A value taken apart into named members.', 'Any reader, member by member.'],
  withheld: [
    'Always null, because the rights to publish the value are not known.',
    'Any reader: null is not a statement about the value.'
  ]
} as const satisfies Record<string, readonly [description: string, decodableBy: string]>

export type PropertyKind = keyof typeof propertyKinds
export type Cardinality = 'required' | 'nullable' | 'optional'
