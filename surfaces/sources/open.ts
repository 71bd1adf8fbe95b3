import type { Database } from 'pantry/database'
import type { CatalogueCache } from '../cards/kept.ts'
import { Rarities, type RarityScale } from '../cards/rarities.ts'
import type { Source } from '../import/source.ts'
import { CreditsDesk } from './artists.ts'
import { RateCache, readReferenceRates, SharedReadings, type RateCurrency } from './exchange-rates.ts'
import { pullShares, ratesOf, type BoosterGame } from './pull-rates.ts'
import { leftOut, RunStore } from './runs.ts'

export const openSources = (database: Database) => ({
  services: {
    runs: new RunStore(database),
    /** The rows that the last imports left out, for operators. */
    leftOut: async () => await leftOut(database)
  }
})

type Corpora = Readonly<{
  games: Readonly<{ entries: readonly Readonly<{ token: string; rarities?: RarityScale }>[] }>
  pulls: Readonly<{ entries: readonly BoosterGame[] }>
}>

export function openDirectory(
  database: Database,
  kept: CatalogueCache,
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
      credits: new CreditsDesk(database, kept),
      rarities: new Rarities(scales, pullShares(pulls.entries, rates))
    }
  }
}

/** `failed` is called with the reason when the rates could not be read. */
export const openRates = (
  database: Database,
  currencies: readonly RateCurrency[],
  failed: (reason: string) => void
) => ({
  services: {
    rates: new RateCache({ currencies, read: () => readReferenceRates(), failed, shared: new SharedReadings(database) })
  }
})
