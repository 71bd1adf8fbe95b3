import { definePage, Table } from 'pantry/page'
import { SearchForm } from '../../pages/lists.tsx'
import { GameNames, HeldGames } from '../../pages/schemas.ts'
import { counted } from '../../words.ts'

export default definePage({
  shows: { held: HeldGames, names: GameNames },
  view: ({ shown: { held, names } }) => {
    const counts = new Map(held.games.map(game => [game.target_natural_token, game]))
    const guides = names.games.filter(({ curated }) => curated)
    return {
      title: 'Price guides',
      scripts: ['search.js'],
      main: (
        <>
          <p class="lead">
            A guide shows the sets and printings of a game, and what each source may say of prices. No price is
            published: no source gave the right to.
          </p>
          <SearchForm games={guides} />
          <Table
            caption="Games with a guide, by name"
            rows={guides}
            columns={[
              { head: 'Game', cell: ({ slug, name }) => <a href={`/prices/${slug}`}>{name}</a> },
              { head: 'Publisher', cell: ({ publisher }) => publisher },
              { head: 'Sets', cell: ({ token }) => counted(counts.get(token)?.set_count ?? 0), isNumber: true },
              { head: 'Printings', cell: ({ token }) => counted(counts.get(token)?.card_count ?? 0), isNumber: true }
            ]}
          />
          <p>
            <a href="/prices/coverage">Which source could say what</a>
          </p>
        </>
      )
    }
  }
})
