import type { Source } from '../import/source.ts'
import type { Snapshot } from './archive.ts'

/**
 * How many rows the last runs of `snapshots` could not assign to a card. Such a row has no game of its own: under a
 * game filter it counts where its source declares that game alone.
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

/** The last snapshot of each source. */
export const latestOf = (snapshots: readonly Snapshot[]): ReadonlyMap<string, Snapshot> =>
  new Map(snapshots.map(snapshot => [snapshot.source, snapshot]))

/** When the last run of all finished; null when there is none. */
export const newest = (snapshots: readonly Snapshot[]): string | null =>
  snapshots.reduce<string | null>(
    (latest, { finished_at: moment }) => (latest === null || moment > latest ? moment : latest),
    null
  )
