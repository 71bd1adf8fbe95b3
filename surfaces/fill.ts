import type { Source } from './import/source.ts'
import { seedAuctions } from './market/seed.ts'
import { People } from './people/people.ts'
import { seedAccounts } from './people/seed.ts'
import { seedDraws } from './proofs/draws.ts'
import type { BoosterGame } from './sources/pull-rates.ts'

/** Fills a database without people with people, keys, auctions and draws, and returns their names and secrets. */
export async function fill(
  database: Parameters<typeof seedDraws>[0],
  dataDir: string,
  games: readonly BoosterGame[],
  sources: ReadonlyMap<string, Source>
) {
  const accounts = await seedAccounts(database)
  const people = new People(database)
  const [seller, buyer] = await Promise.all(
    [accounts.hidden_username, accounts.public_username].map(async name => (await people.byName(name))?.id ?? '')
  )
  return {
    ...accounts,
    auction_ids: await seedAuctions(database, seller ?? '', buyer ?? ''),
    receipt_ids: await seedDraws(database, dataDir, games, sources)
  }
}
