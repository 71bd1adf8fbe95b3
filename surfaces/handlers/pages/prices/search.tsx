import { definePage, Type } from 'pantry/page'
import { facetQuery } from '../../../cards/parameters.ts'
import { maxNumbers } from '../../../cards/search/name-index.ts'
import { maxQueryLength } from '../../../cards/search/query-text.ts'
import {
  describeSearch,
  Facets,
  Found,
  FoundPages,
  FoundTable,
  Narrowed,
  NothingFound,
  searchPath
} from '../../../pages/found.tsx'
import { SearchForm } from '../../../pages/lists.tsx'
import { HowToAsk, QueryMistake } from '../../../pages/queries.tsx'
import { GameNames } from '../../../pages/schemas.ts'

export default definePage({
  query: Type.Object({
    q: Type.Optional(
      Type.String({ maxLength: maxQueryLength, description: 'A name, a printed number, a SKU or a query.' })
    ),
    game: Type.Optional(Type.String({ maxLength: 40, description: 'Token or slug of a game.' })),
    ...facetQuery,
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxNumbers, default: 1, description: 'Which page of the result.' })
    )
  }),
  shows: { games: GameNames },
  besides: { found: Found },
  view: ({
    shown: {
      games: { games }
    },
    beside: { found },
    query: { q = '', game = '', set, rarity, colour, type, page = 1 },
    pathTo
  }) => {
    const byToken = new Map(games.map(one => [one.token, one]))
    const token = games.find(one => [one.token, one.slug].includes(game.trim().toLowerCase()))?.token
    const isAsked = q.trim() !== ''
    const asked = { q, game: token ?? (game || undefined), set, rarity, colour, type, page }
    const isRefused = isAsked && found.data === undefined
    const isOfText = isRefused && found.details['field'] === 'q'
    const result = isAsked ? found.data : undefined
    const shown = result && { of: result, asked, games: byToken, pathTo }
    return {
      title: isAsked ? `Search for ${q.trim()}` : 'Search',
      scripts: ['search.js'],
      ...(isRefused ? { refusedBy: 'found' } : {}),
      ...(isAsked
        ? {
            description: describeSearch(asked, byToken),
            // Facets combine to more pages than anybody needs in an index.
            sharing: {
              canonical: searchPath(pathTo, asked),
              isIndexed: [set, rarity, colour, type].every(chosen => chosen === undefined)
            }
          }
        : {}),
      main: (
        <>
          <SearchForm
            games={games.filter(({ curated }) => curated)}
            q={q}
            game={token}
            mistake={isOfText ? 'mistake' : undefined}
          />
          {isRefused && <QueryMistake of={found} asked={{ q, game }} />}
          {page > 1 && isRefused && (
            <p>
              <a href={searchPath(pathTo, { ...asked, page: 1 })}>The first page of the result</a>
            </p>
          )}
          {shown !== undefined && <Narrowed {...shown} />}
          {shown?.of.matches.length === 0 && <NothingFound {...shown} />}
          {shown !== undefined && shown.of.matches.length > 0 && (
            <div class="searched">
              <div>
                <FoundTable {...shown} />
                <FoundPages {...shown} />
                <p>
                  <a href={found.path}>The result as data</a> (JSON)
                </p>
              </div>
              <Facets {...shown} />
            </div>
          )}
          <HowToAsk isOpen={!isAsked || isOfText} />
        </>
      )
    }
  }
})
