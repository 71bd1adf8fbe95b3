import type { VNode } from 'pantry/page'

type SearchProps = Readonly<{
  games: readonly Readonly<{ token: string; short_name: string }>[]
  q?: string | undefined
  game?: string | undefined
}>

/**
 * A search field for a name, a printed number or a SKU. The script `search.js` suggests names; the form also works
 * without it.
 */
export const SearchForm = ({ games, q, game }: SearchProps): VNode => (
  <form class="search" action="/prices/search" method="get" role="search">
    <label>
      Name, number or SKU
      <input
        type="search"
        name="q"
        value={q}
        maxLength={160}
        required
        autocomplete="off"
        list="suggestions"
        placeholder="Luffy, OP01-001 …"
      />
    </label>
    <label class="small">
      Game
      <select name="game">
        <option value="">Any game</option>
        {games.map(({ token, short_name: name }) => (
          <option value={token} selected={token === game}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <button type="submit">Search</button>
    <datalist id="suggestions" />
  </form>
)
