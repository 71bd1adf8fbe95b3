import type { VNode } from 'pantry/page'

type SearchProps = Readonly<{
  games: readonly Readonly<{ token: string; short_name: string }>[]
  q?: string | undefined
  game?: string | undefined
}>

/**
 * One box for a name, a printed number or a SKU. The script `search.js` completes names; without it the button does the
 * same.
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
