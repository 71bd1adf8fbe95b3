import type { Source } from '../import/source.ts'
import { asWhole, tally, type Archive, type Tally } from './archive.ts'
import type { CoverageScope } from './coverage-store.ts'
import { daysFrom, hoursSince } from '../calendar.ts'
import type { GameNames } from './game-names.ts'
import { latestOf, newest, unassignedOf } from './unassigned.ts'

type CoverageGiven = Readonly<{
  archive: Archive
  scope: CoverageScope
  sources: ReadonlyMap<string, Source>
  namesOf: (game: string) => GameNames
  now: Date
}>

const nothing: Pick<Tally, 'observations' | 'cards'> & {
  first: null
  last: null
  sources: ReadonlySet<string>
  games: ReadonlySet<string>
} = { observations: 0, cards: 0, first: null, last: null, sources: new Set(), games: new Set() }

const countsOf = ({ observations, cards, first, last }: Tally) => ({
  observations,
  distinct_cards: cards,
  earliest_snapshot: first,
  latest_snapshot: last,
  days_of_coverage: daysFrom(first, last)
})

const sorted = (tallies: ReadonlyMap<string, Tally>): readonly (readonly [string, Tally])[] =>
  [...tallies].sort(([a], [b]) => (a < b ? -1 : 1))
const onlyOf = (names: ReadonlySet<string>): string => [...names][0] ?? ''

/** Returns what was observed within a scope: in total, by game and source, by game, and by source. */
export function currentCoverage({ archive, scope, sources, namesOf, now }: CoverageGiven) {
  const whole = tally(archive, asWhole, () => '').get('') ?? nothing
  const pairs = sorted(tally(archive, asWhole, (game, { source }) => `${game} ${source}`))
  return {
    summary: {
      total_observations: whole.observations,
      distinct_cards: whole.cards,
      distinct_games: whole.games.size,
      distinct_sources: whole.sources.size,
      unassigned_observations: unassignedOf(latestOf(archive.snapshots).values(), sources, scope.game),
      earliest_snapshot: whole.first,
      latest_snapshot: whole.last,
      days_of_coverage: whole.first === null ? 0 : daysFrom(whole.first, whole.last)
    },
    by_game_source: pairs.map(([, pair]) => ({
      source: onlyOf(pair.sources),
      ...namesOf(onlyOf(pair.games)),
      ...countsOf(pair),
      freshest_age_hours: hoursSince(pair.last, now)
    })),
    by_game: sorted(tally(archive, asWhole, game => game)).map(([game, counted]) => ({
      ...namesOf(game),
      sources: [...counted.sources].sort(),
      ...countsOf(counted),
      distinct_cards_max: Math.max(...pairs.filter(([, pair]) => pair.games.has(game)).map(([, pair]) => pair.cards)),
      freshest_age_hours: hoursSince(counted.last, now)
    })),
    by_source: sorted(tally(archive, asWhole, (_game, { source }) => source)).map(([source, counted]) => ({
      source,
      games: [...counted.games].sort(),
      ...countsOf(counted),
      freshest_age_hours: hoursSince(counted.last, now)
    })),
    upstream_queried_at: newest(archive.snapshots.filter(({ source }) => whole.sources.has(source)))
  }
}
