import { closed, Count, Day, Moment, nullable, NullableText, Path, reply, Text, Texts, Type } from 'pantry/handler'
import { fromSources } from '../cards/documents/parts.ts'
import { dayOf, daysLater } from '../common/calendar.ts'
import {
  currentCoverage,
  GameFilter,
  namesOf,
  pastCoverage,
  SourceFilter,
  tokenOf,
  windowNames,
  windowOf,
  windows
} from '../coverage/current-and-past.ts'
import { coverageMatrix, Matrix } from '../coverage/matrix.ts'
import { defineHandler } from '../define.ts'

const Totals = { distinct_cards: Count, distinct_games: Count, distinct_sources: Count, unassigned_observations: Count }
const Span = {
  observations: Count,
  distinct_cards: Count,
  earliest_snapshot: Day,
  latest_snapshot: Day,
  days_of_coverage: Count
}
const Age = Type.Number({ minimum: 0, description: 'Hours since the end of the newest day, to one decimal.' })
const Game = { game_code: Text, game_name: NullableText, game_slug: NullableText }

const oneObservation =
  'One card, shown by one source on one UTC day: an import of the source saw it then. Several imports on one day count once.'

const legend = {
  observations: oneObservation,
  distinct_cards:
    'Cards of the catalogue that were observed, each counted once: unions over days and sources, so parts may add up to more than the whole.',
  per_game_distinct_cards:
    '`distinct_cards` of a game is its union over sources; `distinct_cards_max` is the most that one source alone observed.',
  unassigned_observations:
    'Rows that the last import of each source could not assign to a card. Under a game filter, those of sources that declare this game alone.',
  days_of_coverage:
    'Calendar days from the earliest to the latest snapshot, both included, whether or not something was observed on each.',
  matrix: 'Sources by games, from what is declared and what the runs showed, as of now: `since` does not change it.',
  freshest_age_hours: 'Hours since the end of the UTC day of the newest snapshot; 0 while that day lasts.',
  upstream_queried_at: 'When the newest import that was counted finished.'
}

export default defineHandler({
  query: Type.Object({
    source: Type.Optional(SourceFilter),
    game: Type.Optional(GameFilter),
    since: Type.Optional(Type.String({ format: 'date', description: 'First UTC day that counts, `YYYY-MM-DD`.' }))
  }),
  reply: closed({
    '@kind': Type.Literal('aggregator_coverage'),
    description: Text,
    summary: closed({
      total_observations: Count,
      ...Totals,
      earliest_snapshot: nullable(Day),
      latest_snapshot: nullable(Day),
      days_of_coverage: Count
    }),
    by_game_source: Type.Array(closed({ source: Text, ...Game, ...Span, freshest_age_hours: Age })),
    by_game: Type.Array(
      closed({ ...Game, sources: Texts, ...Span, distinct_cards_max: Count, freshest_age_hours: Age })
    ),
    by_source: Type.Array(closed({ source: Text, games: Texts, ...Span, freshest_age_hours: Age })),
    matrix: Matrix,
    filter: closed({ source: NullableText, game: NullableText, since: nullable(Day) }),
    upstream_queried_at: nullable(Moment),
    legend: Type.Record(Text, Text),
    related: Type.Record(Text, Path)
  }),
  version: ({ kept }, now) => kept.versionOfMinute(now),
  async handle({ query, now, pathTo }, { coverage, sources, games: { all: games } }) {
    const scope = { source: query.source ?? null, game: tokenOf(games, query.game), since: query.since ?? null }
    const archive = await coverage.archive(scope)
    // The state of a cell is always the current one, even if `since` restricts the counts.
    const whole = scope.since === null ? archive : await coverage.archive({ ...scope, since: null })
    const counted = currentCoverage({ archive, scope, sources, namesOf: game => namesOf(games, game), now })
    const matrix = coverageMatrix({ archive: whole, source: scope.source, game: scope.game, sources, games, now })
    return reply(
      {
        '@kind': 'aggregator_coverage',
        description:
          'Which cards the imported sources have shown, and when. It counts what was seen; it does not say what exists.',
        ...counted,
        matrix,
        filter: scope,
        legend,
        related: {
          history: pathTo('coverage/history'),
          hunt: pathTo('coverage/hunt'),
          registry: pathTo('sources/registry'),
          run_history_per_source: pathTo.pattern('sources/source'),
          per_card_structural_view: pathTo.pattern('universal/card')
        }
      },
      {
        ...fromSources(['self', ...counted.by_source.map(({ source }) => source)]),
        ...(counted.upstream_queried_at === null ? {} : { asOf: counted.upstream_queried_at })
      }
    )
  }
})

const measurement = {
  observation: oneObservation,
  snapshot_date: 'The UTC day on which the import finished.',
  comparability:
    'A day without an import has no observation. That says nothing of the upstream: each source is read at its own pace.',
  breadth: '`distinct_cards` of the summary is the exact union over the whole window, each card counted once.',
  daily_distinct_counts:
    'Distinct counts of days do not add up: a card that is seen on two days counts on each, and once in the summary.',
  completed_day_ratio:
    'Completed days with an observation, of all completed days, to four decimals. The current day is not over and is left out.',
  unassigned_observations:
    'Rows that the last import of a source on that day could not assign to a card. Under a game filter, those of sources that declare this game alone.'
}

export const history = defineHandler({
  query: Type.Object({
    window: Type.Optional(
      Type.Enum(windowNames, { description: 'How many UTC days, the current one included; default 30d.' })
    ),
    source: Type.Optional(SourceFilter),
    game: Type.Optional(GameFilter)
  }),
  reply: closed({
    '@kind': Type.Literal('aggregator_coverage_history'),
    description: Text,
    period: closed({
      start: Day,
      through: Day,
      timezone: Type.Literal('UTC'),
      current_utc_day_may_be_incomplete: Type.Boolean()
    }),
    summary: closed({
      total_observations: Count,
      ...Totals,
      observed_days_including_current: Count,
      completed_days: Count,
      observed_completed_days: Count,
      zero_observation_completed_days: Count,
      observation_completed_day_ratio: Type.Number({ minimum: 0, maximum: 1 })
    }),
    by_day: Type.Array(
      closed({
        date: Day,
        is_current_utc_day: Type.Boolean(),
        observations: Count,
        ...Totals,
        sources: Texts,
        games: Texts
      })
    ),
    observed_sources: Texts,
    filter: closed({
      window: Type.Enum(Object.keys(windows)),
      window_days: Count,
      source: NullableText,
      game: NullableText
    }),
    upstream_queried_at: nullable(Moment),
    measurement: Type.Record(Text, Text),
    related: Type.Record(Text, Path)
  }),
  version: ({ kept }, now) => kept.versionOfMinute(now),
  async handle({ query, now, pathTo }, { coverage, sources, games }) {
    const window = windowOf(query.window ?? '30d')
    const windowDays = windows[window]
    const source = query.source ?? null
    const game = tokenOf(games.all, query.game)
    const archive = await coverage.archive({ source, game, since: daysLater(dayOf(now), 1 - windowDays) })
    const past = pastCoverage({ archive, windowDays, game, sources, now })
    return reply(
      {
        '@kind': 'aggregator_coverage_history',
        description:
          'What the imports observed on each UTC day of a window that ends today. A day without observations is shown with zeros.',
        ...past,
        filter: { window, window_days: windowDays, source, game },
        measurement,
        related: {
          current_coverage: pathTo('coverage'),
          source_registry: pathTo('sources/registry'),
          source_run_diagnosis: pathTo.pattern('sources/source'),
          platform_status: pathTo('status')
        }
      },
      {
        ...fromSources(['self', ...past.observed_sources]),
        ...(past.upstream_queried_at === null ? {} : { asOf: past.upstream_queried_at })
      }
    )
  }
})
