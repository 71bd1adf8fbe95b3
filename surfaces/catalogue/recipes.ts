/** What all structural documents share: recipes of content hashes, kinds, paths and links, rights, and dates. */
import type { JsonObject, JsonValue } from 'pantry/data'

/** Where a member of the hashed object comes from: a JSON pointer (RFC 6901) into the document, or a constant. */
export type RecipePart = Readonly<{ pointer: string; when_absent?: JsonValue } | { constant: JsonValue }>
type Recipe = Readonly<Record<string, RecipePart>>

const member = (name: string): RecipePart => ({ pointer: `/${name}` })

const card = {
  captured_on: { constant: null },
  card_number: member('card_number'),
  game: member('game'),
  magnitude_gbp: { constant: null },
  set_code: member('set_code'),
  sku: member('sku'),
  variant: { pointer: '/variant/natural_label', when_absent: '' }
} as const satisfies Recipe

/**
 * The object that `@content_hash` covers, by `@kind`. The service computes hashes from this table and publishes it in
 * the encoding document, so that clients can recompute them. `encoding_spec` has no entry because its hash covers its
 * whole body.
 */
export const recipes = {
  card,
  // The dated document of a card has the same hash as the card, because a date does not select a version.
  card_at_date: card,
  set: {
    game: member('game'),
    imported_card_count: member('imported_card_count'),
    released_at: member('released_at'),
    set_code: member('set_code'),
    total_cards: member('total_cards')
  },
  game: {
    declared_card_count: member('declared_card_count'),
    game: member('game'),
    imported_card_count: member('imported_card_count'),
    set_count: member('set_count')
  },
  games_collection: { count: member('count'), games: member('games') },
  sets_collection: { count: member('count'), game: member('game'), sets: member('sets') },
  set_choices: { choices: member('choices'), count: member('count'), set_code: member('set_code') },
  federation_identify_response: { matched: member('matched'), query: member('query'), resolved: member('resolved') },
  federation_at_response: { matched: member('matched'), query: member('query'), resolved: member('resolved') },
  auction_state: {
    auction: member('auction'),
    auction_type: { pointer: '/auction_type/natural_token' },
    sku: member('sku')
  },
  user_trust_state: { username: { pointer: '/identity/username' }, trust: member('trust') },
  deck_legality_result: {
    deck_card_ids_sorted: { pointer: '/summary/deck_card_ids_sorted' },
    format: { pointer: '/summary/format' },
    leader_id: { pointer: '/summary/leader_id' },
    legal: member('legal'),
    violation_codes_sorted: { pointer: '/summary/violation_codes_sorted' }
  }
} as const satisfies Record<string, Recipe>

export type HashedKind = keyof typeof recipes

/** Returns the value at a JSON pointer; `undefined` when a step is missing. `null` at the end is a value. */
function read(document: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document
  for (const name of pointer.split('/').slice(1)) {
    if (value === undefined || value === null || typeof value !== 'object') return undefined
    value = (value as JsonObject)[name]
  }
  return value
}

/**
 * Returns the object that a document's `@content_hash` covers. Throws when the document lacks a member that its recipe
 * names.
 */
export function seedOf(kind: HashedKind, document: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries<RecipePart>(recipes[kind]).map(([name, part]) => {
      if ('constant' in part) return [name, part.constant]
      const found = read(document, part.pointer)
      const value = found === undefined ? part.when_absent : found
      if (value === undefined) {
        throw new TypeError(`A document of the kind \`${kind}\` needs \`${part.pointer}\` for its content hash.`)
      }
      return [name, value]
    })
  )
}
