import { hashCanonical, mirrorDocument, sha256Hex, type JsonObject, type MirrorText } from 'pantry/data'
import { dayOf } from '../calendar.ts'
import { cardSeed, normalBody, type CardView } from './card-body.ts'
import type { CardFacts } from './facts.ts'
import type { RarityText } from './rarities.ts'
import { licenseLabels } from './document-members.ts'

/**
 * A raw control character cannot occur in JSON text, so U+0001 marks the six places of a stored document that are not
 * the card's own: the encoding identifier, the time of the answer, its date, the hash of the set, the hash of the game,
 * and what is computed of the rarity.
 */
const cut = '\u0001'
const cutAsValue = JSON.stringify(cut)
/** Where the date goes. `_links` is before every fact of the card, so the first such place of a document is its own. */
const cutAsDate = '"temporal":"/api/at/\\u0001/'
const rawCutAsDate = cutAsDate.replace('\\u0001', cut)

/** The stored form of a document: any date, the stored name, and no rarity. */
const anyDay: CardView = { date: cut, wanted: [], rarity: cut }

/**
 * A stored card: its content hash, its normal document as canonical text with cuts, and the SHA-256 of that text and
 * the rarity.
 */
export type StoredCard = Readonly<{ contentHash: string; document: string; digest: string }>

/** The document of a card as the catalogue stores it. Throws a TypeError when a fact has no canonical form. */
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
  // A fact that is itself the character U+0001 would add a cut: such a row is not stored.
  if (document.split(cut).length !== 7) throw new TypeError(`A fact of \`${card.sku}\` is a control character.`)
  return { contentHash, document, digest: sha256Hex(document + (card.rarity ?? '')) }
}

/**
 * A stored card as it is read: with the current hashes of its set and its game, and what its rarity is looked up by.
 */
export type CardRow = Readonly<{ document: string; digest: string; set_hash: string; game_hash: string }> &
  Pick<CardFacts, 'game' | 'set_code' | 'lang' | 'rarity'>

/**
 * The stored text made whole. The entity tag needs no hashing: the four digests cover all that can change. The link to
 * the dated document of today is like the time of the answer: the tag does not cover it.
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
 * The document of a card in a form that is not stored; `body` is given any date that its link to the dated document
 * needs.
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
