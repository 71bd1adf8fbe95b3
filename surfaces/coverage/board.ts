import type { PathTo } from 'pantry/data'
import type { KeptFacts } from '../catalogue/kept-facts.ts'
import type { Source } from '../import/source.ts'
import type { GameDirectory } from '../search/game-directory.ts'
import { candidateKinds, candidatesInOrder, type Candidate } from './candidate.ts'
import type { CoverageStore } from './coverage-store.ts'
import { findCandidates } from './find-candidates.ts'
import { newest } from './unassigned.ts'

type Asked = Readonly<{ game: string | null; kind: string | null; now: Date; pathTo: PathTo }>
type Counted = Readonly<{
  coverage: CoverageStore
  sources: ReadonlyMap<string, Source>
  games: Pick<GameDirectory, 'all'>
  kept: KeptFacts
}>
type Board = Readonly<{
  byKind: Readonly<Record<string, number>>
  candidates: readonly Candidate[]
  asOf: string | null
}>

/** Returns all candidates that match, in the order of the board; cached for one minute. */
export const boardOf = async (
  { coverage, sources, games, kept }: Counted,
  { game, kind, now, pathTo }: Asked
): Promise<Board> =>
  await kept.ofMinute(`hunt ${game ?? ''} ${kind ?? ''}`, now, async minute => {
    const findings = await coverage.findings(game)
    const all = findCandidates({ findings, sources, games: games.all, game, now: minute, pathTo })
    return {
      byKind: Object.fromEntries(candidateKinds.map(name => [name, all.filter(found => found.kind === name).length])),
      candidates: candidatesInOrder(
        all.filter(found => kind === null || found.kind === kind),
        sources
      ),
      asOf: newest(findings.snapshots)
    }
  })
