import type { Database } from 'pantry/database'
import { packageFolder } from '../import/find-files.ts'
import type { Source } from '../import/source.ts'
import { CreditsDesk } from './credits.ts'
import { readPullRates, type PullRates } from './pull-rates.ts'

/** The rates of a source, read from its package once. */
function rateReader (): (source: Source) => PullRates {
  const known = new Map<string, PullRates>()
  return ({ id, upstream }) => {
    const rates = known.get(id) ?? readPullRates(packageFolder(upstream.package ?? '', import.meta.url))
    known.set(id, rates)
    return rates
  }
}

export const openDirectory = (database: Database) => ({
  services: {
    /** Who illustrated what. */
    credits: new CreditsDesk(database),
    /** Booster contents and pull rates that a source states. */
    pullRates: rateReader()
  }
})
