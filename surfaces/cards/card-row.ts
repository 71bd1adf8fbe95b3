/** A card as the table `cards` holds it: its document as a short text, and the columns that are written and read. */
import {
  canonicalize,
  Count,
  nullable,
  NullableText,
  sha256Hex,
  Text,
  type JsonObject,
  type JsonValue
} from 'pantry/data'
import type { CopyValue } from 'pantry/database'
import type { TSchema } from 'typebox'
import {
  cardFieldNames,
  cardFields,
  columnSchemas,
  columnTypes,
  sampleCard,
  shownFields,
  type CardFacts,
  type CardField,
  type CardFieldName
} from './card-fields.ts'
import { cardDocument, cardSeed, type StoredCard } from './documents/card.ts'
import { licenseLabels } from './documents/parts.ts'
import { languageOfName, nameOf } from './languages.ts'
import type { CardInFull } from './rows.ts'
import { searchColumns } from './search/number-index.ts'
import { canonicalCode } from './sku.ts'

/**
 * A card whose facts are unique words. Their positions in its document are the positions of the facts in any card's
 * document.
 */
const sample = sampleCard('mark')

type Fill = (texts: readonly string[]) => string

/** Cuts a text at each of the `holes`. Returns a function that fills each hole with the text at the same index. */
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
/** The sample document with values in its cuts; the first cut that is a whole value is the time. */
const shown = JSON.parse(document.document.replace(':\u0001', ':null,').replaceAll('\u0001', '')) as JsonObject
const memberText = (name: string): string => canonicalize(shown[name] ?? null)
const listed = (sources: readonly string[]): string =>
  `${canonicalize(licenseLabels(sources))},"@sources":${canonicalize(sources)}`
const quoted = (fact: JsonValue): string => canonicalize(fact)

/**
 * The composed fields that the first stored texts had, in their order, on which the digests depend; later fields follow
 * in the order of the table.
 */
const first: readonly CardFieldName[] = ['rarity', 'variant', 'name', 'attributes', 'illustrators']
/**
 * The fields whose member is not just their value as a string. The other shown fields occur at several places of a
 * document.
 */
const composed = [
  ...first,
  ...shownFields.map(([name]) => name).filter(name => !first.includes(name) && cardFields[name].type !== 'word')
]

/** Among the holes, a longer text must precede those that it contains. */
const fillDocument = template(document.document, [
  // The rarity is filled in only when the document is read, so it has no place here; it is in the stored text so that
  // the digest covers it.
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

/**
 * A hash of the sample document. The digest of a card covers it, so that a new form of documents changes the digests of
 * all cards.
 */
const frame = document.digest
const plain = /^[a-z0-9._~-]+$/
/**
 * Separates the facts in a stored text. Facts cannot contain raw control characters, and no full document starts with
 * one.
 */
const mark = '\u0002'

/** Returns the canonical text of the name of a card, without preferred languages. */
function nameText(card: CardFacts): string {
  if (card.name === null) return canonicalize(nameOf(card, []))
  const languages = Object.keys(card.name_translations ?? {}).sort()
  return fillName([canonicalize(languages), quoted(card.name), quoted(languageOfName(card, languages))])
}

/**
 * Functions that return the stored text of each composed field: the text of its member, or for the rarity the value. A
 * member that shows one text is filled into a template.
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
 * Returns the document of a card as a short text of its facts, separated by `mark`, many times faster than
 * `cardDocument` and in a quarter of the space. `wholeText` builds the document of `cardDocument` from it; a test
 * compares both byte by byte. `attributes`: their canonical text, for callers that have it already.
 */
export function storedCardOf(card: CardFacts, attributes = canonicalize(card.attributes)): StoredCard {
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
  // `cardDocument` throws when a fact is the character U+0001 alone.
  if (stored.includes('\\u0001')) return cardDocument(card)
  return { contentHash, document: stored, digest: sha256Hex(frame + stored) }
}

/** Returns the document for a stored text: canonical JSON with the cuts of `cardDocument`. */
export const wholeText = (stored: string): string =>
  stored.startsWith(mark) ? fillDocument(stored.slice(1).split(mark)) : stored

/** The columns that a query selects after its key, from `cards c`, `sets s` and `games g`. */
export const selectedInFull = `${cardFieldNames.map(name => `c.${name}`).join(', ')}, c.content_hash,
  s.code, s.name, s.released_on, s.declared_total, s.card_count, s.content_hash, g.set_count, g.card_count, g.declared_card_count, g.content_hash`

/** The types of the columns of a query that selects a key and `selectedInFull`, in this order. */
export const columnsInFull: readonly TSchema[] = [
  Text,
  ...cardFieldNames.map(name => columnSchemas[cardFields[name].type]),
  Text,
  Text,
  NullableText,
  NullableText,
  nullable(Count),
  Count,
  Text,
  Count,
  Count,
  nullable(Count),
  Text
]

type Rest = readonly [
  hash: string,
  code: string,
  setName: string | null,
  releasedOn: string | null,
  declaredTotal: number | null,
  setCards: number,
  setHash: string,
  setCount: number,
  gameCards: number,
  declaredCards: number | null,
  gameHash: string
]

export function cardInFull(row: readonly unknown[]): CardInFull {
  // The values are in the order of `selectedInFull` and have the types of `columnsInFull`.
  const values: Record<string, unknown> = {}
  for (const [index, name] of cardFieldNames.entries()) values[name] = row[index + 1]
  const facts = values as CardFacts
  const rest: readonly unknown[] = row.slice(cardFieldNames.length + 1)
  const [
    hash,
    code,
    setName,
    releasedOn,
    declaredTotal,
    setCards,
    setHash,
    setCount,
    gameCards,
    declaredCards,
    gameHash
  ] = rest as Rest
  const { game } = facts
  return {
    card: { ...facts, content_hash: hash },
    set: {
      game,
      set_code: code,
      name: setName,
      released_on: releasedOn,
      declared_total: declaredTotal,
      card_count: setCards,
      content_hash: setHash
    },
    game: {
      game,
      set_count: setCount,
      card_count: gameCards,
      declared_card_count: declaredCards,
      content_hash: gameHash
    }
  }
}

/** The columns of a card that are derived from its observations. */
export const writtenColumns = [
  ...cardFieldNames,
  'content_hash',
  'document',
  'digest',
  'place_key',
  'number_key',
  'printed_key'
] as const

/** Returns the values of `writtenColumns`. `attributes`: their canonical text. */
export function writtenValues(card: CardFacts, attributes = canonicalize(card.attributes)): CopyValue[] {
  const values: CopyValue[] = []
  for (const name of cardFieldNames) {
    const value = card[name]
    const isJson = columnTypes[cardFields[name].type].sql.startsWith('json')
    if (name === 'attributes') values.push(value === null ? null : attributes)
    else values.push(isJson && value !== null ? JSON.stringify(value) : (value as CopyValue))
  }
  const { contentHash, document, digest } = storedCardOf(card, attributes)
  values.push(contentHash, document, digest, ...searchColumns(card))
  return values
}
