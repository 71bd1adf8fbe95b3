import type { Database } from 'pantry/database'
import type { KeptFacts } from '../catalogue/kept-facts.ts'
import { Rarities, type RarityScale } from '../catalogue/rarities.ts'
import type { Source } from '../import/source.ts'
import type { BoosterGame } from './boosters.ts'
import { CreditsDesk } from './credits.ts'
import { ratesOf } from './pull-rates.ts'
import { pullShares } from './pull-shares.ts'

type Corpora = Readonly<{
  games: Readonly<{ entries: readonly Readonly<{ token: string; rarities?: RarityScale }>[] }>
  pulls: Readonly<{ entries: readonly BoosterGame[] }>
}>

/** Creates the directory services. `sources`: registered sources by id, some of which state pull rates. */
export function openDirectory(
  database: Database,
  kept: KeptFacts,
  { games, pulls }: Corpora,
  sources: ReadonlyMap<string, Source>
) {
  const scales = new Map(
    games.entries.flatMap(({ token, rarities }) => (rarities === undefined ? [] : [[token, rarities]]))
  )
  const rates = new Map(
    pulls.entries.flatMap(({ rates_source: id }) => {
      const source = sources.get(id ?? '')
      return source === undefined ? [] : [[source.id, ratesOf(source)]]
    })
  )
  return {
    services: {
      /** The artists and the cards they illustrated. */
      credits: new CreditsDesk(database, kept),
      /** The share of each rarity in boosters, and its position among the rarities of its game. */
      rarities: new Rarities(scales, pullShares(pulls.entries, rates))
    }
  }
}
