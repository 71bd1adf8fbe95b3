import type { DataOf } from 'pantry/data'
import type { VNode } from 'pantry/page'
import { maxQueryLength } from '../cards/search/query-text.ts'
import { formatCount } from '../common/words.ts'
import type { PrintingsIn } from './schemas.ts'

type SearchProps = Readonly<{
  games: readonly Readonly<{ token: string; short_name: string }>[]
  q?: string | undefined
  game?: string | undefined
  /** The id of the element that says what is wrong with `q`. */
  mistake?: string | undefined
}>

/**
 * A search field for a name, a printed number, a SKU or a query. The script `search.js` suggests names; the form also
 * works without it.
 */
export const SearchForm = ({ games, q, game, mistake }: SearchProps): VNode => (
  <form class="search" action="/prices/search" method="get" role="search">
    <label>
      Name, number, SKU or query
      <input
        type="search"
        name="q"
        value={q}
        maxLength={maxQueryLength}
        required
        aria-invalid={mistake === undefined ? undefined : true}
        aria-describedby={mistake}
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

type ProductsProps = Readonly<{ label: string; skus: readonly string[]; isOpen: boolean }>

const Products = ({ label, skus, isOpen }: ProductsProps): VNode | null =>
  skus.length === 0 ? null : (
    <details open={isOpen}>
      <summary>
        {label}: {formatCount(skus.length)}
      </summary>
      <ul class="views">
        {skus.map(sku => (
          <li>
            <a href={`/product/${encodeURIComponent(sku)}`}>{sku}</a>
          </li>
        ))}
      </ul>
    </details>
  )

/** The most printings of other sets that are not folded. */
const mostOpen = 40

type CameInProps = Readonly<{
  of: DataOf<typeof PrintingsIn>
  /** The SKUs of the set's own printings. */
  own: ReadonlySet<string>
}>

/** The printings that came in a set: those with numbers of other sets, which its own list lacks, and its own. */
export function CameIn({ of: { count, printings }, own }: CameInProps): VNode {
  const others = printings.filter(sku => !own.has(sku))
  const ofSet = printings.filter(sku => own.has(sku))
  const cut = printings.length < count ? `, of which the first ${formatCount(printings.length)} are here` : ''
  return (
    <>
      <h2>What came in it</h2>
      <p>
        {count === 0
          ? 'No source names this set as what a printing came in.'
          : `Printings that came in this set, as sources say: ${formatCount(count)}${cut}.`}
      </p>
      <Products label="With numbers of other sets" skus={others} isOpen={others.length <= mostOpen} />
      <Products label="With numbers of this set" skus={ofSet} isOpen={false} />
    </>
  )
}

/** Links for further reading; those to data are marked as JSON. */
export const ReadMore = ({
  links
}: Readonly<{ links: readonly Readonly<{ label: string; href: string }>[] }>): VNode | null =>
  links.length === 0 ? null : (
    <section>
      <h2>Read on</h2>
      <ul>
        {links.map(({ label, href }) => (
          <li>
            <a href={href}>{label}</a>
            {href.startsWith('/api/') ? ' (JSON)' : ''}
          </li>
        ))}
      </ul>
    </section>
  )
