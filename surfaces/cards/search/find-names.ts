import type { NumberReading } from '../games.ts'
import { naturalOrder } from '../numbers.ts'
import { foldName, formsOf, isWholeName, nameKey, unspaced } from './fold-name.ts'
import { romanised } from './kana.ts'
import { byFit, findMistaken, findNames, judge, uniqueById, type NameMatch, type NameVerdict } from './match-names.ts'
import { maxNumbers, maxNames, type FoundName, type NameIndex, type NumberRow } from './name-index.ts'
import { foldNumber, type KnownCard, type NumberIndex } from './number-index.ts'
import { fitOf, patternOf, type SearchWord, type Spoken } from './read-query.ts'
import { scriptsNotHeld } from './scripts.ts'

/** A card number with a name: its first printing, how many there are, and all rows of them. */
export type NamedNumber = Readonly<{
  match: NameMatch
  first: NumberRow
  printings: number
  rows: readonly NumberRow[]
  newest: string
  /** Whether a word of the text is this number. */
  isAsked: boolean
}>
/** A name with the numbers found of it, those with more printings first. */
type NameGroup = Readonly<{ match: NameMatch; numbers: readonly NamedNumber[]; printings: number }>
type NamedCard = Readonly<{ card: KnownCard; name: string; printings: number } & NameVerdict>

type NameQuery = Readonly<{
  /** The text that is searched, as a key of `nameKey`. */
  text: string
  game?: string | undefined
  spoken?: Spoken
  /** What is searched instead if nothing is found; the first that finds something counts. */
  others?: readonly NumberReading[]
}>

type PageQuery = NameQuery &
  Readonly<{
    /** Selects the printings that are wanted. */
    filter?: ((attributes: KnownCard['attributes']) => boolean) | undefined
    /** The page of the found card numbers: `offset` is the index of the first, `limit` the most that it has. */
    offset: number
    limit: number
  }>

/** A page of cards, and counts of everything that was found. */
type NamedCards = Readonly<{
  cards: readonly NamedCard[]
  /** The names that were found, in order. */
  names: readonly Readonly<{ game: string; name: string; numbers: number; printings: number } & NameVerdict>[]
  /** The sources of each name. */
  sourcesOfNames: readonly (readonly string[])[]
  best: Readonly<{ sku: string; confidence: NameVerdict['confidence'] }> | undefined
  /** The number of card numbers found, and of their printings. */
  found: number
  printings: number
  /** Whether all matching names and numbers were read. */
  isComplete: boolean
  /** Scripts of the text in which no name is held. */
  scripts: readonly string[]
}>

type Rows = Readonly<{ rows: readonly NumberRow[]; more: boolean }>
const none: Rows = { rows: [], more: false }

/** Returns the first names that together have at least `maxNumbers` rows, or all names if they have fewer. */
function namesCovering(names: readonly FoundName[]): readonly FoundName[] {
  let sum = 0
  const end = names.findIndex(({ numbers }) => (sum += numbers) >= maxNumbers)
  return end === -1 ? names : names.slice(0, end + 1)
}

async function rowsOf(index: NameIndex, matches: readonly NameMatch[]): Promise<Rows> {
  const names = matches.map(({ found }) => found)
  const rows = await index.numbersOf(namesCovering(names), [])
  return { rows, more: names.reduce((sum, { numbers }) => sum + numbers, 0) > rows.length }
}

const isCode = ({ sets }: SearchWord): boolean => sets.some(set => set.isCode)

/** The most sets whose cards are looked through. */
const maxSets = 100

/**
 * Finds rows that have all words, each in the name, the set, the number or what is stated of the cards. They are looked
 * for among the names and sets that have a word, or else the cards with a number.
 */
async function rowsAcross(index: NameIndex, words: readonly SearchWord[], game: string | undefined): Promise<Rows> {
  const patterns = words.map(patternOf)
  const names = uniqueById(words.flatMap(word => word.names))
    .map(found => ({ found, fit: fitOf(formsOf(foldName(found.name)), words) }))
    .sort((a, b) => a.fit.missing - b.fit.missing || a.fit.begun - b.fit.begun || b.found.printings - a.found.printings)
    .map(({ found }) => found)
  const codes = words.filter(isCode)
  // The code of a set selects it; only without one do words of the names of sets.
  const chosen = (codes.length > 0 ? codes : words).flatMap(({ sets }) =>
    sets.flatMap(({ id, isCode }) => (codes.length === 0 || isCode ? [id] : []))
  )
  const sets = [...new Set(chosen)]
  const [ofNames, ofSets] = await Promise.all([
    index.numbersOf(names.slice(0, maxNames), patterns),
    index.numbersIn({ sets: sets.slice(0, maxSets) }, patterns)
  ])
  const rows = [...ofNames, ...ofSets]
  const more =
    names.length > maxNames || sets.length > maxSets || [ofNames, ofSets].some(some => some.length >= maxNumbers)
  const number = words.find(({ text }) => /^[0-9]+$/.test(text))?.text.replace(/^0+(?=.)/, '')
  if (rows.length > 0 || game === undefined || number === undefined) return { rows, more }
  const numbered = await index.numbersIn({ game, number }, patterns)
  return { rows: numbered, more: numbered.length >= maxNumbers }
}

type Findings = Rows & Readonly<{ words: readonly SearchWord[] }>

/** Finds rows for a text: by names, across what is stated, and only if these find nothing with typing mistakes. */
async function findRows(index: NameIndex, { text, game, spoken }: NameQuery): Promise<Findings> {
  const { matches, words, more } = await findNames(index, text, game, spoken)
  const [first] = words
  // One word is a name before it is a word of a set; several may be the name and what is stated of a card.
  const isAcross =
    matches.length === 0 ||
    (matches[0]?.confidence !== 'exact' && (words.length > 1 || (first !== undefined && isCode(first))))
  const [named, across] = await Promise.all([
    rowsOf(index, matches),
    isAcross && !isWholeName(text) ? rowsAcross(index, words, game) : none
  ])
  const rows = [...named.rows, ...across.rows]
  if (rows.length > 0 || isWholeName(text)) return { rows, words, more: more || named.more || across.more }
  const mistaken = await findMistaken(index, text, words, game)
  const exact = await rowsOf(index, mistaken.matches)
  if (exact.rows.length > 0) return { ...exact, words: mistaken.words, more: mistaken.more || exact.more }
  return { ...(await rowsAcross(index, mistaken.words, game)), words: mistaken.words }
}

const newest = (rows: readonly NumberRow[]): string =>
  rows.reduce((latest, { released_on: date }) => (date !== null && date > latest ? date : latest), '')

const descending = (a: string, b: string): number => (a === b ? 0 : a > b ? -1 : 1)

/** Whether one of the words is the number of a row, as `1` is of `A1 001`. */
const hasNumber = ({ card_number: number }: NumberRow, words: readonly SearchWord[]): boolean =>
  words.some(({ text }) => /[0-9]/.test(text) && foldNumber(text) === foldNumber(number))

const byPrintings = (a: NamedNumber, b: NamedNumber): number =>
  Number(b.isAsked) - Number(a.isAsked) ||
  b.printings - a.printings ||
  descending(a.newest, b.newest) ||
  naturalOrder(a.first.set_code, b.first.set_code) ||
  naturalOrder(a.first.card_number, b.first.card_number)

/** Groups rows by set and number. A printing with several names counts with the first. */
function numbersOf(
  match: NameMatch,
  rows: readonly NumberRow[],
  words: readonly SearchWord[],
  seen: Set<string>
): readonly NamedNumber[] {
  const places = new Map<string, NumberRow[]>()
  for (const row of rows) {
    if (seen.has(row.sku)) continue
    seen.add(row.sku)
    const place = `${row.set_code}\n${row.card_number}`
    const known = places.get(place)
    if (known === undefined) places.set(place, [row])
    else known.push(row)
  }
  return [...places.values()].map(rows => {
    const first = rows.reduce((least, row) => (row.sku < least.sku ? row : least))
    const printings = rows.reduce((sum, row) => sum + row.printings, 0)
    return { match, first, rows, printings, newest: newest(rows), isAsked: hasNumber(first, words) }
  })
}

/**
 * Groups rows by name, those that fit the text best first, then those with a number of the text, names in its script,
 * those with more printings, the newest and by name; and the numbers of each name by printings, date and place. The
 * order is total, so that pages do not overlap.
 */
function groupsOf(text: string, { rows, words }: Findings, verdict: NameVerdict | undefined): readonly NameGroup[] {
  const names = new Map<number, NumberRow[]>()
  for (const row of rows) {
    const known = names.get(row.found.id)
    if (known === undefined) names.set(row.found.id, [row])
    else known.push(row)
  }
  const groups = [...names.values()].flatMap(ofName => {
    const [row] = ofName
    if (row === undefined) return []
    const match = { ...judge(text, words, row.found), ...verdict }
    return [
      {
        match,
        rows: ofName,
        printings: ofName.reduce((sum, { printings }) => sum + printings, 0),
        isAsked: ofName.some(one => hasNumber(one, words)),
        isWritten: unspaced.test(row.found.name) === unspaced.test(text)
      }
    ]
  })
  // What a text with mistakes means is what most printings have; then the name that is this alone comes first.
  const meant = new Map<string, number>()
  for (const { match, printings } of groups)
    meant.set(match.fit.letters, Math.max(printings, meant.get(match.fit.letters) ?? 0))
  const byMeaning = ({ fit: a }: NameMatch, { fit: b }: NameMatch): number =>
    a.mistakes === 0
      ? 0
      : (meant.get(b.letters) ?? 0) - (meant.get(a.letters) ?? 0) ||
        descending(b.letters, a.letters) ||
        Number(b.isCovered) - Number(a.isCovered)
  groups.sort(
    (a, b) =>
      byFit(a.match, b.match) ||
      byMeaning(a.match, b.match) ||
      Number(b.isAsked) - Number(a.isAsked) ||
      Number(b.isWritten) - Number(a.isWritten) ||
      b.printings - a.printings ||
      descending(newest(a.rows), newest(b.rows)) ||
      descending(b.match.found.name, a.match.found.name) ||
      a.match.found.id - b.match.found.id
  )
  const seen = new Set<string>()
  return groups.flatMap(({ match, rows: ofName }) => {
    const numbers = [...numbersOf(match, ofName, words, seen)].sort(byPrintings)
    return numbers.length === 0
      ? []
      : [{ match, numbers, printings: numbers.reduce((sum, one) => sum + one.printings, 0) }]
  })
}

/** Leaves of the groups only the printings that a filter accepts, whose attributes are read for it. */
async function filtered(
  groups: readonly NameGroup[],
  names: NameIndex,
  cards: NumberIndex,
  filter: NonNullable<PageQuery['filter']>
): Promise<readonly NameGroup[]> {
  const rows = groups.flatMap(({ numbers }) => numbers.flatMap(number => number.rows))
  const skus = new Map(await Promise.all(rows.map(async row => [row.id, await names.skusOf(row)] as const)))
  const wanted = new Set(
    (await cards.ofSkus([...new Set([...skus.values()].flat())])).flatMap(({ sku, attributes }) =>
      filter(attributes) ? [sku] : []
    )
  )
  return groups.flatMap(({ match, numbers }) => {
    const left = numbers.flatMap(number => {
      const [sku, ...others] = number.rows.flatMap(({ id }) => skus.get(id) ?? []).filter(one => wanted.has(one))
      return sku === undefined ? [] : [{ ...number, first: { ...number.first, sku }, printings: others.length + 1 }]
    })
    return left.length === 0
      ? []
      : [{ match, numbers: left, printings: left.reduce((sum, one) => sum + one.printings, 0) }]
  })
}

type Groups = Readonly<{ groups: readonly NameGroup[]; more: boolean; scripts: readonly string[] }>

/** Finds rows, for a text in kana that no name is held in also as it is read in Latin letters. */
async function findInScripts(index: NameIndex, query: NameQuery): Promise<Groups> {
  const findings = await findRows(index, query)
  const scripts = findings.rows.length > 0 ? [] : await scriptsNotHeld(index, query.text, query.game)
  const latin = romanised(query.text)
  if (scripts.length === 0 || latin === query.text)
    return { groups: groupsOf(query.text, findings, undefined), more: findings.more, scripts }
  const others = await findRows(index, { ...query, text: latin })
  return {
    groups: groupsOf(latin, others, { confidence: 'fuzzy', reason: 'name matched in Latin letters' }),
    more: others.more,
    scripts
  }
}

/** The most other readings of a text that are searched. */
const maxOthers = 4

/** Finds rows for a text, or else for its other readings. */
async function findInReadings(index: NameIndex, query: NameQuery): Promise<Groups> {
  const found = await findInScripts(index, query)
  if (found.groups.length > 0) return found
  for (const { game, text } of (query.others ?? []).slice(0, maxOthers)) {
    const other = await findInScripts(index, { ...query, game, text: nameKey(text) })
    if (other.groups.length > 0) return other
  }
  return found
}

/** Finds all card numbers for a text, in order, at most `maxNumbers`; otherwise as `findNamedCards` does. */
export async function findNamedNumbers(
  index: NameIndex,
  query: NameQuery
): Promise<Readonly<{ numbers: readonly NamedNumber[] }> & Pick<NamedCards, 'isComplete' | 'scripts'>> {
  const { groups, more, scripts } = await findInReadings(index, query)
  const every = groups.flatMap(({ numbers }) => numbers)
  return { numbers: every.slice(0, maxNumbers), isComplete: !more && every.length <= maxNumbers, scripts }
}

/**
 * Finds cards by words of their names, their sets and numbers, and of what is stated of them; printings of one number
 * with the same name count as one card. Only the cards of the page are read in full, unless a filter needs the
 * attributes of all.
 */
export async function findNamedCards(names: NameIndex, cards: NumberIndex, query: PageQuery): Promise<NamedCards> {
  const { filter, offset, limit } = query
  const { groups: all, more, scripts } = await findInReadings(names, query)
  const groups = filter === undefined ? all : await filtered(all, names, cards, filter)
  const every = groups.flatMap(({ numbers }) => numbers)
  const numbers = every.slice(0, maxNumbers)
  const shown = numbers.slice(offset, offset + limit)
  const [best] = numbers
  const read = await cards.ofSkus(shown.map(({ first }) => first.sku))
  const cardOf = new Map(read.map(card => [card.sku, card]))
  return {
    cards: shown.flatMap(({ first, printings, match: { found, confidence, reason } }) => {
      const card = cardOf.get(first.sku)
      return card === undefined ? [] : [{ card, name: found.name, printings, ...verdictOf({ confidence, reason }) }]
    }),
    names: groups.map(({ match: { found, ...match }, numbers: { length }, printings }) => ({
      game: found.game,
      name: found.name,
      numbers: length,
      printings,
      ...verdictOf(match)
    })),
    sourcesOfNames: groups.map(({ match }) => match.found.sources),
    best: best === undefined ? undefined : { sku: best.first.sku, confidence: best.match.confidence },
    found: numbers.length,
    printings: numbers.reduce((sum, one) => sum + one.printings, 0),
    isComplete: !more && every.length <= maxNumbers,
    scripts
  }
}

const verdictOf = ({ confidence, reason }: Pick<NameMatch, 'confidence' | 'reason'>): NameVerdict =>
  ({ confidence, reason }) as NameVerdict
