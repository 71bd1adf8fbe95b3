/** Search as people use it: one match for a card, pages, and counts of what the matches have in common. */
import { SurfaceError } from 'pantry/data'
import type { GameDirectory } from '../games.ts'
import { checkSigns, readName } from '../parameters.ts'
import { canonicalCode, gameOf } from '../sku.ts'
import { isQuery, compileQuery } from './compile-query.ts'
import { findCards, findInGames, type CardReason } from './find-cards.ts'
import { findNamedNumbers, type NamedNumber } from './find-names.ts'
import { cardKey, findAllQueried, maxRead } from './find-queried.ts'
import { namesNear, type NameVerdict } from './match-names.ts'
import type { FoundName, NameIndex } from './name-index.ts'
import type { FoundCard, NumberIndex } from './number-index.ts'
import { isRarity, type QueryFields } from './query-fields.ts'
import type { QueriedCard, QueryIndex } from './query-index.ts'
import { asksField } from './query-text.ts'

/** What a result can be narrowed by. */
export const facetNames = ['game', 'set', 'rarity', 'colour', 'type'] as const
export type FacetName = (typeof facetNames)[number]
export type Chosen = Readonly<Partial<Record<FacetName, string | undefined>>>

type Services = Readonly<{
  names: NameIndex
  search: NumberIndex
  queries: QueryIndex
  games: GameDirectory
  fields: QueryFields
}>

type Verdict = Readonly<{ confidence: 'exact' | 'fuzzy'; reason: CardReason | NameVerdict['reason'] }>

/** A card that was found, with its printings; a search by words reads those of the first `maxRead` printings only. */
type Candidate = Readonly<{
  key: string
  /** The SKU of the printing that is shown, if it is not the first of those that are left. */
  sku: string
  isMeant: boolean
  matchedName: string | null
  verdict: Verdict | undefined
  printings: number
  read: readonly QueriedCard[] | undefined
}>

type Candidates = Readonly<{
  candidates: readonly Candidate[]
  /** The query in its usual form; undefined for words. */
  readAs?: string
  /** Why not all that is held was looked at; undefined for a whole result. */
  cut: string | undefined
  scripts: readonly string[]
}>

type FacetValue = Readonly<{ value: string; label: string; cards: number }>
export type Facet = Readonly<{ name: FacetName; values: readonly FacetValue[] }>

type Found = Readonly<{
  matches: readonly Readonly<{
    card: QueriedCard
    rarities: readonly string[]
    printings: number
    matchedName: string | null
    verdict: Verdict | undefined
  }>[]
  facets: readonly Facet[]
  /** How many cards the facets count; fewer than `found` where there are very many printings. */
  counted: number
  found: number
  printings: number
  /** How many cards there are without what was chosen but the game. */
  all: number
  near: readonly FoundName[]
}> &
  Omit<Candidates, 'candidates'>

/** Returns what a search came to, or the refusal of its input. */
async function attempt<Value>(
  work: () => Promise<Value>
): Promise<Readonly<{ value?: Value; refusal?: SurfaceError }>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof SurfaceError && error.code === 'INVALID_INPUT') return { refusal: error }
    throw error
  }
}

/** Reads the printings of candidates, in their order, at most `maxRead` in all. */
async function readPrintings(
  { queries, games }: Services,
  numbered: ReadonlyMap<string, readonly FoundCard[]>,
  named: ReadonlyMap<string, readonly NamedNumber[]>
): Promise<ReadonlyMap<string, readonly QueriedCard[]>> {
  const rows = [...named.values()].flatMap(numbers => numbers.flatMap(number => number.rows))
  let left = maxRead - [...numbered.values()].reduce((sum, { length }) => sum + length, 0)
  const end = rows.findIndex(({ printings }) => (left -= printings) < 0)
  const cards = await queries.ofPrintings(
    {
      skus: [...numbered.values()].flatMap(cards => cards.map(({ sku }) => sku)),
      rows: (end === -1 ? rows : rows.slice(0, end)).map(({ id }) => id)
    },
    maxRead
  )
  const byKey = new Map<string, Map<string, QueriedCard>>()
  for (const card of cards) {
    const key = cardKey(card, games)
    byKey.set(key, (byKey.get(key) ?? new Map<string, QueriedCard>()).set(card.sku, card))
  }
  return new Map([...byKey].map(([key, ofKey]) => [key, [...ofKey.values()].sort(byPrinting)]))
}

const byPrinting = (a: QueriedCard, b: QueriedCard): number =>
  Number(b.lang === 'en') - Number(a.lang === 'en') || (a.sku < b.sku ? -1 : 1)

function grouped<Value>(values: readonly Value[], keyOf: (value: Value) => string): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const known = groups.get(keyOf(value))
    if (known === undefined) groups.set(keyOf(value), [value])
    else known.push(value)
  }
  return groups
}

/** Finds cards by number and by name, those that a number means first. Throws if both refuse the text. */
async function findWords(services: Services, q: string, game: string | undefined): Promise<Candidates> {
  const { names: index, search, games } = services
  const [numbers, names] = await Promise.all([
    attempt(async () =>
      game === undefined ? await findInGames(search, games.all, q) : await findCards(search, games.named(game), q)
    ),
    attempt(async () => {
      const text = readName(q)
      const found = await findNamedNumbers(index, {
        text,
        game,
        spoken: games.spokenRarities(game),
        others: games.readNumber(q, game)
      })
      checkSigns(text, found.numbers.length > 0)
      return found
    })
  ])
  if (numbers.refusal !== undefined && names.refusal !== undefined) throw names.refusal
  const { matches = [], more = false } = numbers.value ?? {}
  const { numbers: found = [], isComplete = true, scripts = [] } = names.value ?? {}
  const verdicts = new Map(matches.map(match => [match.card.sku, match]))
  const numbered = grouped(
    matches.map(({ card }) => card),
    card => cardKey({ ...card, game: gameOf(card.sku) }, games)
  )
  const named = grouped(found, ({ match, first }) => cardKey({ ...first, game: match.found.game }, games))
  const read = await readPrintings(services, numbered, named)
  const isWhole = isComplete && (!more || [...numbered.keys()].every(key => named.has(key)))
  return {
    candidates: [
      ...[...numbered].flatMap(([key, [first, ...others]]) => {
        const match = first && verdicts.get(first.sku)
        if (match === undefined) return []
        const { card, confidence, reason } = match
        return [
          {
            key,
            sku: card.sku,
            isMeant: reason === 'canonical SKU exact' || reason === 'set+number matched (suffixed)',
            matchedName: null,
            verdict: { confidence, reason },
            printings: others.length + 1,
            read: read.get(key)
          }
        ]
      }),
      ...[...named].flatMap(([key, [first, ...others]]) => {
        if (first === undefined || numbered.has(key)) return []
        const { found: name, confidence, reason } = first.match
        return [
          {
            key,
            sku: first.first.sku,
            isMeant: false,
            matchedName: name.name,
            verdict: { confidence, reason },
            printings: others.reduce((sum, { printings }) => sum + printings, first.printings),
            read: read.get(key)
          }
        ]
      })
    ],
    cut: isWhole
      ? undefined
      : 'More cards may be meant than are looked through for one text: write more of the name, or choose a game.',
    scripts
  }
}

/** Finds the cards of a text: a query, or words, which a query with a mistake is where a card has it as its name. */
async function findCandidates(services: Services, q: string, game: string | undefined): Promise<Candidates> {
  const { names, queries, games, fields } = services
  if (!asksField(q)) return await findWords(services, q, game)
  const tokenOf = (name: string): string | undefined => games.find(name)?.token
  if (!isQuery(q, fields, tokenOf, game)) {
    const words = await attempt(async () => await findWords(services, q, game))
    if (words.value?.candidates.some(({ verdict }) => verdict?.reason === 'name matched') === true) return words.value
  }
  const compiled = compileQuery(q, fields, tokenOf, game)
  const { matches, cut } = await findAllQueried({ names, queries, games }, compiled, 'card')
  return {
    candidates: matches.map(({ card, printings }) => ({
      key: cardKey(card, games),
      sku: card.sku,
      isMeant: true,
      matchedName: null,
      verdict: undefined,
      printings: printings.length,
      read: printings
    })),
    readAs: compiled.text,
    cut,
    scripts: []
  }
}

const raritiesOf = (cards: readonly QueriedCard[]): readonly string[] => [
  ...new Set(cards.flatMap(({ rarity }) => (rarity === null || rarity === '' ? [] : [rarity])))
]

const folded = (text: string): string => text.trim().toLowerCase()

type FacetOf = Readonly<{
  /** The values of a printing, folded. */
  valuesOf: (card: QueriedCard) => readonly string[]
  /** Whether a printing is what somebody wrote who knows none of the values. */
  isMeant?: (card: QueriedCard, wanted: string) => boolean
  labelOf: (value: string, card: QueriedCard) => string
}>
type Facets = Readonly<Record<FacetName, FacetOf>>

/** Returns how each facet reads a printing. */
function facetsOf({ games, fields }: Services): Facets {
  /** The rarity in the words of the game of the card: another game may mean another one by the same letters. */
  const rarityOf = ({ game, rarity }: QueriedCard): string =>
    rarity === null ? '' : (games.spokenRarities(game).get(rarity)?.[0] ?? rarity)
  const attribute = (name: string): FacetOf => {
    const [field] = fields.named(name)
    return {
      // Games write one colour in different letter cases.
      valuesOf: card => field?.valuesOf(card).map(value => folded(String(value))) ?? [],
      labelOf: value => value.charAt(0).toUpperCase() + value.slice(1)
    }
  }
  return {
    game: {
      valuesOf: ({ game }) => [game],
      isMeant: ({ game }, wanted) => games.find(wanted)?.token === game,
      labelOf: value => games.find(value)?.name ?? value
    },
    set: {
      valuesOf: ({ set_code: code }) => [folded(canonicalCode(code))],
      labelOf: (_, { set_code: code, set_names: [name] }) => (name === undefined ? code : `${name} (${code})`)
    },
    rarity: {
      valuesOf: card => [folded(rarityOf(card))],
      isMeant: ({ game, rarity }, wanted) => rarity !== null && isRarity(rarity, wanted, games.spokenRarities(game)),
      labelOf: (_, card) => rarityOf(card)
    },
    colour: attribute('colours'),
    type: attribute('category')
  }
}

/** Returns a function that tells which printings are chosen: by a value if one of `cards` has it, or else by a name. */
function chooser({ valuesOf, isMeant }: FacetOf, chosen: string, cards: readonly QueriedCard[]) {
  const hasIt = (card: QueriedCard): boolean => valuesOf(card).includes(chosen)
  return isMeant === undefined || cards.some(hasIt) ? hasIt : (card: QueriedCard) => isMeant(card, chosen)
}

/** Counts the cards that have each value, the commonest first; of a facet that was chosen only the chosen value. */
function countFacets(
  cards: readonly (readonly QueriedCard[])[],
  facets: Facets,
  wanted: readonly Readonly<{ name: FacetName; value: string; isWanted: (card: QueriedCard) => boolean }>[]
): readonly Facet[] {
  return facetNames.map(name => {
    const { valuesOf, labelOf } = facets[name]
    const chosen = wanted.find(one => one.name === name)
    const shownOf = (card: QueriedCard): readonly string[] => {
      const values = valuesOf(card).filter(value => value !== '')
      return chosen !== undefined && values.includes(chosen.value) ? [chosen.value] : values
    }
    const counted = new Map<string, { labels: Map<string, string>; cards: number }>()
    for (const printings of cards) {
      const ofCard = new Map(
        printings
          .filter(card => chosen?.isWanted(card) !== false)
          .flatMap(card => shownOf(card).map(value => [value, card] as const))
      )
      for (const [value, card] of ofCard) {
        const known = counted.get(value) ?? { labels: new Map<string, string>(), cards: 0 }
        known.cards++
        if (!known.labels.has(card.game)) known.labels.set(card.game, labelOf(value, card))
        counted.set(value, known)
      }
    }
    // Sets of several games may have one code: the label has the name of each.
    const values = [...counted].map(([value, { labels, cards }]) => ({
      value,
      label: [...new Map([...labels.values()].map(label => [folded(label), label])).values()].join(' / '),
      cards
    }))
    return { name, values: values.sort((a, b) => b.cards - a.cards || (a.value < b.value ? -1 : 1)) }
  })
}

/**
 * Finds the cards of a text in a game or in all, keeps those with a printing that has all that is chosen, and returns
 * the page of them from `offset` on, with the counts of all. Printings that are not what was chosen do not count.
 * Throws INVALID_INPUT for a text that cannot be searched, and for a query with a mistake.
 */
export async function findFaceted(
  services: Services,
  { q, chosen, offset, limit }: Readonly<{ q: string; chosen: Chosen; offset: number; limit: number }>
): Promise<Found> {
  const { game } = chosen
  const { candidates, ...about } = await findCandidates(services, q, game)
  const facets = facetsOf(services)
  const all = candidates.flatMap(({ read = [] }) => read)
  const wanted = facetNames.flatMap(name =>
    chosen[name] === undefined
      ? []
      : [{ name, value: folded(chosen[name]), isWanted: chooser(facets[name], folded(chosen[name]), all) }]
  )
  const isWanted = (card: QueriedCard): boolean => wanted.every(one => one.isWanted(card))
  const isNarrowed = wanted.some(({ name }) => name !== 'game')
  const left = candidates.flatMap(candidate => {
    const read = candidate.read?.filter(isWanted)
    if (read === undefined) return isNarrowed ? [] : [candidate]
    return read.length === 0 ? [] : [{ ...candidate, read, printings: read.length }]
  })
  const counted = left.flatMap(({ read }) => (read === undefined ? [] : [read]))
  const shown = left.slice(offset, offset + limit)
  const unread = shown.filter(({ read }) => read === undefined).map(({ sku }) => sku)
  const later = new Map(
    (await services.queries.ofPrintings({ skus: unread, rows: [] }, limit)).map(card => [card.sku, card])
  )
  return {
    ...about,
    matches: shown.flatMap(({ sku, isMeant, read, printings, matchedName, verdict }) => {
      const meant = isMeant ? read?.find(one => one.sku === sku) : undefined
      const card = meant ?? read?.[0] ?? later.get(sku)
      return card === undefined ? [] : [{ card, rarities: raritiesOf(read ?? [card]), printings, matchedName, verdict }]
    }),
    facets: countFacets(counted, facets, wanted),
    counted: counted.length,
    found: left.length,
    printings: left.reduce((sum, { printings }) => sum + printings, 0),
    all: candidates.length,
    near: candidates.length === 0 && about.readAs === undefined ? await namesNear(services.names, q, game) : []
  }
}
