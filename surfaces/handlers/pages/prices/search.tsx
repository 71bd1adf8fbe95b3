import { NullableText } from 'pantry/data'
import { definePage, Table, Type } from 'pantry/page'
import { foundMembers } from '../../../cards/search/find-cards.ts'
import { maxNumbers } from '../../../cards/search/name-index.ts'
import { maxQueryLength } from '../../../cards/search/query-text.ts'
import { languageName } from '../../../common/words.ts'
import { NamedPages, SearchForm, ShownPages } from '../../../pages/lists.tsx'
import { HowToAsk, Queried, QueriedPage, QueryMistake } from '../../../pages/queries.tsx'
import { GameNames } from '../../../pages/schemas.ts'

const Found = Type.Object({
  matches: Type.Array(Type.Object({ ...foundMembers, confidence: Type.String(), reason: Type.String() })),
  summary: Type.Object({ more: Type.Boolean() })
})

export default definePage({
  query: Type.Object({
    q: Type.Optional(
      Type.String({ maxLength: maxQueryLength, description: 'A name, a printed number, a SKU or a query.' })
    ),
    game: Type.Optional(Type.String({ maxLength: 40, description: 'Token or slug of a game.' })),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxNumbers,
        description: 'Names to pass over, as the link to the next page says.'
      })
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Where the next page of a query begins, as the link to it says.' })
    )
  }),
  shows: { games: GameNames, reading: Type.Object({ query: NullableText }) },
  besides: {
    numbers: Found,
    anywhere: Found,
    names: Type.Object({ ...ShownPages.properties, matches: Found.properties.matches }),
    query: Queried
  },
  view: ({
    shown: {
      games: { games },
      reading
    },
    beside: { numbers, anywhere, names, query },
    query: { q = '', game = '', offset = 0, cursor }
  }) => {
    const byToken = new Map(games.map(one => [one.token, one]))
    const sure = game === '' ? anywhere : numbers
    const found = [
      ...new Map(
        [...(offset === 0 ? (sure.data?.matches ?? []) : []), ...(names.data?.matches ?? [])].map(match => [
          match.sku,
          match
        ])
      ).values()
    ]
    const refused = [sure, names].filter(({ status }) => status >= 400)
    const asked = q.trim() !== ''
    const hasName = names.data?.matches.some(({ confidence }) => confidence === 'exact') === true
    const isRefused = reading.query !== null && query.status >= 400 && !hasName
    const isWords = asked && !isRefused && query.data === undefined
    return {
      title: asked ? `Search for ${q.trim()}` : 'Search',
      scripts: ['search.js'],
      ...(isRefused ? { refusedBy: 'query' } : {}),
      main: (
        <>
          <SearchForm
            games={games.filter(({ curated }) => curated)}
            q={q}
            game={byToken.has(game) ? game : games.find(({ slug }) => slug === game)?.token}
            mistake={isRefused ? 'mistake' : undefined}
          />
          {isRefused && <QueryMistake of={query} asked={{ q, game }} />}
          <HowToAsk isOpen={!asked || isRefused} />
          {query.data !== undefined && <QueriedPage of={query.data} asked={{ q, game, cursor }} />}
          {isWords && refused.length === 2 && (
            <p role="alert">{[...new Set(refused.map(({ reason }) => reason))].join(' ')}</p>
          )}
          {isWords && refused.length < 2 && (
            <Table
              caption="Cards that were found, the surest first"
              none="No card was found. Look for a shorter part of its name, or choose the game and write the number as it is printed."
              rows={found}
              columns={[
                {
                  head: 'Card',
                  cell: ({ sku, name, card_number: number }) => (
                    <a href={`/product/${encodeURIComponent(sku)}`}>{name ?? number}</a>
                  )
                },
                { head: 'Number', cell: ({ card_number: number }) => number },
                { head: 'Set', cell: ({ printed_code: code }) => code ?? 'not given' },
                { head: 'Language', cell: ({ lang }) => (lang === null ? 'not given' : languageName(lang)) },
                { head: 'Why it was found', cell: ({ confidence, reason }) => `${confidence}: ${reason}` }
              ]}
            />
          )}
          {isWords && names.data !== undefined && <NamedPages of={names.data} asked={{ q, game }} offset={offset} />}
          {isWords && offset === 0 && sure.data?.summary.more === true && (
            <p class="note">More printings have such a number than are shown. Choose a game, or write the set too.</p>
          )}
        </>
      )
    }
  }
})
