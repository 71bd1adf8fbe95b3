import type { JsonValue } from 'pantry/data'
import { printedInOf, type CardFacts } from './card-fields.ts'
import { canonicalCode } from './sku.ts'

/** In what two printings of a number differ, as far as their sources say it; `unknown` where they say nothing. */
export const differences = ['language', 'product', 'art', 'finish', 'edition', 'stamp', 'reprint', 'unknown'] as const
type Difference = (typeof differences)[number]

/**
 * How a printing differs from the one it is listed with, in the order of the list. `super-parallel` means another set.
 */
export const siblingKinds = [
  'self',
  'language',
  'edition',
  'alt-art',
  'parallel',
  'super-parallel',
  'promo',
  'reprint',
  'finish',
  'stamp',
  'product',
  'unknown'
] as const
type SiblingKind = (typeof siblingKinds)[number]

export type Sibling = Readonly<{
  card: CardFacts
  kind: SiblingKind
  reason: string
  differsIn: readonly Difference[]
  effectiveLanguage: 'ja' | 'en' | 'unknown'
}>

const promoSet = /^(?:promo|p|st00)$|^p[-_]/i
const promoName = /\bpromo(?:tion(?:al)?)?\b|プロモ/i
const parallelName = /\bparallel\b|パラレル/i
const alternateName = /\balt(?:ernate|ernative)?[ -]?art\b|イラスト違い/i

/** Matches a part of a variant that names an edition, such as `First` in `First-Rainbow`. */
const edition = /^(?:alpha|(?:first|1st|2nd|second|unlimited)(?: edition)?)$/i

const asText = (value: JsonValue): string => (typeof value === 'object' ? '' : String(value))

/** Returns an attribute as text; `undefined` where no source states it. */
function stated({ attributes }: CardFacts, name: string): string | undefined {
  const value = attributes?.[name] ?? null
  return value === null
    ? undefined
    : (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map(asText).join(', ')
}

const editionOf = (card: CardFacts): string | undefined =>
  stated(card, 'edition') ?? card.variant.split('-').find(part => edition.test(part))

const isOther = (one: string | undefined, other: string | undefined): boolean =>
  one?.toLowerCase() !== other?.toLowerCase()

/**
 * Whether two printings came in different products: by their codes, or in one language by their names, which are not
 * the same in two languages.
 */
function isOtherProduct(self: CardFacts, other: CardFacts): boolean {
  const [one, two] = [printedInOf(self.printed_in), printedInOf(other.printed_in)]
  if (one === null || two === null) return false
  if (one.code !== null && two.code !== null) return one.code !== two.code
  return self.lang === other.lang && (one.code !== two.code || one.name !== two.name)
}

/** The tests for each difference that printings can have, in the order of `differences`. */
const tests: Readonly<Record<Exclude<Difference, 'unknown'>, (self: CardFacts, other: CardFacts) => boolean>> = {
  language: (self, other) => self.lang !== other.lang,
  product: isOtherProduct,
  art: (self, other) => isOther(stated(self, 'treatment'), stated(other, 'treatment')),
  finish: (self, other) => isOther(stated(self, 'finish'), stated(other, 'finish')),
  edition: (self, other) => {
    const [one, two] = [editionOf(self), editionOf(other)]
    return one !== undefined && two !== undefined && isOther(one, two)
  },
  stamp: (self, other) => isOther(stated(self, 'stamp'), stated(other, 'stamp')),
  reprint: (self, other) => isOther(stated(self, 'reprint_of'), stated(other, 'reprint_of'))
}

function differencesOf(self: CardFacts, other: CardFacts): readonly Difference[] {
  if (self.sku === other.sku) return []
  const found = differences.filter(name => name !== 'unknown' && tests[name](self, other))
  return found.length === 0 ? ['unknown'] : found
}

type Kind = Pick<Sibling, 'kind' | 'reason'>

/** Returns a sentence on what is stated of a printing. */
function saying(card: CardFacts, name: string): string {
  const value = stated(card, name)
  return value === undefined ? `No ${name} is stated of it, as of the other.` : `Its ${name} is stated: ${value}.`
}

/** The kinds that follow from differences, the first of which counts. */
const kindsOf: readonly (readonly [Difference, (other: CardFacts) => Kind])[] = [
  ['edition', other => ({ kind: 'edition', reason: `Another edition of the number: ${editionOf(other) ?? ''}.` })],
  [
    'reprint',
    other => ({
      kind: 'reprint',
      reason:
        stated(other, 'reprint_of') === undefined
          ? 'The other is a reprint of the number, and this is not.'
          : `A reprint of ${stated(other, 'reprint_of') ?? ''}.`
    })
  ],
  ['art', other => ({ kind: 'alt-art', reason: saying(other, 'treatment') })],
  ['stamp', other => ({ kind: 'stamp', reason: saying(other, 'stamp') })],
  ['finish', other => ({ kind: 'finish', reason: saying(other, 'finish') })],
  ['product', () => ({ kind: 'product', reason: 'The same number, and nothing says that it looks otherwise.' })]
]

/** The sentence that ends the reason of a printing that came in another product. */
export const cameInSentence = (product: string): string => ` It came in another product: ${product}.`

/** Returns the sentence that says what a printing came in; an empty text where that is not known or no difference. */
function cameIn(card: CardFacts, differsIn: readonly Difference[]): string {
  const product = printedInOf(card.printed_in)
  return product !== null && differsIn.includes('product') ? cameInSentence(product.name ?? product.code ?? '') : ''
}

/** Returns the kind of a printing relative to `self`; the first rule that applies is used. */
function kindOf(self: CardFacts, other: CardFacts, differsIn: readonly Difference[]): Kind {
  const words = `${other.name ?? ''} ${other.variant}`
  if (other.sku === self.sku) return { kind: 'self', reason: 'The card that was asked for.' }
  if (promoSet.test(other.set_code)) return { kind: 'promo', reason: 'Its set code is one of promotional sets.' }
  if (canonicalCode(other.set_code) !== canonicalCode(self.set_code))
    return { kind: 'super-parallel', reason: 'The same number, printed in another set.' }
  if (promoName.test(words)) return { kind: 'promo', reason: 'Its name or its variant says that it is promotional.' }
  if (parallelName.test(words))
    return { kind: 'parallel', reason: 'Its name or its variant says that it is a parallel.' }
  if (alternateName.test(words))
    return { kind: 'alt-art', reason: 'Its name or its variant says that it has other art.' }
  if (other.lang !== self.lang) return { kind: 'language', reason: 'The same number, printed in another language.' }
  const [, kind] = kindsOf.find(([difference]) => differsIn.includes(difference)) ?? []
  return kind?.(other) ?? { kind: 'unknown', reason: 'Another variant of the number. No source says how it differs.' }
}

/**
 * Guesses the language of a name from its script, without the parts in parentheses: kana without Latin letters mean
 * Japanese, Latin letters alone English.
 */
function languageOf({ name, lang }: CardFacts): Sibling['effectiveLanguage'] {
  const text = (name ?? '').replace(/[(\uff08][^)\uff09]*[)\uff09]/g, '')
  const latin = /\p{Script=Latin}/u.test(text)
  const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
  const han = /\p{Script=Han}/u.test(text)
  // Chinese and Japanese share characters, so without kana the language of the printing decides.
  if (!latin && (kana || (han && lang === 'ja'))) return 'ja'
  return latin && !kana && !han ? 'en' : 'unknown'
}

function siblingOf(self: CardFacts, card: CardFacts): Sibling {
  const differsIn = differencesOf(self, card)
  const { kind, reason } = kindOf(self, card, differsIn)
  return { card, kind, reason: reason + cameIn(card, differsIn), differsIn, effectiveLanguage: languageOf(card) }
}

/**
 * Returns the printings of one number with their kinds: `self` first, then by the order of `siblingKinds` and by SKU in
 * code unit order.
 */
export const siblingsOf = (self: CardFacts, family: readonly CardFacts[]): readonly Sibling[] =>
  family
    .map(card => siblingOf(self, card))
    .sort((a, b) => siblingKinds.indexOf(a.kind) - siblingKinds.indexOf(b.kind) || (a.card.sku < b.card.sku ? -1 : 1))
