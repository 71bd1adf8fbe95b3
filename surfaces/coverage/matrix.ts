import { Type, closed, nullable, Text, type DataOf } from 'pantry/data'
import type { Source } from '../import/source.ts'
import { hoursSince } from '../common/calendar.ts'
import { asWhole, latestOf, tally, type Archive } from './archive.ts'
import { budgetHours } from './find-candidates.ts'

const states = {
  'live-confirmed':
    'The source is wired and declares the game, its newest import showed cards of it, and the freshness budget of the source has not passed since.',
  'live-probationary':
    'Cards of the game were observed through the source, and something speaks against relying on them; `probationary` says what.',
  anticipated: 'The source is wired or planned and declares the game, and no card of it was observed yet.',
  'not-declared': 'The source does not declare the game, or may not be read, so nothing of it is to be expected.'
} as const
type State = keyof typeof states

const reasons = {
  unregistered: 'The source is not registered any more.',
  undeclared: 'The source does not declare the game.',
  closed: 'The source is not read any more.',
  gone: 'The newest import of the source showed no card of the game.',
  stale: 'The freshness budget of the source has passed since the newest observation.'
} as const

const stateNames = Object.keys(states) as State[]

type Doubt = Readonly<{ source: string; game: string; reason: (typeof reasons)[keyof typeof reasons] }>

export const Matrix = closed({
  states: Type.Record(Text, Text, { description: 'When a cell has which state.' }),
  rows: Type.Array(
    closed({
      source: Text,
      status: nullable(Type.Enum(['wired', 'planned', 'blocked'])),
      cells: Type.Record(Text, Type.Enum(stateNames), { description: 'The state of each game, by its token.' })
    })
  ),
  probationary: Type.Array(closed({ source: Text, game: Text, reason: Type.Enum(Object.values(reasons)) })),
  counts: Type.Record(Text, Type.Integer({ minimum: 0 }), { description: 'Cells of each state.' })
})

type MatrixInput = Readonly<{
  archive: Archive
  source: string | null
  game: string | null
  sources: ReadonlyMap<string, Source>
  games: readonly Readonly<{ token: string }>[]
  now: Date
}>

/**
 * Returns why not to rely on a source's cards of a game. `last`: the UTC day on which the source last showed one;
 * `newest`: that of its latest successful import.
 */
function doubtOf(
  source: Source | undefined,
  game: string,
  last: string,
  newest: string | undefined,
  now: Date
): keyof typeof reasons | undefined {
  if (source === undefined) return 'unregistered'
  if (source.access !== 'wired') return 'closed'
  if (!source.games.includes(game)) return 'undeclared'
  if (last !== newest) return 'gone'
  return hoursSince(last, now) > budgetHours(source) ? 'stale' : undefined
}

/** Compares what each source declares for each game with what its imports showed. */
export function coverageMatrix({
  archive,
  source: only,
  game,
  sources,
  games,
  now
}: MatrixInput): DataOf<typeof Matrix> {
  const latest = latestOf(archive.snapshots)
  const observed = tally(archive, asWhole, (token, slice) => `${slice.source} ${token}`)
  const pairs = [...observed.keys()].map(key => key.split(' ') as [source: string, game: string])
  const ids = [...new Set([...sources.keys(), ...pairs.map(([id]) => id)])].filter(id => (only ?? id) === id).sort()
  const tokens = [
    ...games.map(({ token }) => token),
    ...[...sources.values()].flatMap(source => source.games),
    ...pairs.map(([, token]) => token)
  ].filter(token => (game ?? token) === token)
  const columns = [...new Set(tokens)].sort()
  const probationary: Doubt[] = []
  const stateOf = (id: string, token: string): State => {
    const source = sources.get(id)
    const seen = observed.get(`${id} ${token}`)
    if (seen === undefined)
      return source !== undefined && source.access !== 'blocked' && source.games.includes(token)
        ? 'anticipated'
        : 'not-declared'
    const doubt = doubtOf(source, token, seen.last, latest.get(id)?.day, now)
    if (doubt === undefined) return 'live-confirmed'
    probationary.push({ source: id, game: token, reason: reasons[doubt] })
    return 'live-probationary'
  }
  const rows = ids.map(id => ({
    source: id,
    status: sources.get(id)?.access ?? null,
    cells: Object.fromEntries(columns.map(token => [token, stateOf(id, token)]))
  }))
  const cells = rows.flatMap(row => Object.values(row.cells))
  return {
    states,
    rows,
    probationary,
    counts: Object.fromEntries(stateNames.map(name => [name, cells.filter(state => state === name).length]))
  }
}
