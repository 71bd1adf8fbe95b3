import Type from 'typebox'
import { NullableText, type DataOf, type PathTo } from 'pantry/data'
import type { Source } from '../import/source.ts'
import type { PullRates } from './pull-rates.ts'

/** An entry of the corpus `pulls`. */
export const BoosterGame = Type.Object({ game: Type.String(), rates_source: NullableText })
export type BoosterGame = DataOf<typeof BoosterGame>
/** What is needed of an entry of the corpus `games`. */
export const GameName = Type.Object({ token: Type.String(), name: Type.String(), slug: Type.String() })
export type GameName = DataOf<typeof GameName>

type PullsGiven = Readonly<{
  boosters: readonly BoosterGame[]
  games: ReadonlyMap<string, GameName>
  sources: ReadonlyMap<string, Source>
  ratesOf: (source: Source) => PullRates
}>

/** Booster contents and pull rates: what a registered source states, and for the other games that none does. */
export function pullsDocument ({ boosters, games, sources, ratesOf }: PullsGiven, pathTo: PathTo) {
  const entries = boosters.map(({ game, rates_source: id }) => {
    const known = games.get(game)
    if (known === undefined) throw new Error(`The corpus pulls names the game \`${game}\`, which is not in the corpus games.`)
    const named = { slug: known.slug, display_name: known.name, game }
    if (id === null) {
      const registered = [...sources.values()].filter(source => source.access === 'wired' && source.games.includes(game)).length
      return { ...named, rates_source: null, rates: null, reason: reasonFor(registered) }
    }
    const source = sources.get(id)
    if (source === undefined) throw new Error(`The corpus pulls names the source \`${id}\`, which is not in the corpus sources.`)
    return { ...named, rates_source: sourceOf(source), rates: ratesOf(source), reason: null }
  })
  return {
    '@kind': 'pulls_snapshot' as const,
    provenance_note: 'Every figure stands under the source that states it, unchanged. Where no registered source states one there is none: nothing is estimated, averaged or taken from hearsay.',
    staleness_note: 'A source that is updated brings new figures with its next release; `version` says which release these are from. The sources do not date single figures.',
    reading_note: 'A pack has places; `chances_percent` gives for one place how often each rarity lies there. The chances of a place may miss 100 by a few thousandths, because the source rounds. A rarity code without a name has none in the source.',
    games_with_rates: entries.filter(({ rates }) => rates !== null).length,
    games: entries,
    _links: { canonical: pathTo('directory/pulls'), sources: pathTo('sources/registry'), games: pathTo('universal/games') }
  }
}

const sourceOf = ({ id, upstream, license_statement: statement }: Source) => ({
  id, name: upstream.name, url: upstream.url ?? null, version: upstream.version ?? null, license_statement: statement, rights: 'NOASSERTION' as const
})

const reasonFor = (registered: number): string => registered === 0
  ? 'No source of this game is registered.'
  : `${registered === 1 ? 'The one registered source' : `None of the ${registered} registered sources`} of this game states ${registered === 1 ? 'no' : 'a'} pull rate.`
