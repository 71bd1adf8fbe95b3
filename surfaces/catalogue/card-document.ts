import { hashCanonical, mirrorDocument, sha256Hex, type JsonObject, type MirrorText } from 'pantry/data'
import { dayOf } from '../calendar.ts'
import { cardSeed, normalBody, type CardView } from './card-body.ts'
import type { CardFacts } from './card-fields.ts'
import type { RarityText } from './rarities.ts'
import { licenseLabels } from './document-members.ts'

/**
 * Marks the six places of a stored document that are filled in when it is read: the encoding identifier, the time of
 * the response, the date of the link to today's dated document, the hash of the set, the hash of the game, and the
 * computed part of the rarity. U+0001 cannot occur unescaped in JSON text.
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
 * A stored card: its content hash, its normal document as canonical text with cuts, and the SHA-256 of that text
 * followed by the rarity.
 */
export type StoredCard = Readonly<{ contentHash: string; document: string; digest: string }>

/** Returns the document of a card as the catalogue stores it. Throws a TypeError when a fact has no canonical form. */
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
  // A fact with the character U+0001 would add a cut, so such a row is refused.
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
 * Fills in the cuts of a stored document. The ETag is made of four digests, which cover everything that can change, so
 * nothing is hashed. It does not cover the link to today's dated document, nor the time of the response.
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
