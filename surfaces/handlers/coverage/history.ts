import { Type, closed, Count, Day, Moment, nullable, Path, reply, Text, Texts } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { dayOf, daysLater } from '../../calendar.ts'
import {
  GameFilter,
  pastCoverage,
  SourceFilter,
  tokenOf,
  windowNames,
  windowOf,
  windows
} from '../../coverage/current-and-past.ts'

const Totals = { distinct_cards: Count, distinct_games: Count, distinct_sources: Count, unassigned_observations: Count }

const measurement = {
  observation:
    'One card, shown by one source on one UTC day: an import of the source saw it then. Several imports on one day count once.',
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

/** Returns the coverage of each day. */
export default defineHandler({
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
      source: nullable(Text),
      game: nullable(Text)
    }),
    upstream_queried_at: nullable(Moment),
    measurement: Type.Record(Text, Text),
    related: Type.Record(Text, Path)
  }),
  version: async ({ kept }, now) => await kept.versionOfMinute(now),
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
      past.upstream_queried_at === null ? {} : { asOf: past.upstream_queried_at }
    )
  }
})
