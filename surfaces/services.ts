import { joinParts, type ServicesGiven } from 'pantry/data'
import { CatalogueCache } from './cards/kept.ts'
import { openCatalogue, openSearch } from './cards/open.ts'
import type corporaRead from './corpora.ts'
import { openCoverage } from './coverage/coverage-store.ts'
import { openFaces } from './faces/open.ts'
import { fill } from './fill.ts'
import { openImport, runSentence } from './import/open.ts'
import { importBundled } from './importer.ts'
import { openMarket } from './market/open.ts'
import { openReports } from './market/reports.ts'
import { openAccounts, openCollectors } from './people/open.ts'
import { openPlay } from './play/open.ts'
import { openCulture, openHospitality } from './playful/open.ts'
import { openProofs } from './proofs/open.ts'
import type settingsRead from './settings.ts'
import { openDirectory, openRates, openSources } from './sources/open.ts'

/** Opens the services of each domain over one database, and joins them. */
export default async function openServices({
  database: open,
  dataDir,
  service,
  settings,
  corpora,
  log
}: ServicesGiven<typeof corporaRead, typeof settingsRead>) {
  const database = await open()
  const kept = new CatalogueCache(database)
  const catalogue = openCatalogue(database, kept, service.encoding, documents => {
    if (documents > 0) log.info({ documents }, 'Documents of an earlier version were rewritten.')
  })
  const imports = openImport(
    database,
    {
      sources: corpora.sources.entries,
      policies: corpora['source-policies'].entries,
      attributes: corpora.attributes.entries
    },
    importBundled,
    run => {
      log.info(run, runSentence(run))
    }
  )
  const search = openSearch(database, corpora.games.entries)
  const accounts = openAccounts(database, service.base_url, {
    settings,
    name: service.name,
    contact: service.contact.email,
    termsVersion: corpora.terms.entries[0]?.version ?? '',
    log,
    dataDir
  })
  const proofs = openProofs(database, {
    games: corpora.pulls.entries,
    sources: imports.services.sources,
    dataDir,
    settings,
    log
  })
  const services = {
    kept,
    ...accounts.services,
    ...catalogue.services,
    ...imports.services,
    ...openSources(database).services,
    ...openCoverage(database, kept).services,
    ...search.services,
    ...openFaces(corpora, search.services.games).services,
    ...openPlay(database, kept, dataDir, message => {
      log.warn({ subsystem: 'practice' }, message)
    }).services,
    ...openDirectory(database, kept, corpora, imports.services.sources).services,
    ...openCollectors(database).services,
    ...openHospitality(database).services,
    ...openMarket(database).services,
    ...proofs.services,
    ...openReports(database).services,
    ...openRates(database, corpora.currencies.entries, reason => {
      log.warn({ reason }, 'The exchange rates could not be read.')
    }).services,
    ...openCulture(corpora['partner-galleries'].entries[0], corpora['answering-rhymes'].entries).services
  }
  return {
    ...joinParts(services, [catalogue, search, imports, accounts, proofs]),
    fillForTests: async () => {
      await fill(database, dataDir, corpora.pulls.entries, imports.services.sources)
    }
  }
}

/** The services that handlers get as their second argument. */
export type Services = Readonly<Awaited<ReturnType<typeof openServices>>['services']>
