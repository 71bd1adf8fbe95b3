import type { Test } from 'tap'
import { silent } from '../../../core/database/connection.ts'
import { openDatabase, type Database } from '../../../core/database/database.ts'
import { SurfaceError } from '../../../core/handler/errors.ts'
import { AuctionRow, auctionColumns, idOf } from '../../../surfaces/market/auction.ts'
import { createListing, submitListing, type ListingRequest } from '../../../surfaces/market/listing.ts'
import { perform, type Acted, type Actor, type ActHandler } from '../../../surfaces/market/perform.ts'
import type { Store } from '../../../surfaces/common/repository.ts'
import { testDatabase } from '../../support/database.ts'
import { startServer } from '../../support/embedded.ts'
import { migrate } from '../../support/migrations.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { insertCatalogue } from '../cards/catalogue-rows.ts'

export const sku = 'op-op01-001-en'

/** One auction as it is stored, without a lock and without what is due; undefined where there is none. */
export const readAuction = async ({ knex, rows }: Store, id: string): Promise<AuctionRow | undefined> =>
  (
    await rows(
      AuctionRow,
      knex('auctions')
        .select(auctionColumns)
        .where({ id: idOf(id) })
    )
  )[0]

/** A market over a database, whose connections wait as long as it takes, so that many can bid at once. */
export function marketOf(database: Database) {
  const store: Store = { knex: database.bulk, rows: database.rows }
  const member = async (username: string, isAdmin = false): Promise<Actor> => {
    const [{ id }] = (await store
      .knex('people')
      .insert({ username, roles: isAdmin ? ['admin'] : [] })
      .returning('id')) as [{ id: string }]
    return { person: id, isAdmin, route: 'test', key: undefined }
  }
  /** A live auction of somebody, that lasts some milliseconds. */
  const live = async (seller: Actor, listing: Partial<ListingRequest> = {}, lasts = 3_600_000): Promise<string> => {
    const { auction_id: id } = await createListing(store, seller, {
      sku,
      title: 'A card',
      condition: 'NM',
      auction_type: 'english',
      starting_price: 1000,
      ends_at: new Date(Date.now() + lasts).toISOString(),
      ...listing
    })
    await perform(store, seller, id, {}, submitListing)
    return id
  }
  const act = async <Body extends object>(
    asker: Actor,
    id: string,
    body: Body,
    doing: ActHandler<Body>
  ): Promise<Acted> => await perform(store, asker, id, body as never, doing as never)
  return { store, member, live, act }
}

/** A market over a database of its own, with a small catalogue. */
export async function marketStage(t: Test) {
  const { database, url } = await testDatabase(t)
  await insertCatalogue(database)
  return { database, url, ...marketOf(database) }
}

/** A market over a server of its own with the settings of a real one: what is committed is on the disk. */
export async function servedMarket(t: Test) {
  const server = await startServer(t, scratchFolder(t))
  const { host, port, user, database: name } = server.connection
  const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`
  const database = await openDatabase({ url, dataDir: '', log: silent, isPatient: true })
  t.teardown(() => database.close())
  await migrate(database.bulk)
  await insertCatalogue(database)
  return { server, database, url, ...marketOf(database) }
}

/** The code that something is refused with; undefined where it is done. What is no refusal is thrown. */
export async function refusal(doing: Promise<unknown>): Promise<string | undefined> {
  try {
    await doing
    return undefined
  } catch (error) {
    if (error instanceof SurfaceError) return error.code
    throw error
  }
}
