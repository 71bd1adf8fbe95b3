import { hashCanonical, type JsonObject, type JsonValue } from 'pantry/data'
import { shownFields, type CardFacts } from './card-fields.ts'
import type { CardInFull } from './facts.ts'
import { nameOf } from './languages.ts'
import { aboutCard, linksOf, paths } from './links.ts'
import { seedOf } from './recipes.ts'
import { canonicalCode } from './set-code.ts'
import { edge, rights, withheld } from './document-members.ts'

/** The densities of a card document, which say how much of the card it shows. */
export const densities = ['sparse', 'normal', 'saturated'] as const

/** The content hashes of a card, its set and its game. */
type CardHashes = Readonly<{ contentHash: string; setHash: string; gameHash: string }>

export const hashesOf = ({ card, set, game }: CardInFull): CardHashes => ({
  contentHash: card.content_hash,
  setHash: set.content_hash,
  gameHash: game.content_hash
})

type Shown = typeof shownFields

/** Returns the members that show facts of a card. */
function membersOf(card: CardFacts, fields: Shown): Record<string, JsonValue> {
  const members: Record<string, JsonValue> = {}
  for (const [name, { show }] of fields) members[name] = show === undefined ? card[name] : show(card[name])
  return members
}

const identityFields = shownFields.filter(([, , isIdentity]) => isIdentity)

/** Returns the members that identify a card; its content hash is computed from them. */
const identity = (card: CardFacts): JsonObject => membersOf(card, identityFields)

/**
 * The order in the first published documents, which their hashes cover; later fields follow in the order of the table.
 */
const notedFirst = ['name', 'rarity.natural_label', 'variant.natural_label']
const opaqueOf = (fields: Shown): readonly string[] => {
  const paths = fields.flatMap(([, { opaque }]) => opaque ?? [])
  return [...notedFirst.filter(path => paths.includes(path)), ...paths.filter(path => !notedFirst.includes(path))]
}
const [opaqueIdentity, opaqueMembers] = [opaqueOf(identityFields), opaqueOf(shownFields)]

/** Returns the object that a card's `@content_hash` covers. */
export const cardSeed = (card: CardFacts): JsonObject => seedOf('card', identity(card))

export const cardContentHash = (card: CardFacts): string => hashCanonical(cardSeed(card))

/** The document member that says which members the content hash of a card covers. */
export const hashContract: JsonObject = {
  basis: ['sku', 'card_number', 'set_code', 'game', 'variant'],
  price_input: null,
  capture_date_input: null
}

/**
 * Returns the members that every density has: enough to recompute the content hash and to follow the links to set and
 * game.
 */
const sparseBody = (card: CardFacts, hashes: CardHashes): JsonObject => ({
  '@content_hash_contract': hashContract,
  '@density': 'sparse',
  ...identity(card),
  _note_opaque: opaqueIdentity,
  in_set: { target_hash: hashes.setHash },
  of_game: { target_hash: hashes.gameHash },
  price: null
})

/** The inputs of a card document other than the card. */
export type CardView = Readonly<{
  /** The ISO 8601 date in the path of `_links.temporal`. */
  date: string
  /** The languages wanted for the name, the most preferred first; an empty list means the stored name. */
  wanted: readonly string[]
  /** The member `rarity` as it is shown. */
  rarity: JsonValue
}>

/** Returns the normal document of a card, the one that is stored. Imports build it faster, see `card-text.ts`. */
export const normalBody = (card: CardFacts, hashes: CardHashes, { date, wanted, rarity }: CardView): JsonObject => {
  const set = paths.set(card.game, card.set_code)
  return {
    '@content_hash_contract': hashContract,
    '@density': 'normal',
    _links: linksOf({
      kind: 'card',
      connections: aboutCard(card.sku),
      canonical: paths.card(card.sku),
      pattern: '/api/v1/universal/card/{sku}',
      parent: set,
      siblings: set,
      contentHash: hashes.contentHash,
      temporal: paths.cardAt(date, card.sku)
    }),
    _note_opaque: opaqueMembers,
    ...membersOf(card, shownFields),
    image_url: null,
    in_set: edge('member_of_set', canonicalCode(card.set_code), hashes.setHash, set),
    name: nameOf(card, wanted),
    of_game: edge('in_game', card.game, hashes.gameHash, paths.game(card.game)),
    price: null,
    printed_code: card.set_code,
    publication_boundary: { price: withheld, image: withheld, text: withheld },
    rarity,
    rights
  }
}

/** Returns the normal document with the names in all languages and the facts of the set and game. */
const saturatedBody = (held: CardInFull, view: CardView): JsonObject => {
  const { card, set, game } = held
  const hashes = hashesOf(held)
  const normal = normalBody(card, hashes, view)
  return {
    ...normal,
    '@density': 'saturated',
    name: { ...(normal['name'] as JsonObject), translations: card.name_translations },
    neighbours: {
      set: {
        target_natural_token: canonicalCode(set.set_code),
        target_hash: hashes.setHash,
        set_name: set.name,
        total_cards: set.declared_total,
        imported_card_count: set.card_count,
        released_at: set.released_on,
        cover_image_url: null
      },
      game: {
        target_natural_token: game.game,
        target_hash: hashes.gameHash,
        set_count: game.set_count,
        imported_card_count: game.card_count,
        declared_card_count: game.declared_card_count
      }
    }
  }
}

/** Returns the body of a card document at a density. */
export function bodyOf(held: CardInFull, density: (typeof densities)[number], view: CardView) {
  switch (density) {
    case 'sparse':
      return sparseBody(held.card, hashesOf(held))
    case 'normal':
      return normalBody(held.card, hashesOf(held), view)
    case 'saturated':
      return saturatedBody(held, view)
  }
}
