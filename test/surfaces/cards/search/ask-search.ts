import type { Test } from 'tap'
import type { Handler, Reply, SurfaceRequest } from '../../../../core/handler/handler.ts'
import { compileSchema } from '../../../../core/schema/compile.ts'
import { Catalogue } from '../../../../surfaces/cards/catalogue.ts'
import { NumberIndex } from '../../../../surfaces/cards/search/number-index.ts'
import { openDatabase, type Database } from '../../../../core/database/database.ts'
import { silent } from '../../../../core/database/connection.ts'
import { NameIndex } from '../../../../surfaces/cards/search/name-index.ts'
import { QueryIndex } from '../../../../surfaces/cards/search/query-index.ts'
import type { Services } from '../../../../surfaces/services.ts'
import { eventually } from '../../../support/eventually.ts'
import { requestOf } from '../ask.ts'
import { declaredSources } from '../../import/bundled-sources.ts'
import { declaredGames } from './declared-games.ts'

export type Match = Readonly<{
  sku: string
  set_code: string
  card_number: string
  lang: string
  variant: string | null
  confidence: string
  reason: string
}>

export type Searching = Readonly<{
  database: Database
  services: Pick<Services, 'catalogue' | 'games' | 'names' | 'queries' | 'search' | 'sources'>
  /** The data of an answer, once it has the declared shape. */
  ask: <Data>(handler: Handler<Services>, given: Partial<SurfaceRequest>) => Promise<Data>
}>

/** Calls handlers of searches and price guides over the database at `url`. */
export async function searchOver(t: Test, url: string): Promise<Searching> {
  const database = await openDatabase({ url, dataDir: '', log: silent, checkRows: true, isPatient: true })
  t.teardown(() => database.close())
  await eventually(() => {
    if (database.reader.connected() === 0) throw new Error('the readers are not connected yet')
  })
  const services = {
    catalogue: new Catalogue(database),
    games: declaredGames(),
    names: new NameIndex(database),
    queries: new QueryIndex(database),
    search: new NumberIndex(database),
    sources: declaredSources()
  }
  return {
    database,
    services,
    ask: async <Data>(handler: Handler<Services>, given: Partial<SurfaceRequest>): Promise<Data> => {
      const reply: Reply = await handler.handle(requestOf(given), services as unknown as Services)
      const issues = compileSchema(handler.reply)(reply.data)
      if (issues.length > 0) throw new Error(JSON.stringify(issues))
      return reply.data as Data
    }
  }
}
