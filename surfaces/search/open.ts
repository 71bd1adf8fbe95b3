import type { ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import { refreshNames } from './derive-names.ts'
import { GameDirectory, type Game } from './game-directory.ts'
import { NameIndex } from './name-index.ts'

export const openSearch = (database: Database, games: readonly Game[]) =>
  ({
    services: {
      /** Finds games by their names. */
      games: new GameDirectory(games),
      /** Finds cards by their names. */
      names: new NameIndex(database)
    },
    prepare: async () => {
      await refreshNames(database)
    }
  }) satisfies ServicesPart<unknown>
