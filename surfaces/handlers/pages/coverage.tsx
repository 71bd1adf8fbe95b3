import { NullableText, Text } from 'pantry/data'
import { definePage, Facts, Table, Type } from 'pantry/page'
import { Bars, Days } from '../../pages/charts.tsx'
import { Looks } from '../../coverage/hunt/page.tsx'
import { feedbackPath } from '../../pages/feedback.tsx'
import { gameNamesOf, GameNames, ShownCoverage } from '../../pages/schemas.ts'
import { formatCount, inWords, spoken, withCode } from '../../common/words.ts'

const History = Type.Object({
  by_day: Type.Array(Type.Object({ date: Text, is_current_utc_day: Type.Boolean(), observations: Type.Integer() }))
})
const Hunt = Type.Object({
  board: Type.Object({
    candidates: Type.Array(
      Type.Object({
        candidate: Type.Object({ kind: Text }),
        question: Text,
        where_to_look: Type.Array(Type.Object({ what: Text, url: NullableText }))
      })
    )
  })
})

export default definePage({
  query: Type.Object({
    window: Type.Optional(Type.Enum(['7', '30', '90'], { default: '30', description: 'Days of the history.' }))
  }),
  shows: { coverage: ShownCoverage, history: History },
  besides: { hunt: Hunt, names: GameNames },
  view: ({
    shown: {
      coverage: { summary, by_game: games, by_source: sources, matrix },
      history
    },
    beside: { hunt, names },
    query: { window = '30' }
  }) => ({
    title: 'Coverage',
    main: (
      <>
        <p class="lead">
          What the imports of this service saw, and when. It counts what was seen; it does not say what exists.{' '}
          <a href={feedbackPath('/coverage', 'missing card')}>A card is missing</a>
        </p>
        <Facts
          of={{
            'Cards seen': formatCount(summary.distinct_cards),
            Games: formatCount(summary.distinct_games),
            Sources: formatCount(summary.distinct_sources),
            'Rows that no card was found for': formatCount(summary.unassigned_observations),
            'First day': summary.earliest_snapshot,
            'Last day': summary.latest_snapshot
          }}
        />
        <h2>Day by day</h2>
        <ul class="views" aria-label="Days that are shown">
          {['7', '30', '90'].map(one => (
            <li>{one === window ? <strong>{one} days</strong> : <a href={`/coverage?window=${one}`}>{one} days</a>}</li>
          ))}
        </ul>
        <Days
          caption={`Observations on each of the last ${window} days`}
          unit="Observations"
          days={history.by_day.map(({ date, observations, is_current_utc_day: isPartial }) => ({
            date,
            value: observations,
            isPartial
          }))}
        />
        <h2>By game</h2>
        <Bars
          caption="Cards seen of each game"
          of="Game"
          unit="Cards seen"
          bars={[...games]
            .sort((a, b) => b.distinct_cards - a.distinct_cards)
            .map(game => ({ label: game.game_name, value: game.distinct_cards, href: `/prices/${game.game_slug}` }))}
        />
        <h2>By source</h2>
        <Table
          caption="What each source showed"
          rows={sources}
          columns={[
            { head: 'Source', cell: ({ source }) => <a href={`/sources/${encodeURIComponent(source)}`}>{source}</a> },
            { head: 'Games', cell: ({ games: of }) => gameNamesOf(names.data, of) },
            { head: 'Cards seen', cell: ({ distinct_cards: cards }) => formatCount(cards), isNumber: true },
            { head: 'Last day', cell: ({ latest_snapshot: day }) => day ?? 'never' }
          ]}
        />
        <h2>What is missing</h2>
        <Table
          caption="Questions that the counts ask. They ask nobody to gather data."
          none={hunt.reason === '' ? 'The counts ask nothing now.' : hunt.reason}
          rows={hunt.data?.board.candidates ?? []}
          columns={[
            { head: 'Question', cell: ({ question }) => question },
            { head: 'Where to look', cell: ({ where_to_look: look }) => <Looks of={look} /> },
            { head: 'Kind', cell: ({ candidate }) => spoken(candidate.kind) }
          ]}
        />
        <h2>What is expected of each source</h2>
        <dl class="facts">
          {Object.entries(matrix.states).map(([state, meaning]) => (
            <>
              <dt>{withCode(state)}</dt>
              <dd>{meaning}</dd>
            </>
          ))}
        </dl>
        <Table
          caption="Sources by games. Games that a source does not declare are left out."
          rows={matrix.rows
            .map(row => ({ ...row, cells: Object.entries(row.cells).filter(([, state]) => state !== 'not-declared') }))
            .filter(({ cells }) => cells.length > 0)}
          columns={[
            { head: 'Source', cell: ({ source }) => source },
            { head: 'Status', cell: ({ status }) => (status === null ? 'not known' : inWords(status)) },
            {
              head: 'Games',
              cell: ({ cells }) =>
                cells.map(([game, state]) => `${gameNamesOf(names.data, [game])}: ${inWords(state)}`).join(', ')
            }
          ]}
        />
      </>
    )
  })
})
