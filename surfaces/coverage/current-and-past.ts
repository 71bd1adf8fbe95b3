/** What was observed, as answers show it: over all time, and on each day of a window. */
import { Type } from 'pantry/data'
import { dayOf, daysFrom, daysLater, hoursSince } from '../common/calendar.ts'
import type { Source } from '../import/source.ts'
import { asWhole, byDay, latestOf, newest, tally, unassignedOf, type Archive, type Tally } from './archive.ts'
import type { CoverageScope } from './coverage-store.ts'

/** The form of an identifier. An unknown one matches no entry. */
const identifier = { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', maxLength: 64 }

export const SourceFilter = Type.String({
  ...identifier,
  description: 'Only what this source observed: an id of /api/v1/sources.'
})
export const GameFilter = Type.String({
  ...identifier,
  description: 'Only one game, by token, slug or alias in any letter case: `op`, `one-piece`.'
})

type Game = Readonly<{ token: string; name: string; slug: string; aliases: readonly string[] }>

/** Returns the names of a game. Name and slug are null for a game that the corpus does not have. */
export function namesOf(games: readonly Game[], token: string) {
  const game = games.find(known => known.token === token)
  return { game_code: token, game_name: game?.name ?? null, game_slug: game?.slug ?? null }
}

/**
 * Returns the token of the game with a name: a token, slug or alias in any letter case. An unknown name is returned in
 * lower case and matches no game.
 */
export function tokenOf(games: readonly Game[], name: string | undefined): string | null {
  if (name === undefined) return null
  const key = name.toLowerCase()
  return (
    games.find(({ token }) => token === key)?.token ??
    games.find(({ slug, aliases }) => slug === key || aliases.includes(key))?.token ??
    key
  )
}

type CoverageInput = Readonly<{
  archive: Archive
  scope: CoverageScope
  sources: ReadonlyMap<string, Source>
  namesOf: (game: string) => ReturnType<typeof namesOf>
  now: Date
}>

const totalsOf = (whole: Tally | undefined) => ({
  total_observations: whole?.observations ?? 0,
  distinct_cards: whole?.cards ?? 0,
  distinct_games: whole?.games.size ?? 0,
  distinct_sources: whole?.sources.size ?? 0
})

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

/** Counts all that the archive has: in total, by game and source, by game, and by source. */
export function currentCoverage({ archive, scope, sources, namesOf, now }: CoverageInput) {
  const whole = tally(archive, asWhole, () => '').get('')
  const pairs = sorted(tally(archive, asWhole, (game, { source }) => `${game} ${source}`))
  return {
    summary: {
      ...totalsOf(whole),
      unassigned_observations: unassignedOf(latestOf(archive.snapshots).values(), sources, scope.game),
      earliest_snapshot: whole?.first ?? null,
      latest_snapshot: whole?.last ?? null,
      days_of_coverage: whole === undefined ? 0 : daysFrom(whole.first, whole.last)
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
    upstream_queried_at: newest(archive.snapshots.filter(({ source }) => whole?.sources.has(source)))
  }
}

export const windows = { '7d': 7, '30d': 30, '90d': 90 } as const
type Window = keyof typeof windows
/** The names of the windows that requests may use: `7d` and also `7`. */
export const windowNames = Object.entries(windows).flatMap(([name, days]) => [name, String(days)])
export const windowOf = (text: string): Window => (text.endsWith('d') ? text : `${text}d`) as Window

type HistoryInput = Readonly<{
  archive: Archive
  windowDays: number
  game: string | null
  sources: ReadonlyMap<string, Source>
  now: Date
}>

/**
 * Counts each UTC day in a window that ends today, and the whole window. Other snapshots of the archive are ignored.
 */
export function pastCoverage({ archive, windowDays, game, sources, now }: HistoryInput) {
  const today = dayOf(now)
  const start = daysLater(today, 1 - windowDays)
  const within: Archive = { ...archive, snapshots: archive.snapshots.filter(({ day }) => day >= start && day <= today) }
  const whole = tally(within, asWhole, () => '').get('')
  const days = tally(within, byDay, (_game, { first }) => first)
  const byDate = Array.from({ length: windowDays }, (_, index) => {
    const date = daysLater(start, index)
    const day = days.get(date)
    const { total_observations: observations, ...distinct } = totalsOf(day)
    return {
      date,
      is_current_utc_day: date === today,
      observations,
      ...distinct,
      unassigned_observations: unassignedOf(
        within.snapshots.filter(snapshot => snapshot.day === date),
        sources,
        game
      ),
      sources: [...(day?.sources ?? [])].sort(),
      games: [...(day?.games ?? [])].sort()
    }
  })
  const completed = byDate.filter(day => !day.is_current_utc_day)
  const observedCompleted = completed.filter(day => day.observations > 0).length
  return {
    period: { start, through: today, timezone: 'UTC' as const, current_utc_day_may_be_incomplete: true },
    summary: {
      ...totalsOf(whole),
      unassigned_observations: byDate.reduce((sum, day) => sum + day.unassigned_observations, 0),
      observed_days_including_current: byDate.filter(day => day.observations > 0).length,
      completed_days: completed.length,
      observed_completed_days: observedCompleted,
      zero_observation_completed_days: completed.length - observedCompleted,
      observation_completed_day_ratio: Math.round((observedCompleted / completed.length) * 10_000) / 10_000
    },
    by_day: byDate,
    observed_sources: [...(whole?.sources ?? [])].sort(),
    upstream_queried_at: newest(within.snapshots.filter(({ source }) => whole?.sources.has(source)))
  }
}
