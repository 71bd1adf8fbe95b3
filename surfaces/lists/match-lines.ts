import type { Game } from '../cards/games.ts'
import { findTexts, isInLanguage } from '../cards/search/find-cards.ts'
import { nameKey } from '../cards/search/fold-name.ts'
import { readPlaces } from '../cards/search/read-query.ts'
import { foldedNumber, searchKey, type FoundCard } from '../cards/search/number-index.ts'
import { resolveSkus, type Resolution } from '../cards/sku.ts'
import { cardsOfRows, maxNearest, mostPrintings, placeOf, withoutTotal } from './line-rows.ts'
import type { MatchScope, NamedCards } from './line-rows.ts'
import type { ListLine } from './list-text.ts'
import { findNear } from './near-lines.ts'

/** How sure it is which card a line means. */
export const certainties = {
  exact: 'one card is all that the line says',
  likely: 'one card is most of what the line says: its language, set or number is open or another',
  ambiguous: 'several cards are what the line says',
  none: 'no card is what the line says'
} as const
export type Certainty = keyof typeof certainties

/**
 * What a line means: the card where it is one, and the cards that are nearest, `card` first among them. `isSought`:
 * false where no card is meant, and so many lines are such that what is nearest to this one was not looked for.
 */
export type LineMatch = Readonly<{
  certainty: Certainty
  card: FoundCard | undefined
  nearest: readonly FoundCard[]
  isSought?: boolean
}>

/** The forms in which a name may be written: whole, without a remark in parentheses, and its first face. */
export const namesIn = (name: string): readonly string[] =>
  [...new Set([name, name.replace(/\s*\([^()]*\)$/, ''), name.split(' // ')[0] ?? ''].map(one => nameKey(one)))].filter(
    one => one !== ''
  )

const sameName = (card: FoundCard, name: string): boolean => {
  const asked = new Set(namesIn(name))
  return [card.name, card.name_en].some(own => own !== null && namesIn(own).some(one => asked.has(one)))
}

/**
 * Of printings that differ only in their variant, keeps the ordinary one if it is among them, because the plain number
 * refers to it.
 */
function ordinary(cards: readonly FoundCard[]): readonly FoundCard[] {
  const held = new Set(cards.map(({ sku }) => sku))
  return cards.filter(({ sku }) => {
    const plain = sku.split('-', 4).join('-')
    return sku === plain || !held.has(plain)
  })
}

/** Returns the match of printings of which all are what the line says; `sure`: whether the line says no more. */
function among(cards: readonly FoundCard[], isSure: boolean, lang: string | undefined): LineMatch {
  const spoken = lang === undefined ? cards : cards.filter(card => isInLanguage(card, lang))
  const wanted = ordinary(spoken.length > 0 ? spoken : cards)
  const [first] = wanted
  const nearest = wanted.slice(0, maxNearest)
  if (first === undefined) return { certainty: 'none', card: undefined, nearest }
  if (wanted.length === 1) return { certainty: isSure && spoken.length > 0 ? 'exact' : 'likely', card: first, nearest }
  const hasOnePlace = wanted.every(({ sku }) => placeOf(sku) === placeOf(first.sku))
  const hasOnePrintingEach = new Set(wanted.map(({ lang }) => lang)).size === wanted.length
  if (!hasOnePlace || !hasOnePrintingEach) return { certainty: 'ambiguous', card: undefined, nearest }
  const card = wanted.find(one => one.lang === 'en') ?? first
  return { certainty: 'likely', card, nearest: [card, ...nearest.filter(one => one !== card)] }
}

type Found = Readonly<{
  bySku: Resolution<FoundCard>
  candidates: readonly FoundCard[]
  byNumber: readonly FoundCard[]
  named: NamedCards
}>

function decide({ name }: ListLine, found: Found, lang: string | undefined): LineMatch {
  const { bySku, candidates, byNumber, named } = found
  if (bySku.status === 'found') return { certainty: 'exact', card: bySku.card, nearest: [bySku.card] }
  if (bySku.status === 'ambiguous') return { certainty: 'ambiguous', card: undefined, nearest: candidates }
  const agreeing = name === null ? byNumber : byNumber.filter(card => sameName(card, name))
  if (agreeing.length > 0) return among(agreeing, true, lang)
  if (byNumber.length > 0 && named.cards.length > 0) {
    // The number says one card and the name another.
    const nearest = [...ordinary(byNumber), ...named.cards].slice(0, maxNearest)
    return { certainty: 'ambiguous', card: undefined, nearest }
  }
  return byNumber.length > 0 ? among(byNumber, false, lang) : among(named.cards, named.isSure, lang)
}

type Place = Readonly<{ set: string; number: string }>

/** Finds the printings of numbers of sets, with one query for all. */
async function findPlaced(
  places: readonly (Place | undefined)[],
  { index }: MatchScope,
  games: readonly Game[]
): Promise<readonly (readonly FoundCard[])[]> {
  const keys = places.map(place =>
    place === undefined
      ? []
      : games.flatMap(({ token }) =>
          [`${place.set}-${withoutTotal(place.number)}`, withoutTotal(place.number)].map(one =>
            searchKey.place(token, one)
          )
        )
  )
  const all = [...new Set(keys.flat())]
  const found = new Map((await index.findEach(all, mostPrintings)).map((cards, at) => [all[at], cards]))
  return places.map((place, at) => {
    const cards = (keys[at] ?? []).flatMap(key => found.get(key) ?? [])
    const inSet = cards.filter(card => foldedNumber(card.set_code) === foldedNumber(place?.set ?? ''))
    return [...new Map(inSet.map(card => [card.sku, card])).values()]
  })
}

/** Finds the printings that each line means by its number, with its set or without. */
async function findNumbered(
  lines: readonly ListLine[],
  scope: MatchScope,
  games: readonly Game[]
): Promise<readonly (readonly FoundCard[])[]> {
  const texts = lines.map(({ sku, set, number, name }) =>
    set === null ? (number ?? (sku === null && name !== null && /\d/.test(name) ? name : '')) : ''
  )
  const [placed, numbered] = await Promise.all([
    findPlaced(
      lines.map(({ set, number }) => (set === null || number === null ? undefined : { set, number })),
      scope,
      games
    ),
    findTexts(scope.index, games, texts)
  ])
  const found = placed.map((cards, at) => [...cards, ...(numbered[at]?.matches ?? []).map(({ card }) => card)])
  // What is no number as it is written may be one as a search reads it.
  const others = texts.filter((text, at) => text !== '' && found[at]?.length === 0)
  const read = await findPlaced(await readPlaces(scope.names, others, scope.game?.token), scope, games)
  const readAs = new Map(others.map((text, at) => [text, read[at] ?? []]))
  return found.map((cards, at) => (cards.length > 0 ? cards : (readAs.get(texts[at] ?? '') ?? [])))
}

/** Finds the rows of the names that lines say. */
async function findNamed(lines: readonly ListLine[], { names, game }: MatchScope) {
  const keys = lines.map(({ name, number, text }) => namesIn(name ?? number ?? text))
  const allKeys = [...new Set(keys.flat())]
  const named = await names.equalTo(allKeys, game?.token)
  const byKey = new Map(
    allKeys.map((key, at) => [key, (named[at] ?? []).filter(({ name }) => namesIn(name).includes(key))])
  )
  const equal = keys.map(forms => forms.map(key => byKey.get(key) ?? []).find(some => some.length > 0) ?? [])
  return await names.numbersOfEach(equal)
}

/** The games of which cards are held: a number is looked up in no other. */
async function gamesWithCards({ catalogue, games }: MatchScope): Promise<readonly Game[]> {
  const held = new Set((await catalogue.games()).map(({ game }) => game))
  return games.filter(({ token }) => held.has(token))
}

/**
 * Finds the card that each line means, by its SKU, its set and number, its number, or its name with what it says
 * beside; with a number of queries that does not grow with the lines.
 */
export async function matchLines(lines: readonly ListLine[], scope: MatchScope): Promise<readonly LineMatch[]> {
  const { index, game, lang } = scope
  const games = game === undefined ? await gamesWithCards(scope) : [game]
  const [bySku, byNumber, rows] = await Promise.all([
    resolveSkus(
      lines.map(({ sku, number }) => sku ?? number ?? ''),
      async skus => {
        const cards = new Map((await index.ofSkus(skus)).map(card => [card.sku, card]))
        return skus.map(sku => cards.get(sku))
      }
    ),
    findNumbered(lines, scope, games),
    findNamed(lines, scope)
  ])
  const candidates = bySku.map(one => (one.status === 'ambiguous' ? one.candidates : []))
  const { named, cardsBySku } = await cardsOfRows(lines, rows, candidates.flat(), scope)
  const matches = lines.map((line, at) =>
    decide(
      line,
      {
        bySku: bySku[at] ?? { status: 'invalid' },
        candidates: (candidates[at] ?? []).flatMap(sku => cardsBySku.get(sku) ?? []),
        byNumber: byNumber[at] ?? [],
        named: named[at] ?? { cards: [], isSure: false }
      },
      line.language ?? lang
    )
  )
  const missing = lines.filter((_, at) => matches[at]?.certainty === 'none')
  const near = await findNear(missing, scope, games)
  const nearTo = new Map(missing.map((line, at) => [line, near[at]]))
  return matches.map((match, at) => {
    const line = lines[at]
    if (match.certainty !== 'none' || line === undefined) return match
    const nearest = nearTo.get(line)
    return { ...match, nearest: nearest ?? [], isSought: nearest !== undefined }
  })
}
