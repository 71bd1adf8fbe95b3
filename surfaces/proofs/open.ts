import type { ServiceSettings } from 'pantry/data'
import type { Database } from 'pantry/database'
import type { BoosterGame } from '../directory/boosters.ts'
import type { Source } from '../import/source.ts'
import { boosterRates } from './booster-rates.ts'
import { Draws } from './draws.ts'

/** `sources`: registered sources by id, some of which state pull rates. */
export const openProofs = (database: Database, games: readonly BoosterGame[], sources: ReadonlyMap<string, Source>, { drawsADay = 10_000 }: ServiceSettings) => ({
  services: {
    /** Practice boosters. */
    draws: new Draws(database, boosterRates(games, sources), drawsADay)
  }
})
