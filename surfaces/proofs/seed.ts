import { randomBytes } from 'node:crypto'
import type { Database } from 'pantry/database'
import type { BoosterGame } from '../directory/boosters.ts'
import type { Source } from '../import/source.ts'
import { boosterRates } from './booster-rates.ts'
import { Chain } from './chain.ts'
import { Draws } from './draws.ts'
import { OwnFiles } from './own-files.ts'

/**
 * Creates draws for trying out the service: three that are opened and in the chain, and one unopened. Returns the ids
 * of the opened ones.
 */
export async function seedDraws(
  database: Pick<Database, 'knex' | 'rows'>,
  dataDir: string,
  games: readonly BoosterGame[],
  sources: ReadonlyMap<string, Source>
): Promise<readonly string[]> {
  const chain = new Chain(database, new OwnFiles(dataDir), { error: () => undefined })
  const draws = new Draws(database, boosterRates(games, sources), Infinity, chain)
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const { id } = await draws.begin(undefined, true)
    await draws.open(id, randomBytes(32).toString('hex'))
    ids.push(id)
  }
  await draws.begin(undefined, true)
  await chain.advance()
  return ids
}
