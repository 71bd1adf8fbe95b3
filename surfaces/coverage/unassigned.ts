import type { Source } from '../import/source.ts'
import type { Snapshot } from './archive.ts'

/**
 * Counts the rows that could not be assigned to a card in the given snapshots. Such a row has no game; with a game
 * filter it counts only if its source declares no other game.
 */
export const unassignedOf = (
  snapshots: Iterable<Snapshot>,
  sources: ReadonlyMap<string, Source>,
  game: string | null
): number => {
  let rows = 0
  for (const { source, unassigned } of snapshots) {
    const games = sources.get(source)?.games ?? []
    if (game === null || (games.length === 1 && games[0] === game)) rows += unassigned
  }
  return rows
}

/** Returns the last snapshot of each source; the input must be ordered by time. */
export const latestOf = (snapshots: readonly Snapshot[]): ReadonlyMap<string, Snapshot> =>
  new Map(snapshots.map(snapshot => [snapshot.source, snapshot]))

/** Returns when the latest run finished; null when there is none. */
export const newest = (snapshots: readonly Snapshot[]): string | null =>
  snapshots.reduce<string | null>(
    (latest, { finished_at: moment }) => (latest === null || moment > latest ? moment : latest),
    null
  )
