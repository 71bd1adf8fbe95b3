import type { Source } from '../import/source.ts'
import { asWhole, byDay, tally, type Archive } from './archive.ts'
import { dayOf, daysLater } from '../calendar.ts'
import { newest, unassignedOf } from './unassigned.ts'

type HistoryGiven = Readonly<{
  archive: Archive
  windowDays: number
  game: string | null
  sources: ReadonlyMap<string, Source>
  now: Date
}>

/**
 * Returns the coverage of each UTC day in a window that ends today, and of the whole window. `archive` must have no
 * snapshots from before the window.
 */
export function pastCoverage({ archive, windowDays, game, sources, now }: HistoryGiven) {
  const today = dayOf(now)
  const start = daysLater(today, 1 - windowDays)
  const within: Archive = { ...archive, snapshots: archive.snapshots.filter(({ day }) => day >= start && day <= today) }
  const whole = tally(within, asWhole, () => '').get('')
  const days = tally(within, byDay, (_game, { first }) => first)
  const byDate = Array.from({ length: windowDays }, (_, index) => {
    const date = daysLater(start, index)
    const day = days.get(date)
    return {
      date,
      is_current_utc_day: date === today,
      observations: day?.observations ?? 0,
      distinct_cards: day?.cards ?? 0,
      distinct_games: day?.games.size ?? 0,
      distinct_sources: day?.sources.size ?? 0,
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
      total_observations: whole?.observations ?? 0,
      distinct_cards: whole?.cards ?? 0,
      distinct_games: whole?.games.size ?? 0,
      distinct_sources: whole?.sources.size ?? 0,
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
