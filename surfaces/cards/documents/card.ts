import { hashCanonical, mirrorDocument, sha256Hex, type JsonObject, type JsonValue, type MirrorText } from 'pantry/data'
import { dayOf } from '../../common/calendar.ts'
import { shownFields, type CardFacts } from '../card-fields.ts'
import { nameOf } from '../languages.ts'
import type { RarityText } from '../rarities.ts'
import type { CardInFull } from '../rows.ts'
import { canonicalCode } from '../sku.ts'
import { aboutCard, datedMembers, edge, licenseLabels, linksOf, paths, rights, seedOf, withheld } from './parts.ts'

/** The densities of a card document: how much of the card it shows. */
export const densities = ['sparse', 'normal', 'saturated'] as const

type CardHashes = Readonly<{ contentHash: string; setHash: string; gameHash: string }>

const hashesOf = ({ card, set, game }: CardInFull): CardHashes => ({
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

/** Returns the members that identify a card; its content hash covers all of them except `lang`. */
const identity = (card: CardFacts): JsonObject => membersOf(card, identityFields)

/**
 * The paths that `_note_opaque` lists first, in the order of the first published documents; other paths follow in the
 * order of the table.
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

/** Returns the body of the sparse document: enough to recompute the content hash, and the hashes of set and game. */
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
type CardView = Readonly<{
  /** The ISO 8601 date in the path of `_links.temporal`. */
  date: string
  /** The languages wanted for the name, the most preferred first; an empty list means the stored name. */
  wanted: readonly string[]
  /** The member `rarity` as it is shown. */
  rarity: JsonValue
}>

/**
 * Returns the body of the normal document of a card, which is the stored one. Imports build it faster, see
 * `card-row.ts`.
 */
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

/** Returns the body of the normal document with the names in all languages and the facts of the set and game. */
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

/**
 * Marks the six places of a document that are filled in when it is read: the encoding identifier, the time of the
 * answer, the date of the link to the dated document of today, the hash of the set, the hash of the game, and the
 * rarity. U+0001 cannot occur unescaped in JSON text.
 */
const cut = '\u0001'
const cutAsValue = JSON.stringify(cut)
/**
 * The place of the date. `_links` precedes all facts of the card, so the first match in a document is the right one.
 */
const cutAsDate = '"temporal":"/api/at/\\u0001/'
const rawCutAsDate = cutAsDate.replace('\\u0001', cut)

/** The view that is stored: with cuts for date and rarity, and with the stored name. */
const anyDay: CardView = { date: cut, wanted: [], rarity: cut }

/**
 * A stored card: its content hash, its normal document with cuts (the whole text, or the short text of `card-row.ts`),
 * and a SHA-256 that covers the document and the rarity.
 */
export type StoredCard = Readonly<{ contentHash: string; document: string; digest: string }>

/**
 * Returns the normal document of a card with cuts, as whole text. Throws a TypeError when a fact has no canonical form
 * or is U+0001 alone.
 */
export function cardDocument(card: CardFacts): StoredCard {
  const seed = cardSeed(card)
  const contentHash = hashCanonical(seed)
  const text = mirrorDocument({
    encoding: cut,
    kind: 'card',
    seed,
    body: normalBody(card, { contentHash, setHash: cut, gameHash: cut }, anyDay),
    sources: card.sources,
    sourceLicense: licenseLabels(card.sources)
  })
  const document = `${text.before}${cut}${text.after}`
    .replace(cutAsDate, rawCutAsDate)
    .replaceAll(cutAsValue, `"${cut}"`)
  // A fact that is U+0001 alone would look like one of the six places to fill in (`cut`), so such a row is refused.
  if (document.split(cut).length !== 7) throw new TypeError(`A fact of \`${card.sku}\` is a control character.`)
  return { contentHash, document, digest: sha256Hex(document + (card.rarity ?? '')) }
}

/**
 * A stored card as it is read: with the current hashes of its set and game, and the facts by which its rarity is looked
 * up.
 */
export type CardRow = Readonly<{ document: string; digest: string; set_hash: string; game_hash: string }> &
  Pick<CardFacts, 'game' | 'set_code' | 'lang' | 'rarity'>

/**
 * Fills in the cuts of a document. The ETag is made of four digests, so nothing is hashed; it covers neither the
 * encoding identifier, nor the link to the dated document of today, nor the time of the answer.
 */
export function cardMirror(row: CardRow, rarity: RarityText, encoding: string, now: Date): MirrorText {
  const [head = '', kind = '', toDate = '', between = '', toGame = '', toRarity = '', end = ''] =
    row.document.split(cut)
  return {
    before: head + encoding + kind,
    after:
      toDate +
      dayOf(now) +
      between +
      row.set_hash +
      toGame +
      row.game_hash +
      toRarity.slice(0, -1) +
      rarity.text +
      end.slice(1),
    etag: `${row.digest.slice(0, 12)}${row.set_hash.slice(0, 8)}${row.game_hash.slice(0, 8)}${rarity.tag.slice(0, 4)}`
  }
}

/**
 * Returns the document of a card in a form that is not stored. `body` is called with a placeholder for the date in the
 * link to the dated document.
 */
export function otherMirror(
  card: CardFacts,
  body: (date: string) => JsonObject,
  encoding: string,
  now: Date
): MirrorText {
  const text = mirrorDocument({
    encoding,
    kind: 'card',
    seed: cardSeed(card),
    body: body(cut),
    sources: card.sources,
    sourceLicense: licenseLabels(card.sources)
  })
  return { ...text, after: text.after.replace(cutAsDate, rawCutAsDate.replace(cut, dayOf(now))) }
}

const reason = 'No price of any date is published or kept: no source gave the right to.'

/**
 * Builds the document of a card requested under a date. The facts and the content hash are those of the current
 * document, whatever the date.
 */
export function cardAtDocument(held: CardInFull, date: string, rarity: JsonValue, encoding: string): MirrorText {
  const { card } = held
  const set = paths.set(card.game, card.set_code)
  const normal = normalBody(card, hashesOf(held), { date, wanted: [], rarity })
  const body: JsonObject = {
    ...Object.fromEntries(Object.entries(normal).filter(([name]) => name !== '@density')),
    ...datedMembers(date),
    '@content_hash_contract': { ...hashContract, requested_date_affects_hash: false },
    _links: linksOf({
      kind: 'card_at_date',
      connections: aboutCard(card.sku),
      canonical: paths.cardAt(date, card.sku),
      pattern: '/api/at/{date}/card/{sku}',
      parent: set,
      siblings: set,
      contentHash: card.content_hash,
      temporal: paths.card(card.sku)
    }),
    price_unavailable_at_date: { reason }
  }
  return mirrorDocument({
    encoding,
    kind: 'card_at_date',
    seed: cardSeed(card),
    body,
    sources: card.sources,
    sourceLicense: licenseLabels(card.sources)
  })
}
