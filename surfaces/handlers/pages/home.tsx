import { definePage, Facts, Table } from 'pantry/page'
import { Showcase } from '../../cards/showcase.ts'
import { CardFace } from '../../pages/card-face.tsx'
import { SearchForm } from '../../pages/lists.tsx'
import { GameNames, HeldGames, ShownCoverage } from '../../pages/schemas.ts'
import { formatCount } from '../../common/words.ts'
import { GamesCompleteness, NewestSets } from '../../cards/rows.ts'

export default definePage({
  shows: {
    held: HeldGames,
    names: GameNames,
    newest: NewestSets,
    completeness: GamesCompleteness,
    coverage: ShownCoverage,
    today: Showcase
  },
  view: ({
    shown: {
      held,
      names,
      newest,
      completeness,
      coverage: { summary },
      today: { cards }
    },
    service
  }) => {
    const byToken = new Map(names.games.map(game => [game.token, game]))
    const shares = new Map(
      completeness.games.map(({ game, held_numbers: numbers, declared_total: total, sets_left_out: others }) => [
        game,
        total > 0 ? `${formatCount(numbers)} of ${formatCount(total)}` : others > 0 ? 'not comparable' : 'not declared'
      ])
    )
    const games = held.games
      .map(game => ({ ...game, names: byToken.get(game.target_natural_token) }))
      .sort((a, b) => b.card_count - a.card_count)
    return {
      title: service.name,
      description: service.summary,
      sharing: {
        about: {
          '@type': 'WebSite',
          name: service.name,
          potentialAction: {
            '@type': 'SearchAction',
            target: { '@type': 'EntryPoint', urlTemplate: `${service.base_url}/prices/search?q={q}` },
            'query-input': 'required name=q'
          }
        }
      },
      scripts: ['search.js'],
      main: (
        <>
          <p class="lead">{service.summary}</p>
          <SearchForm games={games.flatMap(({ names: one }) => (one === undefined ? [] : [one]))} />
          {cards.length > 0 && (
            <>
              <h2>Cards of today</h2>
              <ul class="faces few" aria-label="Cards of the newest sets, others each day">
                {cards.map(({ sku, name, set_name: set, card_number: number }, at) => (
                  <li>
                    <a href={`/product/${encodeURIComponent(sku)}`}>
                      <CardFace sku={sku} size="tile" alt="" isLate={at >= 4} />
                      <span>
                        {at === 0 && <strong>Card of the day: </strong>}
                        {name}, {set ?? number}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )}
          <p>
            <a href="/list">Paste a list of cards</a> to find each of them, see{' '}
            <a href="/auctions">what members offer</a>, or <a href="/play/practice">play a match</a>.
          </p>
          <p>
            Prices and pictures of cards are withheld until the rights to publish them are recorded; the faces are drawn
            from facts. <a href="/sources">What each source allows.</a>
          </p>
          <h2>Games</h2>
          <Table
            caption="Games with cards here, the largest first"
            rows={games}
            columns={[
              {
                head: 'Game',
                cell: ({ names: one, target_natural_token: token }) =>
                  one?.curated === true ? <a href={`/prices/${one.slug}`}>{one.name}</a> : (one?.name ?? token)
              },
              { head: 'Printings', cell: ({ card_count: count }) => formatCount(count), isNumber: true },
              { head: 'Sets', cell: ({ set_count: count }) => formatCount(count), isNumber: true },
              {
                head: 'Numbers held of those declared',
                cell: ({ target_natural_token: token }) => shares.get(token) ?? 'not declared',
                isNumber: true
              },
              { head: 'Latest set', cell: ({ latest_set_released_at: day }) => day ?? 'not dated' }
            ]}
          />
          <h2>Newest sets</h2>
          <Table
            caption={`The sets that were released last, until ${newest.until}`}
            none="No set has a date."
            rows={newest.sets}
            columns={[
              {
                head: 'Set',
                cell: set =>
                  set.game_slug === null ? (
                    (set.name ?? set.printed_code)
                  ) : (
                    <a href={`/prices/${set.game_slug}/${encodeURIComponent(set.code)}`}>
                      {set.name ?? set.printed_code}
                    </a>
                  )
              },
              { head: 'Game', cell: set => set.game_name },
              { head: 'Released', cell: set => <time dateTime={set.released_at}>{set.released_at}</time> },
              { head: 'Printings', cell: set => formatCount(set.card_count), isNumber: true }
            ]}
          />
          <h2>How current the data is</h2>
          <Facts
            of={{
              'Last import': summary.latest_snapshot,
              'Cards that were seen': formatCount(summary.distinct_cards),
              'Sources that showed them': formatCount(summary.distinct_sources)
            }}
          />
          <p>
            <a href="/coverage">Day by day, with every source</a>
          </p>
          <h2>Three doors</h2>
          <ul class="tiles">
            <li>
              <h3>For people</h3>
              <p>
                Look a card up, read <a href="/guides">the guides</a>, learn a game in{' '}
                <a href="/play/tutorial">short sections</a>, <a href="/organisations">find a collective</a>,{' '}
                <a href="/bridge">compare two collections</a>, or <a href="/verify">check a draw</a>. Write{' '}
                <a href="/calling-card">a calling card</a>, or <a href="/tarot">turn a tarot card</a>. What holds for
                everyone: <a href="/terms">terms</a> and <a href="/privacy">what is kept</a>.
              </p>
            </li>
            <li>
              <h3>For agents and developers</h3>
              <p>
                <a href="/developers">Where to begin with the API</a>, or try every surface{' '}
                <a href="/explore">in the explorer</a>.
              </p>
            </li>
            <li>
              <h3>For contributors</h3>
              <p>
                See <a href="/sources">what is read and why</a>, <a href="/coverage">what is missing</a>, and write to
                us: <a href={`mailto:${service.contact.email}`}>{service.contact.email}</a>.
              </p>
            </li>
          </ul>
        </>
      )
    }
  }
})
