import type { CardFacts } from './card-fields.ts'
import { canonicalCode } from './sku.ts'

/**
 * How a printing differs from the one it is listed with, in the order of the list. `super-parallel` means another set;
 * `siblingsOf` never gives `unknown`.
 */
export const siblingKinds = [
  'self',
  'language',
  'edition',
  'alt-art',
  'parallel',
  'super-parallel',
  'promo',
  'unknown'
] as const
type SiblingKind = (typeof siblingKinds)[number]

export type Sibling = Readonly<{
  card: CardFacts
  kind: SiblingKind
  reason: string
  effectiveLanguage: 'ja' | 'en' | 'unknown'
}>

const promoSet = /^(?:promo|p|st00)$|^p[-_]/i
const promoName = /\bpromo(?:tion(?:al)?)?\b|プロモ/i
const parallelName = /\bparallel\b|パラレル/i
const alternateName = /\balt(?:ernate|ernative)?[ -]?art\b|イラスト違い/i

/** Matches a part of a variant that names an edition, such as `First` in `First-Rainbow`. */
const edition = /^(?:alpha|(?:first|1st|2nd|second|unlimited)(?: edition)?)$/i
const editionOf = ({ variant }: CardFacts): string | undefined => variant.split('-').find(part => edition.test(part))
const differsInEdition = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.toLowerCase() !== other.toLowerCase()

/** Returns the kind of a printing relative to `self`; the first rule that applies is used. */
function kindOf(self: CardFacts, other: CardFacts): Pick<Sibling, 'kind' | 'reason'> {
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
  const printedIn = editionOf(other)
  if (differsInEdition(editionOf(self), printedIn))
    return { kind: 'edition', reason: `Another edition of the number: ${printedIn ?? ''}.` }
  return {
    kind: 'alt-art',
    reason:
      'Another variant of the number. Nothing that is kept of it says how it differs, which its upstream may say; such a printing is listed with other art.'
  }
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

/**
 * Returns the printings of one number with their kinds: `self` first, then by the order of `siblingKinds` and by SKU in
 * code unit order.
 */
export const siblingsOf = (self: CardFacts, family: readonly CardFacts[]): readonly Sibling[] =>
  family
    .map((card): Sibling => ({ card, ...kindOf(self, card), effectiveLanguage: languageOf(card) }))
    .sort((a, b) => siblingKinds.indexOf(a.kind) - siblingKinds.indexOf(b.kind) || (a.card.sku < b.card.sku ? -1 : 1))
