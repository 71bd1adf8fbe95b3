import { definePage, Table, Type } from 'pantry/page'
import { foundMembers } from '../../../cards/search/find-cards.ts'
import { maxNumbers } from '../../../cards/search/name-index.ts'
import { languageName } from '../../../common/words.ts'
import { NamedPages, SearchForm, ShownPages } from '../../../pages/lists.tsx'
import { GameNames } from '../../../pages/schemas.ts'

const Found = Type.Object({
  matches: Type.Array(Type.Object({ ...foundMembers, confidence: Type.String(), reason: Type.String() })),
  summary: Type.Object({ more: Type.Boolean() })
})

export default definePage({
  query: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 160, description: 'A name, a printed number or a SKU.' })),
    game: Type.Optional(Type.String({ maxLength: 40, description: 'Token or slug of a game.' })),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxNumbers,
        description: 'Names to pass over, as the link to the next page says.'
      })
    )
  }),
  shows: { games: GameNames },
  besides: {
    numbers: Found,
    anywhere: Found,
    names: Type.Object({ ...ShownPages.properties, matches: Found.properties.matches })
  },
  view: ({
    shown: {
      games: { games }
    },
    beside: { numbers, anywhere, names },
    query: { q = '', game = '', offset = 0 }
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
    return {
      title: asked ? `Search for ${q.trim()}` : 'Search',
      scripts: ['search.js'],
      main: (
        <>
          <SearchForm
            games={games.filter(({ curated }) => curated)}
            q={q}
            game={byToken.has(game) ? game : games.find(({ slug }) => slug === game)?.token}
          />
          {!asked && (
            <p>Write a name in any language that is held, a number as it is printed with its set, or a SKU.</p>
          )}
          {asked && refused.length === 2 && (
            <p role="alert">{[...new Set(refused.map(({ reason }) => reason))].join(' ')}</p>
          )}
          {asked && refused.length < 2 && (
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
          {asked && names.data !== undefined && <NamedPages of={names.data} asked={{ q, game }} offset={offset} />}
          {asked && offset === 0 && sure.data?.summary.more === true && (
            <p class="note">More printings have such a number than are shown. Choose a game, or write the set too.</p>
          )}
        </>
      )
    }
  }
})
