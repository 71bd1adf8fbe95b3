import { Type, closed, Count, nullable, Text, type DataOf } from 'pantry/data'
import type { Source } from '../import/source.ts'

/**
 * When a source showed a card: `from` is the first successful run that saw it, `until` the next run that did not, or
 * null if all later runs saw it.
 */
export type Sighting = readonly [source: string, from: number, until: number | null]
const Sighting = Type.Unsafe<Sighting>({
  type: 'array',
  minItems: 3,
  maxItems: 3,
  prefixItems: [Text, Type.Integer(), nullable(Type.Integer())]
})

/** The cards of a game that were seen in exactly these periods. */
export const Pattern = closed({ game: Text, sightings: Type.Array(Sighting), cards: Count })
export type Pattern = DataOf<typeof Pattern>

/**
 * The successful runs of one source that finished on one UTC day; what any of them saw counts as observed on that day.
 * Run ids increase with time. `unassigned`: how many rows the last of these runs could not assign to a card.
 */
export const Snapshot = closed({
  source: Text,
  day: Text,
  first: Type.Integer(),
  last: Type.Integer(),
  finished_at: Text,
  unassigned: Count
})
export type Snapshot = DataOf<typeof Snapshot>

/** Snapshots are sorted by source, and those of one source by time. */
export const Archive = closed({ patterns: Type.Array(Pattern), snapshots: Type.Array(Snapshot) })
export type Archive = DataOf<typeof Archive>

/** Days on which one source saw the cards of a pattern: `observations` is their number. */
type Slice = Readonly<{ source: string; observations: number; first: string; last: string }>

/** `cards` are distinct; `observations` count a card once per source and day. */
export type Tally = Readonly<{
  observations: number
  cards: number
  first: string
  last: string
  sources: ReadonlySet<string>
  games: ReadonlySet<string>
}>

/**
 * Returns the index of the first snapshot for which `isBefore` is false, by binary search: those for which it is true
 * come first.
 */
function partitionPoint(snapshots: readonly Snapshot[], isBefore: (snapshot: Snapshot) => boolean): number {
  let low = 0
  for (let high = snapshots.length; low < high;) {
    const middle = (low + high) >> 1
    const snapshot = snapshots[middle]
    if (snapshot !== undefined && isBefore(snapshot)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns a function that finds the snapshots in which the cards of a pattern were seen: a list per source, in order of
 * time and without duplicates.
 */
export function snapshotsOf(archive: Archive): (pattern: Pattern) => readonly (readonly Snapshot[])[] {
  const bySource = new Map<string, Snapshot[]>()
  for (const snapshot of archive.snapshots) {
    const known = bySource.get(snapshot.source)
    if (known === undefined) bySource.set(snapshot.source, [snapshot])
    else known.push(snapshot)
  }
  return ({ sightings }) => {
    const seenBySource = new Map<string, Snapshot[]>()
    for (const [source, from, until] of sightings) {
      const all = bySource.get(source) ?? []
      const seen = all.slice(
        partitionPoint(all, ({ last }) => last < from),
        until === null ? all.length : partitionPoint(all, ({ first }) => first < until)
      )
      const earlier = seenBySource.get(source)
      if (earlier === undefined) seenBySource.set(source, seen)
      // If one period ends and the next begins on the same day, that snapshot counts once.
      else earlier.push(...(seen[0] === earlier.at(-1) ? seen.slice(1) : seen))
    }
    return [...seenBySource.values()]
  }
}

export const byDay = (snapshots: readonly Snapshot[]): Slice[] =>
  snapshots.map(({ source, day }) => ({ source, observations: 1, first: day, last: day }))

export function asWhole(snapshots: readonly Snapshot[]): Slice[] {
  const [first] = snapshots
  const last = snapshots.at(-1)
  return first === undefined || last === undefined
    ? []
    : [{ source: first.source, observations: snapshots.length, first: first.day, last: last.day }]
}

type MutableTally = { -readonly [K in keyof Tally]: Tally[K] extends ReadonlySet<string> ? Set<string> : Tally[K] }

function add(tally: MutableTally, { game, cards }: Pattern, { source, observations, first, last }: Slice): void {
  tally.observations += cards * observations
  if (first < tally.first) tally.first = first
  if (last > tally.last) tally.last = last
  tally.sources.add(source)
  tally.games.add(game)
}

/**
 * Adds up the slices of all patterns by key. A card that appears in several slices with the same key is counted once
 * for that key.
 */
export function tally(
  archive: Archive,
  slices: (snapshots: readonly Snapshot[]) => Slice[],
  keyOf: (game: string, slice: Slice) => string
): ReadonlyMap<string, Tally> {
  const find = snapshotsOf(archive)
  const tallies = new Map<string, MutableTally>()
  for (const pattern of archive.patterns) {
    const keys = new Set<string>()
    for (const slice of find(pattern).flatMap(slices)) {
      const key = keyOf(pattern.game, slice)
      const { first, last } = slice
      const counted = tallies.get(key) ?? {
        observations: 0,
        cards: 0,
        first,
        last,
        sources: new Set(),
        games: new Set()
      }
      add(counted, pattern, slice)
      if (!keys.has(key)) counted.cards += pattern.cards
      keys.add(key)
      tallies.set(key, counted)
    }
  }
  return tallies
}

/**
 * Counts the rows that could not be assigned to a card. They have no game; with a game filter they count only if their
 * source declares that game alone.
 */
export function unassignedOf(
  snapshots: Iterable<Snapshot>,
  sources: ReadonlyMap<string, Source>,
  game: string | null
): number {
  let rows = 0
  for (const { source, unassigned } of snapshots) {
    const games = sources.get(source)?.games ?? []
    if (game === null || (games.length === 1 && games[0] === game)) rows += unassigned
  }
  return rows
}

/** Returns the newest snapshot of each source, by its id. The snapshots of a source must be ordered by time. */
export const latestOf = (snapshots: readonly Snapshot[]): ReadonlyMap<string, Snapshot> =>
  new Map(snapshots.map(snapshot => [snapshot.source, snapshot]))

/** Returns when the latest run of the snapshots finished; null if there are none. */
export const newest = (snapshots: readonly Snapshot[]): string | null =>
  snapshots.reduce<string | null>(
    (latest, { finished_at: moment }) => (latest === null || moment > latest ? moment : latest),
    null
  )
