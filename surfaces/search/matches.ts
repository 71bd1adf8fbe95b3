import { Type, closed, Count, nullable, Text, type DataOf } from 'pantry/data'
import type { FoundCard } from '../catalogue/search-index.ts'
import { canonicalCode } from '../catalogue/set-code.ts'
import { withheld } from '../catalogue/document-members.ts'
import { reasons, type Findings, type Match } from './find-cards.ts'

/** The members that show a found card. */
export const foundMembers = {
  sku: Text,
  card_number: Text,
  set_code: nullable(Text),
  printed_code: nullable(Text),
  name: nullable(Text),
  name_en: nullable(Text),
  image_url: Type.Null(),
  lang: nullable(Text),
  variant: nullable(Text)
}

/** A found card with its confidence and the reason for the match. */
export const MatchSchema = closed({
  ...foundMembers,
  confidence: Type.Enum(['exact', 'fuzzy']),
  reason: Type.Enum([...reasons.exact, ...reasons.fuzzy])
})

export const SummarySchema = closed({
  count: Type.Integer({ minimum: 0, description: 'Matches in this answer.' }),
  best_confidence: Type.Enum(['exact', 'fuzzy', 'none']),
  distinct_set_number_buckets: Type.Integer({
    minimum: 0,
    description: 'Pairs of set and number among all that was found.'
  }),
  ambiguous: Type.Boolean({
    description:
      'Whether what was found is more than one card: several pairs of set and number, or several names under one of them.'
  }),
  found: Count,
  more: Type.Boolean({
    description: 'Whether more was found than this answer holds, or more may be held than was looked at.'
  })
})

/** The reasons why matches show neither prices nor images. */
export const searchBoundary = { price: withheld, image: withheld }

export const foundBody = (card: FoundCard) => ({
  sku: card.sku,
  card_number: card.card_number,
  set_code: canonicalCode(card.set_code),
  printed_code: card.set_code,
  name: card.name,
  name_en: card.name_en ?? (card.lang === 'en' ? card.name : null),
  image_url: null,
  lang: card.lang,
  variant: card.variant === '' ? null : card.variant
})

export const matchBody = ({ card, confidence, reason }: Match): DataOf<typeof MatchSchema> => ({
  ...foundBody(card),
  confidence,
  reason
})

const bucketOf = ({ set_code: set, card_number: number }: FoundCard): string =>
  `${canonicalCode(set)}\n${number.toLowerCase()}`
/**
 * Returns the letters and digits of a name, without parentheses: some names end in marks of a printing, as in `Conquest
 * (V) (AI)`.
 */
const titleOf = ({ name }: FoundCard): string =>
  (name ?? '')
    .replace(/\([^()]*\)/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * Counts the pairs of set and number among printings (`buckets`). They are `ambiguous` if there are several, or if one
 * pair has different names in one language, because upstreams give some cards the same number.
 */
export function tellApart(cards: readonly FoundCard[]): Readonly<{ buckets: number; ambiguous: boolean }> {
  const titles = new Map<string, string>()
  const differ = cards.some(card => {
    const key = `${bucketOf(card)}\n${card.lang}`
    const title = titleOf(card)
    const earlier = titles.get(key)
    titles.set(key, title)
    return earlier !== undefined && earlier !== title
  })
  const buckets = new Set(cards.map(bucketOf)).size
  return { buckets, ambiguous: differ || buckets > 1 }
}

export type Summary = Readonly<{ ambiguous: boolean; body: DataOf<typeof SummarySchema> }>

/** Summarizes all findings, of which the response shows the first `shown`. */
export function summarise({ matches, more }: Findings, shown: number): Summary {
  const { buckets, ambiguous } = tellApart(matches.map(({ card }) => card))
  return {
    ambiguous,
    body: {
      count: Math.min(shown, matches.length),
      best_confidence: matches[0]?.confidence ?? 'none',
      distinct_set_number_buckets: buckets,
      ambiguous,
      found: matches.length,
      more: more || matches.length > shown
    }
  }
}
