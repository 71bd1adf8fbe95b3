import { closed, Count, invalid, nullable, Text, Type, type DataOf } from 'pantry/data'
import { withheld } from '../documents/parts.ts'
import { parsePrintedNumber, type Game } from '../games.ts'
import { naturalOrder } from '../numbers.ts'
import { canonicalCode, parseSku, readSku, type Sku } from '../sku.ts'
import { foldedNumber, maxPerKey, searchKey, type FoundCard, type NumberIndex } from './number-index.ts'

/** The reasons for a match, by confidence. */
export const cardReasons = {
  exact: [
    'canonical SKU exact',
    'set+number matched (publisher form)',
    'set+number matched',
    'set+number matched (suffixed)',
    'card_number matched; one card of the game has it'
  ],
  fuzzy: ['set+number matched; another printing', 'card_number matched; set ambiguous', 'card_number partial match']
} as const

type Verdict = Readonly<
  | { confidence: 'exact'; reason: (typeof cardReasons.exact)[number] }
  | { confidence: 'fuzzy'; reason: (typeof cardReasons.fuzzy)[number] }
>
export type CardReason = Verdict['reason']
type Match = Readonly<{ card: FoundCard } & Verdict>

type CardMatches = Readonly<{
  /** Exact matches first, then in natural order of set, number, language and variant. */
  matches: readonly Match[]
  /** Whether more cards may match than were read. */
  more: boolean
}>

type Lookup = Readonly<{ key: string; judge: (card: FoundCard) => Verdict | undefined }>

const exact = (reason: (typeof cardReasons.exact)[number]): Verdict => ({ confidence: 'exact', reason })
const fuzzy = (reason: (typeof cardReasons.fuzzy)[number]): Verdict => ({ confidence: 'fuzzy', reason })
const otherPrinting = fuzzy('set+number matched; another printing')
const setUnknown = fuzzy('card_number matched; set ambiguous')
const partial = fuzzy('card_number partial match')

const setAndNumber = (sku: Sku | undefined): string => (sku === undefined ? '' : `${sku.set}-${sku.number}`)

/** Whether the printed number contains its set, as `OP01-001` does and `25` does not. */
const namesItsSet = ({ sku, card_number: number }: FoundCard): boolean =>
  foldedNumber(number) === foldedNumber(setAndNumber(parseSku(sku)))

/**
 * Returns the non-ASCII characters of a text without spaces, dashes and quotation marks. `foldedNumber` drops them, but
 * they distinguish numbers, such as `97s★` from `97s`.
 */
const marksIn = (text: string): string => text.toLowerCase().replace(/[\0-\x7f\p{Z}\p{Pd}\p{Pi}\p{Pf}]+/gu, '')

/** Returns a judge that gives the verdict to cards with the same marks as the text, and `partial` to others. */
const withMarksOf = (text: string, verdict: Verdict): Lookup['judge'] => {
  const marks = marksIn(text)
  return ({ set_code: set, card_number: number }) =>
    marks === marksIn(number) || marks === marksIn(set + number) ? verdict : partial
}

/** Returns lookups for a full SKU, which find its card and other printings of the same set and number. */
function skuLookups(game: Game, text: string): Lookup[] {
  const reading = readSku(text)
  return [...(reading === undefined ? [] : [reading.canonical, ...reading.others])].flatMap(sku => {
    const place = setAndNumber(parseSku(sku))
    return parseSku(sku)?.game !== game.token
      ? []
      : [
          {
            key: searchKey.place(game.token, place),
            judge: card =>
              card.sku === sku
                ? exact('canonical SKU exact')
                : setAndNumber(parseSku(card.sku)) === place
                  ? otherPrinting
                  : undefined
          }
        ]
  })
}

/** Returns lookups for a set and number followed by a variant: `OP01-001_p1`, `iti-4a`, `ST01-001 beta`. */
function suffixLookups(game: Game, text: string): Lookup[] {
  const [, base = '', suffix = ''] = /^(.*[0-9])[^A-Za-z0-9]*([A-Za-z].*)$/.exec(text) ?? []
  return base === ''
    ? []
    : [
        {
          key: searchKey.place(game.token, base),
          judge: card =>
            card.variant !== '' && foldedNumber(card.variant) === foldedNumber(suffix)
              ? exact('set+number matched (suffixed)')
              : undefined
        }
      ]
}

/** Returns lookups for the parts of a number that a form in the game's corpus entry recognises. */
function formLookups(game: Game, text: string): Lookup[] {
  const printed = parsePrintedNumber(game.printed_numbers, text)
  if (printed === undefined) return []
  const { set, number, total } = printed
  if (set !== undefined)
    return [{ key: searchKey.place(game.token, `${set}-${number}`), judge: () => exact('set+number matched') }]
  return total === undefined
    ? []
    : [
        ...(/^[0-9]{1,5}$/.test(total)
          ? [{ key: searchKey.total(game.token, number, Number(total)), judge: () => exact('set+number matched') }]
          : []),
        { key: searchKey.number(game.token, number), judge: () => setUnknown }
      ]
}

function lookupsOf(game: Game, text: string): readonly Lookup[] {
  const alone = game.numbers === 'game' ? exact('card_number matched; one card of the game has it') : setUnknown
  return [
    ...skuLookups(game, text),
    {
      key: searchKey.printed(game.token, text),
      judge: card => (namesItsSet(card) ? exact('set+number matched (publisher form)') : alone)
    },
    ...(foldedNumber(text) === ''
      ? []
      : [
          { key: searchKey.place(game.token, text), judge: withMarksOf(text, exact('set+number matched')) },
          ...formLookups(game, text),
          ...suffixLookups(game, text),
          { key: searchKey.number(game.token, text), judge: withMarksOf(text, alone) }
        ])
  ]
}

const byPlace = (a: Match, b: Match): number =>
  (a.confidence === b.confidence ? 0 : a.confidence === 'exact' ? -1 : 1) ||
  naturalOrder(a.card.set_code, b.card.set_code) ||
  naturalOrder(a.card.card_number, b.card.card_number) ||
  naturalOrder(a.card.lang, b.card.lang) ||
  naturalOrder(a.card.variant, b.card.variant) ||
  naturalOrder(a.card.sku, b.card.sku)

async function ask(index: NumberIndex, lookups: readonly Lookup[], most: number): Promise<CardMatches> {
  return judged(
    lookups,
    await index.find(
      lookups.map(({ key }) => key),
      most
    ),
    most
  )
}

/** Judges the cards that were found for each lookup. */
function judged(lookups: readonly Lookup[], answers: readonly (readonly FoundCard[])[], most: number): CardMatches {
  const found = new Map<string, Match>()
  for (const [at, { judge }] of lookups.entries()) {
    for (const card of answers[at] ?? []) {
      const verdict = found.has(card.sku) ? undefined : judge(card)
      if (verdict !== undefined) found.set(card.sku, { card, ...verdict })
    }
  }
  const some = [...found.values()]
  // Partial matches are dropped when there are others. When there are exact matches, only these and other printings of
  // a SKU remain.
  const whole = some.filter(({ reason }) => reason !== partial.reason)
  const all = whole.length > 0 ? whole : some
  const matches = all.some(({ confidence }) => confidence === 'exact')
    ? all.filter(match => match.confidence === 'exact' || match.reason === otherPrinting.reason)
    : all
  return { matches: matches.sort(byPlace), more: answers.some(cards => cards.length >= most) }
}

/**
 * The fewest printings that are read for a key: enough to see that a number means several cards, even where each has
 * many printings.
 */
const minPerKey = 40

/**
 * Returns how many printings to read for each key. In games whose numbers are unique only within a set, a number alone
 * occurs in many sets, so only about `shown` are read, but at least 40.
 */
const keyLimitOf = (game: Game, text: string, shown: number): number =>
  game.numbers === 'set' && /^[0-9]+$/.test(text) ? Math.min(maxPerKey, Math.max(minPerKey, shown + 1)) : maxPerKey

/**
 * Finds the cards of a game for a SKU, a set and number, or a number alone. Beginnings of numbers are tried only when
 * the whole text finds no card. Throws for a text without a letter or digit that finds nothing. `shown`: the most
 * matches that the response can contain.
 */
export async function findCards(index: NumberIndex, game: Game, q: string, shown = maxPerKey): Promise<CardMatches> {
  const text = q.trim().replace(/\s+/g, ' ')
  const most = keyLimitOf(game, text, shown)
  const findings = await ask(index, lookupsOf(game, text), most)
  if (findings.matches.length > 0) return findings
  // A few cards have a number without letters and digits, so this is checked only after the search found nothing.
  if (!/[\p{L}\p{N}]/u.test(text))
    throw invalid('q', '`q` holds no number, SKU or name: write at least one letter or digit.')
  return await ask(index, [{ key: searchKey.beginning(game.token, text), judge: () => partial }], most)
}

/**
 * Finds exact matches in several games for a SKU or a number, with one query. A text of only digits finds nothing,
 * because such numbers occur in every game. Throws for a text without a letter or digit.
 */
export async function findInGames(index: NumberIndex, games: readonly Game[], q: string): Promise<CardMatches> {
  const text = q.trim().replace(/\s+/g, ' ')
  if (!/[\p{L}\p{N}]/u.test(text)) throw invalid('q', '`q` holds no number or SKU: write at least one letter or digit.')
  if (/^[0-9]+$/.test(text)) return { matches: [], more: false }
  const { matches, more } = await ask(
    index,
    games.flatMap(game => lookupsOf(game, text)),
    minPerKey
  )
  return { matches: matches.filter(({ confidence }) => confidence === 'exact'), more }
}

/**
 * Finds exact matches for each of many texts, as `findCards` does in one game and `findInGames` in several, with one
 * query for all.
 */
export async function findTexts(
  index: NumberIndex,
  games: readonly Game[],
  texts: readonly string[]
): Promise<readonly CardMatches[]> {
  const isAny = games.length > 1
  // Where numbers are of a set, one without it is no exact match, so it is not looked up.
  const lookups = texts.map(text =>
    !/[\p{L}\p{N}]/u.test(text) || (isAny && /^[0-9]+$/.test(text))
      ? []
      : games.flatMap(game =>
          lookupsOf(game, text).filter(({ key }) => game.numbers === 'game' || !key.startsWith('n'))
        )
  )
  const keys = [...new Set(lookups.flat().map(({ key }) => key))]
  const answers = new Map((await index.findEach(keys, minPerKey)).map((cards, at) => [keys[at], cards]))
  return lookups.map(asked => {
    const { matches, more } = judged(
      asked,
      asked.map(({ key }) => answers.get(key) ?? []),
      minPerKey
    )
    return { matches: matches.filter(({ confidence }) => confidence === 'exact'), more }
  })
}

/** A number of a set, as somebody writes them. */
type Place = Readonly<{ game: Game; set: string; number: string }>

/**
 * Finds the printings of numbers of sets with one query, at most `most` for each, in the order of SKUs. A number may be
 * printed with its set or not.
 */
export async function findPlaces(
  index: NumberIndex,
  places: readonly Place[],
  most: number
): Promise<readonly Readonly<{ cards: readonly FoundCard[]; more: boolean }>[]> {
  const keysOf = ({ game: { token }, set, number }: Place): readonly string[] => [
    searchKey.place(token, `${set}-${number}`),
    searchKey.place(token, number)
  ]
  return await Promise.all(
    places.map(async place => {
      const answers = await index.find(keysOf(place), most + 1)
      const ofSet = answers.flat().filter(card => foldedNumber(card.set_code) === foldedNumber(place.set))
      const cards = [...new Map(ofSet.map(card => [card.sku, card])).values()]
      return { cards: cards.slice(0, most), more: cards.length > most }
    })
  )
}

/** Whether a printing is in a language or in one of its scripts and regions: `zh` includes `zh-hans`. */
export const isInLanguage = (card: Pick<FoundCard, 'lang'>, lang: string): boolean =>
  card.lang === lang || card.lang.startsWith(`${lang}-`)

/** Keeps the printings in a language. */
export const inLanguage = ({ matches, more }: CardMatches, lang: string): CardMatches => ({
  matches: matches.filter(({ card }) => isInLanguage(card, lang)),
  more
})

/** The schemas of the members that show a found card. */
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
  reason: Type.Enum([...cardReasons.exact, ...cardReasons.fuzzy])
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
 * Returns the letters and digits of a name, without its parts in parentheses: some names end in marks of a printing, as
 * in `Conquest (V) (AI)`.
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
export function ambiguityOf(cards: readonly FoundCard[]): Readonly<{ buckets: number; ambiguous: boolean }> {
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
export function summarise({ matches, more }: CardMatches, shown: number): Summary {
  const { buckets, ambiguous } = ambiguityOf(matches.map(({ card }) => card))
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
