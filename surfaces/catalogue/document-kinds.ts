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
