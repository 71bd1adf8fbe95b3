import type { MirrorText } from '../core/handler/handler.ts'
import type { OpenServices, Progress, RootServices, ServiceLog } from '../core/handler/root-services.ts'
import { migrate } from '../migrations/index.ts'
import { Catalogue } from './catalogue/catalogue.ts'
import { encodingDocument } from './catalogue/encoding-document.ts'
import { openDatabase, type DatabaseHealth } from './database/database.ts'
import type { Log } from './database/log.ts'
import { importBundled } from './sources/import-bundled.ts'
import { loadSources } from './sources/load-sources.ts'

/** What handlers work with, besides the request. */
export type Services = Readonly<{
  catalogue: Catalogue
  /** Identifier of the structural encoding, as `service.yaml` names it. */
  encoding: string
  /** The encoding document. */
  encodingText: MirrorText
}>

/** Opens the database and wires to it what handlers need. */
const openServices: OpenServices<Services> = async ({ databaseUrl, dataDir, service, corpora, log }) => {
  const database = await openDatabase({ url: databaseUrl, dataDir, log: plainLog(log) })
  const catalogue = new Catalogue(database)

  async function prepare (progress: Progress): Promise<void> {
    const ran = await migrate(database.bulk)
    if (ran.length > 0) log.info({ migrations: ran }, 'The schema is up to date.')
    const sources = loadSources(corpora.get('sources')?.entries ?? []).values()
    const runs = await importBundled(database, sources, {
      progress: ({ source, fraction }) => { progress({ label: source, done: Math.round(fraction * 100), total: 100 }) }
    })
    for (const run of runs) log.info(run, 'A source was imported.')
  }

  return {
    services: { catalogue, encoding: service.encoding, encodingText: encodingDocument(service.encoding) },
    prepare,
    health: async () => {
      const [databaseState, catalogueState] = await Promise.all([database.health(), catalogueHealth(catalogue)])
      return { database: databaseState, catalogue: catalogueState }
    },
    close: () => database.close()
  } satisfies RootServices<Services>
}

export default openServices

async function catalogueHealth (catalogue: Catalogue): Promise<DatabaseHealth> {
  try {
    const { games, cards } = await catalogue.size()
    return cards === 0
      ? { status: 'degraded', detail: 'The catalogue holds no cards yet.' }
      : { status: 'ok', detail: `${cards} cards of ${games} games.` }
  } catch {
    return { status: 'down', detail: 'The catalogue cannot be read now.' }
  }
}

/** The database reports in plain sentences. */
function plainLog (log: ServiceLog): Log {
  const level = (name: keyof Log) => (message: string) => { log[name]({ subsystem: 'database' }, message) }
  return { info: level('info'), warn: level('warn'), error: level('error') }
}
