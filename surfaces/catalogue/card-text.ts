import { canonicalize, sha256Hex, type JsonObject, type JsonValue } from 'pantry/data'
import { cardSeed } from './card-body.ts'
import { cardDocument, type StoredCard } from './card-document.ts'
import {
  cardFields,
  sampleCard,
  shownFields,
  type CardFacts,
  type CardField,
  type CardFieldName
} from './card-fields.ts'
import { languageOfName, nameOf } from './languages.ts'
import { licenseLabels } from './document-members.ts'
import { canonicalCode } from './set-code.ts'

/**
 * A card whose facts are all words that occur nowhere else: their places in its document are those of any other card's
 * facts in its own.
 */
const sample = sampleCard('mark')

type Fill = (texts: readonly string[]) => string

/** Cuts a text at each of the `holes`; the result fills each with the text of the same position. */
function template(text: string, holes: readonly string[]): Fill {
  const places: { at: number; hole: number }[] = []
  for (let at = 0; at < text.length;) {
    const hole = holes.findIndex(words => text.startsWith(words, at))
    if (hole >= 0) places.push({ at, hole })
    at += holes[hole]?.length ?? 1
  }
  let from = 0
  const parts = places.map(({ at, hole }) => {
    const before = text.slice(from, at)
    from = at + (holes[hole]?.length ?? 0)
    return { before, hole }
  })
  const end = text.slice(from)
  return texts => {
    let filled = ''
    for (const { before, hole } of parts) filled += before + (texts[hole] ?? '')
    return filled + end
  }
}

const document = cardDocument(sample)
/** With something in its cuts, the first value of which is the time. */
const shown = JSON.parse(document.document.replace(':\u0001', ':null,').replaceAll('\u0001', '')) as JsonObject
const memberText = (name: string): string => canonicalize(shown[name] ?? null)
const listed = (sources: readonly string[]): string =>
  `${canonicalize(licenseLabels(sources))},"@sources":${canonicalize(sources)}`
const quoted = (fact: JsonValue): string => canonicalize(fact)

/**
 * The order of the first stored texts, whose digests cover it; fields that came later follow in the order of the table.
 */
const first: readonly CardFieldName[] = ['rarity', 'variant', 'name', 'attributes', 'illustrators']
/** Fields whose member is not simply their value as text, which occurs at other places of a document too. */
const composed = [
  ...first,
  ...shownFields.map(([name]) => name).filter(name => !first.includes(name) && cardFields[name].type !== 'word')
]

/** A longer text comes before those that it contains. */
const fillDocument = template(document.document, [
  // The rarity has no place in the document, which is given it when it is read; it is stored so that the digest covers
  // it.
  ...composed.map(name => (name === 'rarity' ? quoted(sample.rarity) : memberText(name))),
  listed(sample.sources),
  quoted(sample.card_number),
  quoted(sample.lang),
  quoted(sample.set_code),
  quoted(canonicalCode(sample.set_code)),
  canonicalCode(sample.set_code),
  sample.game,
  sample.sku,
  document.contentHash
])
const fillName = template(memberText('name'), [canonicalize([sample.lang]), quoted(sample.name), quoted(sample.lang)])
const fillSeed = template(canonicalize(cardSeed(sample)), [
  quoted(sample.card_number),
  quoted(canonicalCode(sample.set_code)),
  quoted(sample.variant),
  sample.game,
  sample.sku
])

/** Identifies the frame: a document is another one when what is filled in differs, or what it is filled into. */
const frame = document.digest
const plain = /^[a-z0-9._~-]+$/
/** Between the facts of a stored text. Raw control characters cannot occur in them, and no document starts with one. */
const mark = '\u0002'

/** The canonical text of the name of a card, in no language that was asked for. */
function nameText(card: CardFacts): string {
  if (card.name === null) return canonicalize(nameOf(card, []))
  const languages = Object.keys(card.name_translations ?? {}).sort()
  return fillName([canonicalize(languages), quoted(card.name), quoted(languageOfName(card, languages))])
}

/**
 * The text of the member of each composed field. What shows one fact of text is a template, as the whole document is.
 */
const composedTexts = composed.map((name): ((card: CardFacts, attributes: string) => string) => {
  if (name === 'name') return nameText
  if (name === 'attributes') return (_, attributes) => attributes
  if (name === 'rarity') return card => quoted(card.rarity)
  const { type, member }: CardField = cardFields[name]
  const { show } = member ?? {}
  if (show === undefined) return card => canonicalize(card[name])
  if (type !== 'word') return card => canonicalize(show(card[name]))
  const fill = template(memberText(name), [quoted(sample[name])])
  const none = canonicalize(show(''))
  return card => (card[name] === '' ? none : fill([quoted(card[name])]))
})

/**
 * The same as `cardDocument`, many times faster and in a quarter of the space: what is stored are the facts that fill
 * the document of any card, behind a mark. `wholeText` makes the document of them; a test compares the two byte by
 * byte. `attributes`: their canonical text, for callers that need it themselves.
 */
export function cardText(card: CardFacts, attributes = canonicalize(card.attributes)): StoredCard {
  const { sku, game } = card
  if (!plain.test(sku) || !plain.test(game)) return cardDocument(card)
  const code = canonicalCode(card.set_code)
  const [number, set] = [quoted(card.card_number), quoted(code)]
  const contentHash = sha256Hex(fillSeed([number, set, quoted(card.variant), game, sku]))
  const facts = [
    ...composedTexts.map(textOf => textOf(card, attributes)),
    listed(card.sources),
    number,
    quoted(card.lang),
    quoted(card.set_code),
    set,
    encodeURIComponent(code),
    game,
    sku,
    contentHash
  ]
  const stored = mark + facts.join(mark)
  // A control character among the facts is refused there.
  if (stored.includes('\\u0001')) return cardDocument(card)
  return { contentHash, document: stored, digest: sha256Hex(frame + stored) }
}

/** The document of a stored text: canonical JSON with the cuts of `cardDocument`. */
export const wholeText = (stored: string): string =>
  stored.startsWith(mark) ? fillDocument(stored.slice(1).split(mark)) : stored
