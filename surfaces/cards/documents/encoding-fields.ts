import { shownFields } from '../card-fields.ts'
import type { Cardinality, PropertyKind } from './parts.ts'

type Field = readonly [name: string, kind: PropertyKind, cardinality: Cardinality, meaning: string]
type BodyField = readonly [...Field, kinds: readonly string[]]

/** The members that every structural document has, in canonical order. */
export const preamble: readonly Field[] = [
  [
    '@content_hash',
    'sha256_hex',
    'required',
    'Hash of the identity of what is described; equal as long as the identity is equal. The recipe is in `hashing.content_hash`.'
  ],
  ['@encoding', 'encoding_identifier', 'required', 'The encoding the document is written in: this one.'],
  ['@kind', 'entity_kind', 'required', 'What the document describes.'],
  ['@retrieved_at', 'paired_time', 'required', 'When this answer was made.'],
  ['@self_hash', 'sha256_hex', 'required', 'Hash of this very document without this member.'],
  ['@source_license', 'labels', 'required', 'Rights label of each source, in the order of `@sources`.'],
  ['@sources', 'labels', 'required', 'Where the values come from.']
]

const cards = ['card', 'card_at_date']
const federation = ['federation_identify_response', 'federation_at_response']
const dated = ['card_at_date', 'federation_at_response']
const everywhere = [
  ...cards,
  'set',
  'game',
  'games_collection',
  'sets_collection',
  'set_choices',
  ...federation,
  'auction_state',
  'user_trust_state',
  'deck_legality_result',
  'encoding_spec'
]

/** The members that show facts of a card, from the table of card fields. */
const cardMembers: readonly BodyField[] = shownFields.map(([name, { kind, cardinality, meaning, also = [] }]) => [
  name,
  kind,
  cardinality,
  meaning,
  [...cards, ...also]
])

const otherFields: readonly BodyField[] = [
  [
    '@content_hash_contract',
    'decomposed_object',
    'required',
    'What the content hash is made of, in words of the document itself.',
    cards
  ],
  [
    '@as_of',
    'decomposed_object',
    'required',
    'The date that was asked for, and its last second as Unix time. It selects nothing.',
    dated
  ],
  ['@density', 'word', 'required', 'How much the document shows: sparse, normal or saturated.', ['card']],
  ['_links', 'links', 'optional', 'Related documents; absent from the sparse density.', everywhere],
  [
    '_note_opaque',
    'labels',
    'required',
    'Members whose values are words for people or conventions of a game.',
    everywhere
  ],
  ['auction', 'natural_token', 'required', 'Id of the auction.', ['auction_state']],
  ['auction_type', 'decomposed_object', 'required', 'English, Dutch or buy now, with its ordinal.', ['auction_state']],
  ['bid_count', 'count', 'required', 'Bids so far.', ['auction_state']],
  ['as_of_scope', 'decomposed_object', 'required', 'What the date stands for: nothing is reconstructed.', dated],
  ['cards', 'edges', 'required', 'Every card of the set, by number as people count, then variant, then SKU.', ['set']],
  ['cards_returned', 'count', 'required', 'Length of `cards`; nothing is left out.', ['set']],
  ['choices', 'edges', 'required', 'The sets that a code can mean, by game.', ['set_choices']],
  [
    'completeness',
    'decomposed_object',
    'required',
    'How many of the numbers that the set declares are held, as a ratio of whole numbers and as a decimal; null with the reason where it cannot be said, such as where the total may count the copies in a deck.',
    ['set']
  ],
  ['count', 'count', 'required', 'Length of the list.', ['games_collection', 'sets_collection', 'set_choices']],
  ['cover_image_url', 'withheld', 'nullable', 'Picture of the set.', ['set']],
  [
    'declared_card_count',
    'count',
    'nullable',
    'Sum of the totals that the sets of the game declare, some of which may count the copies in a deck; null when none does.',
    ['game']
  ],
  ['extensions', 'count', 'required', 'How often a late bid moved the end.', ['auction_state']],
  ['first_seen_at', 'paired_time', 'required', 'When the catalogue first held it.', ['set', 'game']],
  ['first_set_released_at', 'date', 'nullable', 'Earliest known release of a set.', ['game']],
  [
    'format_rules',
    'decomposed_object',
    'required',
    'What the format adds to the construction rules, of which day, and from where.',
    ['deck_legality_result']
  ],
  ['games', 'edges', 'required', 'All games, by token.', ['games_collection']],
  ['hash_contract', 'decomposed_object', 'required', 'Which hashes can be resolved.', federation],
  ['identity', 'decomposed_object', 'required', 'Who it is about, as they agreed.', ['user_trust_state']],
  ['image_url', 'withheld', 'nullable', 'Picture of the card.', cards],
  ['imported_card_count', 'count', 'required', 'Printings held, in all languages and variants.', ['set', 'game']],
  ['in_set', 'edge', 'required', 'The set the card belongs to.', cards],
  ['is_sold', 'truth', 'required', 'Whether it has a winner.', ['auction_state']],
  ['last_updated_at', 'paired_time', 'required', 'When a count of the game last changed.', ['game']],
  ['latest_set_released_at', 'date', 'nullable', 'Latest known release of a set.', ['game']],
  ['legal', 'truth', 'required', 'Whether no violation was found.', ['deck_legality_result']],
  ['matched', 'truth', 'required', 'Whether the hash belongs to something the catalogue holds now.', federation],
  ['membership', 'decomposed_object', 'required', 'Since when there is the account.', ['user_trust_state']],
  ['name', 'opaque_text', 'nullable', 'Name of the set or the game.', ['set', 'game']],
  ['natural_token', 'natural_token', 'required', 'Token of the game.', ['game']],
  [
    'neighbours',
    'decomposed_object',
    'optional',
    'What the set and the game are called; saturated density only.',
    ['card']
  ],
  ['order', 'opaque_text', 'required', 'How the sets are ordered.', ['sets_collection']],
  ['of_game', 'edge', 'required', 'The game it belongs to.', [...cards, 'set', 'sets_collection']],
  ['price', 'withheld', 'nullable', 'Price of the card.', cards],
  [
    'printed_code',
    'natural_token',
    'optional',
    'Code of the set as the upstream writes it; absent from the sparse density.',
    [...cards, 'set']
  ],
  [
    'price_unavailable_at_date',
    'decomposed_object',
    'required',
    'Why there is no price of that date.',
    ['card_at_date']
  ],
  ['pricing', 'decomposed_object', 'required', 'Amounts divided by the starting price; no amount.', ['auction_state']],
  [
    'printings_in',
    'decomposed_object',
    'required',
    'The printings that came in the set, as their sources say: how many, and the SKUs of the first thousand. `cards` are the numbers of the set, wherever they were printed.',
    ['set']
  ],
  ['publication_boundary', 'decomposed_object', 'optional', 'Why the withheld members are null.', [...cards, 'set']],
  ['query', 'decomposed_object', 'required', 'What was asked.', federation],
  [
    'recent_sets',
    'edges',
    'required',
    'Up to five sets with a known day of release, the latest first; none where no source gives a day.',
    ['game']
  ],
  ['recent_sets_basis', 'opaque_text', 'required', 'How the recent sets were chosen, or why there are none.', ['game']],
  [
    'released_at',
    'date',
    'nullable',
    'Release date. A set in several languages has one day here, the first that a source states: no source gives the day of each language.',
    ['set']
  ],
  ['released_note', 'opaque_text', 'nullable', 'What the upstream wrote where a date was expected.', ['set']],
  [
    'reserve_met',
    'truth',
    'nullable',
    'Whether the highest bid meets the reserve; null without one.',
    ['auction_state']
  ],
  ['resolved', 'edge', 'nullable', 'What the hash names.', federation],
  [
    'reviews',
    'decomposed_object',
    'required',
    'Mean of the stars divided by five, how many reviews, and how many of five stars.',
    ['user_trust_state']
  ],
  [
    'rights',
    'decomposed_object',
    'optional',
    'Rights of the whole and of its arrangement; absent from the sparse density.',
    everywhere
  ],
  ['scope', 'decomposed_object', 'required', 'How far was looked: the bound, and the rows examined.', federation],
  ['set_count', 'count', 'required', 'Sets held.', ['game']],
  ['set_name', 'opaque_text', 'nullable', 'The same as `name`.', ['set']],
  ['sets', 'edges', 'required', 'Sets of the game, in the order that `order` states.', ['sets_collection']],
  ['sets_collection', 'edge', 'required', 'The collection of the sets of the game.', ['game']],
  ['sibling_collection', 'edge', 'required', 'The collection this document belongs to.', ['set', 'game']],
  ['status', 'decomposed_object', 'required', 'State of the auction, with its ordinal.', ['auction_state']],
  [
    'substrate_honest_perimeter',
    'decomposed_object',
    'required',
    'What the check rests on, and the cards it could not judge for want of data.',
    ['deck_legality_result']
  ],
  ['suggestion', 'opaque_text', 'nullable', 'What to check when nothing matched.', federation],
  [
    'superseded_by',
    'decomposed_object',
    'nullable',
    'The held card that had the hash before, with the hash it has now.',
    federation
  ],
  [
    'summary',
    'decomposed_object',
    'required',
    'The deck as it was understood: its numbers, its Leader, its format.',
    ['deck_legality_result']
  ],
  ['timing', 'decomposed_object', 'required', 'When it begins, ends and ended.', ['auction_state']],
  ['total_cards', 'count', 'nullable', 'Number of cards the set declares.', ['set']],
  ['trades', 'decomposed_object', 'required', 'Completed trades.', ['user_trust_state']],
  [
    'trust',
    'decomposed_object',
    'required',
    'The score, its ratio to 100, and the tier with its ordinal.',
    ['user_trust_state']
  ],
  ['current_url', 'path', 'nullable', 'The document without a date.', ['federation_at_response']],
  ['universal_url', 'path', 'nullable', 'Document of what the hash names.', federation],
  [
    'violations',
    'decomposed_object',
    'required',
    'Every violation that was found, each with its code.',
    ['deck_legality_result']
  ],
  ['body_fields', 'decomposed_object', 'required', 'This list.', ['encoding_spec']],
  ['counts', 'decomposed_object', 'required', 'Lengths of the lists of this document.', ['encoding_spec']],
  ['encoding', 'encoding_identifier', 'required', 'The encoding that is described.', ['encoding_spec']],
  ['hashing', 'decomposed_object', 'required', 'How every hash is computed.', ['encoding_spec']],
  ['kinds', 'decomposed_object', 'required', 'The kinds of document.', ['encoding_spec']],
  ['preamble', 'decomposed_object', 'required', 'The members every document has.', ['encoding_spec']],
  ['property_kinds', 'decomposed_object', 'required', 'How values are to be read.', ['encoding_spec']],
  ['self_verification', 'decomposed_object', 'required', 'How to check this document with itself.', ['encoding_spec']],
  ['sku_grammar', 'decomposed_object', 'required', 'How identifiers of printings are built.', ['encoding_spec']],
  ['version', 'word', 'required', 'Version of the encoding.', ['encoding_spec']]
]

/**
 * All members except the preamble, each with the kinds of document that have it. The members that show facts of a card
 * are inserted in the order of names.
 */
export const bodyFields: readonly BodyField[] = cardMembers.reduce<readonly BodyField[]>((fields, member) => {
  const at = fields.findIndex(([name]) => name > member[0])
  return fields.toSpliced(at, 0, member)
}, otherFields)
