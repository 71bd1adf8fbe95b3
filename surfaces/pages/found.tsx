/** The parts of the search page: what was found, what it can be narrowed by, and its pages. */
import { NullableText, Text, Texts, Type, type DataOf, type PathTo } from 'pantry/data'
import { Table, type VNode } from 'pantry/page'
import { foundMembers, type CardReason } from '../cards/search/find-cards.ts'
import type { FacetName } from '../cards/search/find-faceted.ts'
import type { NameVerdict } from '../cards/search/match-names.ts'
import { formatCount } from '../common/words.ts'
import { FoundCard } from './card-face.tsx'
import type { GameNames } from './schemas.ts'
import { numberPath } from './sharing.ts'

/** The fields of `/api/v1/search/found` that the page uses. */
export const Found = Type.Object({
  input: Type.Object({ limit: Type.Integer() }),
  read_as: NullableText,
  matches: Type.Array(
    Type.Object({
      ...foundMembers,
      game: Text,
      set_name: NullableText,
      rarity: NullableText,
      rarities: Texts,
      printings: Type.Integer(),
      matched_name: NullableText,
      reason: NullableText
    })
  ),
  facets: Type.Array(
    Type.Object({
      name: Text,
      chosen: NullableText,
      found: Type.Integer(),
      values: Type.Array(Type.Object({ value: Text, label: Text, cards: Type.Integer() }))
    })
  ),
  near: Type.Array(Type.Object({ name: Text, game: Text, printings: Type.Integer() })),
  not_held: Texts,
  summary: Type.Object({
    found: Type.Integer(),
    printings: Type.Integer(),
    pages: Type.Integer(),
    counted: Type.Integer(),
    without_facets: Type.Integer()
  }),
  cut: NullableText
})
type Found = DataOf<typeof Found>
type Match = Found['matches'][number]
type Games = ReadonlyMap<string, DataOf<typeof GameNames>['games'][number]>

/** What was asked: the text, what the result is narrowed by, and the page from 1. */
export type Search = Readonly<{ q: string; page: number } & Partial<Record<FacetName, string | undefined>>>

/** Returns the path of the search for something; the first page where none is given. */
export function searchPath(pathTo: PathTo, { page, ...asked }: Partial<Search>): string {
  const values = Object.entries({ ...asked, page: page === undefined || page === 1 ? undefined : String(page) })
  const query = new URLSearchParams(values.flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return `${pathTo('pages/prices/search')}?${String(query)}`
}

/** What a match has to do with the text. */
const reasonWords: Readonly<Record<CardReason | NameVerdict['reason'], string>> = {
  'canonical SKU exact': 'the SKU is what you wrote',
  'set+number matched (publisher form)': 'the number is what you wrote',
  'set+number matched': 'the number is what you wrote',
  'set+number matched (suffixed)': 'the number and the variant are what you wrote',
  'card_number matched; one card of the game has it': 'the number is what you wrote',
  'set+number matched; another printing': 'another printing of the SKU that you wrote',
  'card_number matched; set ambiguous': 'the number within the set is what you wrote',
  'card_number partial match': 'the number starts with what you wrote',
  'name matched': 'the name is what you wrote',
  'set and number matched': 'the set and the number are what you wrote',
  'name starts with the text': 'the name starts with what you wrote',
  'a word of the name starts with the text': 'a word of the name starts with what you wrote',
  'words of the name matched': 'the name has the words that you wrote',
  'words of the name and of the card matched': 'the name, set, number or attributes have the words that you wrote',
  'words of the name matched but for a mistake': 'the name is near to what you wrote',
  'name matched in Latin letters': 'what you wrote is read like the name in Latin letters'
}

const whyOf = ({ reason }: Match): string =>
  reason !== null && reason in reasonWords ? reasonWords[reason as keyof typeof reasonWords] : ''

const count = (number: number, one: string): string => `${formatCount(number)} ${one}${number === 1 ? '' : 's'}`

/** Leads to the page of a card; to that of a printing where the text means this one, or where the game has no guide. */
function cardPath(
  pathTo: PathTo,
  { sku, game, set_code: set, card_number: number, reason }: Match,
  games: Games
): string {
  const guide = games.get(game)
  const isPrinting = reason === 'canonical SKU exact' || reason === 'set+number matched (suffixed)'
  return isPrinting || set === null || guide?.curated !== true
    ? pathTo('pages/product', { sku })
    : numberPath(pathTo, guide.slug, set, number)
}

const facetWords: Readonly<Record<FacetName, string>> = {
  game: 'Game',
  set: 'Set',
  rarity: 'Rarity',
  colour: 'Colour',
  type: 'Type'
}
const isFacet = (name: string): name is FacetName => name in facetWords

/** Returns the facets that can narrow a result: not those that are chosen, or in which all cards are alike. */
const openFacets = ({ facets, summary: { counted } }: Found) =>
  facets.flatMap(({ name, chosen, values, found }) =>
    isFacet(name) && chosen === null && values.some(({ cards }) => cards < counted) ? [{ name, values, found }] : []
  )

/** Returns one sentence on a search, which no other search has. */
export function describeSearch({ q, page, game, ...others }: Search, games: Games): string {
  const parts = [
    game === undefined ? '' : `in ${games.get(game)?.name ?? game}`,
    ...Object.entries(others).map(([name, value]) => (value === undefined ? '' : `${name} ${value}`)),
    page === 1 ? '' : `page ${formatCount(page)}`
  ].filter(part => part !== '')
  return `Cards that “${q.trim()}” finds${parts.length === 0 ? '' : ` (${parts.join(', ')})`}, with their sets, rarities and printings.`
}

type FoundProps = Readonly<{ of: Found; asked: Search; games: Games; pathTo: PathTo }>

/** The cards of a page as a table, after how many there are and why they were found. */
export function FoundTable({ of, asked, games, pathTo }: FoundProps): VNode {
  const { matches, summary, cut, read_as: readAs } = of
  const first = (asked.page - 1) * of.input.limit + 1
  const reasons = new Set(matches.map(whyOf))
  const [why = ''] = reasons.size === 1 ? reasons : []
  const isOfOneGame = new Set(matches.map(({ game }) => game)).size === 1
  const part = summary.pages > 1 ? `${formatCount(first)} to ${formatCount(first + matches.length - 1)} of ` : ''
  return (
    <>
      <p class="note">
        {part}
        {count(summary.found, 'card')}, {count(summary.printings, 'printing')}.
        {readAs !== null && (
          <>
            {' '}
            Read as the query <code>{readAs}</code>.
          </>
        )}
        {why !== '' && ` Why ${matches.length === 1 ? 'it was' : 'they were'} found: ${why}.`}
      </p>
      {cut !== null && <p role="note">{cut}</p>}
      {openFacets(of).length > 0 && (
        <a class="to-facets" href="#narrow">
          Narrow the result by{' '}
          {openFacets(of)
            .map(({ name }) => facetWords[name].toLowerCase())
            .join(', ')}
        </a>
      )}
      <Table
        caption="Cards that were found, the surest first"
        rows={matches}
        columns={[
          {
            head: 'Card',
            cell: match => (
              <FoundCard
                sku={match.sku}
                name={match.name ?? match.matched_name}
                number={match.card_number}
                href={cardPath(pathTo, match, games)}
              />
            )
          },
          { head: 'Number', cell: ({ card_number: number }) => number },
          { head: 'Set', cell: ({ set_name: name, printed_code: code }) => name ?? code ?? 'not given' },
          ...(isOfOneGame ? [] : [{ head: 'Game', cell: ({ game }: Match) => games.get(game)?.short_name ?? game }]),
          { head: 'Rarity', cell: ({ rarities }) => rarities.join(', ') || 'not given' },
          { head: 'Printings', cell: ({ printings }) => formatCount(printings), isNumber: true },
          ...(why === '' && reasons.size > 1 ? [{ head: 'Why it was found', cell: whyOf }] : [])
        ]}
      />
    </>
  )
}

type FacetProps = Readonly<{ of: Found; asked: Search; pathTo: PathTo }>

/** What the result is narrowed by, each as a link that takes it away. */
export const Narrowed = ({ of: { facets }, asked, games, pathTo }: FoundProps): VNode | null => {
  const chosen = facets.flatMap(({ name, chosen, values: [value] }) =>
    isFacet(name) && chosen !== null
      ? [{ name, label: value?.label ?? games.get(chosen)?.name ?? asked[name] ?? chosen }]
      : []
  )
  return chosen.length === 0 ? null : (
    <ul class="chips" aria-label="Narrowed by">
      {chosen.map(({ name, label }) => (
        <li>
          <a rel="nofollow" href={searchPath(pathTo, { ...asked, [name]: undefined, page: 1 })}>
            <span class="away">Take away </span>
            {facetWords[name]}: {label} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The most values of a facet that are not folded. */
const mostOpen = 8

/** What the result can be narrowed by, as links with counts. */
export function Facets({ of, asked, pathTo }: FacetProps): VNode | null {
  const { summary } = of
  const open = openFacets(of)
  if (open.length === 0) return null
  const linked = (name: FacetName, values: Found['facets'][number]['values']): VNode => (
    <ul>
      {values.map(({ value, label, cards }) => (
        <li>
          <a rel="nofollow" href={searchPath(pathTo, { ...asked, [name]: value, page: 1 })}>
            {label}
          </a>{' '}
          {formatCount(cards)}
        </li>
      ))}
    </ul>
  )
  return (
    <section class="facets" id="narrow" aria-label="Narrow what was found">
      {open.map(({ name, values, found }) => (
        <section>
          <h2>{facetWords[name]}</h2>
          {linked(name, values.slice(0, mostOpen))}
          {values.length > mostOpen && (
            <details>
              <summary>{formatCount(values.length - mostOpen)} more</summary>
              {linked(name, values.slice(mostOpen))}
            </details>
          )}
          {found > values.length && (
            <p class="note">
              The {formatCount(values.length)} commonest of {formatCount(found)}.
            </p>
          )}
        </section>
      ))}
      {summary.counted < summary.found && (
        <p class="note">Counted among the first {formatCount(summary.counted)} cards.</p>
      )}
    </section>
  )
}

/** Links to the pages before and after this one, and to the first and the last. */
export function FoundPages({ of: { summary }, asked, pathTo }: FacetProps): VNode | null {
  const { page } = asked
  const { pages } = summary
  if (pages < 2) return null
  const link = (to: number, words: string, rel?: string): VNode => (
    <li>
      <a rel={rel} href={searchPath(pathTo, { ...asked, page: to })}>
        {words}
      </a>
    </li>
  )
  return (
    <nav aria-label="Pages">
      <ul class="views">
        {page > 2 && link(1, 'First page', 'first')}
        {page > 1 && link(page - 1, 'Page before', 'prev')}
        <li>
          <strong aria-current="page">
            Page {formatCount(page)} of {formatCount(pages)}
          </strong>
        </li>
        {page < pages && link(page + 1, 'Next page', 'next')}
        {page < pages - 1 && link(pages, 'Last page', 'last')}
      </ul>
    </nav>
  )
}

/** What an empty result says: what was understood, what could be meant, and where nothing can be found. */
export function NothingFound({
  of: { read_as: readAs, near, not_held: scripts, summary },
  asked,
  games,
  pathTo
}: FoundProps): VNode {
  const game = asked.game === undefined ? undefined : (games.get(asked.game)?.name ?? asked.game)
  const where = game === undefined ? '' : ` of ${game}`
  const others = summary.without_facets
  return (
    <>
      <p>
        {others > 0 ? (
          `The text finds ${count(others, 'card')}${where}, and none with all that you chose: take something away.`
        ) : readAs !== null ? (
          <>
            Read as the query <code>{readAs}</code>. No card{where} is what all of its terms say: leave one out, or
            write a wider range.
          </>
        ) : (
          `No card${where} has “${asked.q.trim()}” as its name, number or SKU, nor all of these words in its name, set, number and attributes.`
        )}
      </p>
      {scripts.length > 0 && (
        <p>
          No name{where} is held in {scripts.join(' or ')}: the sources give names in other scripts. Write the name in
          Latin letters.
        </p>
      )}
      {near.length > 0 && (
        <>
          <p>Names that are near:</p>
          <ul class="views">
            {near.map(({ name, game: token }) => (
              <li>
                <a href={searchPath(pathTo, { q: name, game: token })}>{name}</a>{' '}
                {games.get(token)?.short_name ?? token}
              </li>
            ))}
          </ul>
        </>
      )}
      {game !== undefined && (
        <p>
          <a href={searchPath(pathTo, { ...asked, game: undefined, page: 1 })}>Look in all games</a>
        </p>
      )}
    </>
  )
}
