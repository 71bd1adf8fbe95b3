import type { Corpus, JsonObject, MirrorText, OpenServices, Progress, RootServices } from 'pantry/handler'
import { Catalogue } from './catalogue/catalogue.ts'
import { SearchIndex } from './catalogue/search-index.ts'
import { encodingDocument } from './catalogue/encoding-document.ts'
import { CoverageStore } from './coverage/coverage-store.ts'
import { PartnerGallery } from './culture/partner-gallery/gallery.ts'
import type { Partner } from './culture/partner-gallery/partner.ts'
import { readHoldings, type Holdings } from './catalogue/holdings.ts'
import { CreditsDesk } from './directory/credits.ts'
import { readPullRates } from './directory/pull-rates.ts'
import { pullsDocument, type BoosterGame, type GameName } from './directory/pulls-document.ts'
import { refreshDocuments } from './catalogue/refresh-documents.ts'
import type { DatabaseHealth } from 'pantry/database'
import { readProject, type ProjectText } from './hospitality/project/read-project.ts'
import { readPublic } from './outside/read-public.ts'
import { CardPoolReader } from './play/meta/card-pool.ts'
import { Printings } from './play/printings.ts'
import { createSeal, type Seal } from './play/practice/seal.ts'
import { keptSecret } from './play/practice/secret.ts'
import { readReferenceRates } from './rates/central-bank.ts'
import { RateDesk, type Currency } from './rates/rate-desk.ts'
import { GameDirectory, type Game } from './search/game-directory.ts'
import { packageFolder } from './import/find-files.ts'
import { importBundled } from './importer.ts'
import { loadSources } from './import/load-sources.ts'
import { documentForm } from './import/snapshot.ts'
import type { Source } from './import/source.ts'
import { RunStore } from './sources/run-store.ts'

/** What handlers work with, besides the request. */
export type Services = Readonly<{
  catalogue: Catalogue
  /** Identifier of the structural encoding, as `service.yaml` names it. */
  encoding: string
  /** The encoding document. */
  encodingText: MirrorText
  corpora: ReadonlyMap<string, Corpus>
  /** The texts of the project for readers of its files. */
  project: readonly ProjectText[]
  /** Games by their names. */
  games: GameDirectory
  /** Cards by their numbers. */
  search: SearchIndex
  /** Registered sources by id. */
  sources: ReadonlyMap<string, Source>
  /** Imports in numbers. */
  runs: RunStore
  /** What was observed, by whom and when. */
  coverage: CoverageStore
  /** What the catalogue holds, counted now. */
  holdings: () => Promise<Holdings>
  /** Booster contents: the data of their surface. */
  pulls: JsonObject
  /** Who illustrated what. */
  credits: CreditsDesk
  /** Exchange rates of the display currencies. */
  rates: RateDesk
  /** The feed of the partner gallery. */
  gallery: PartnerGallery
  /** Cards to play with, by card number. */
  printings: Printings
  /** What decks can be built from, counted. */
  cardPool: CardPoolReader
  /** Seals the practice matches that callers carry. */
  practiceSeal: Seal
  /** The current revision of each relation between card and artwork, by its key. */
  relationRevisions: ReadonlyMap<string, string>
}>

/** Opens the database and wires to it what handlers need. */
const openServices: OpenServices<Services> = async ({ database: open, dataDir, service, corpora, log }) => {
  // The schema of a corpus has made sure of the form of its entries.
  const entriesOf = (name: string): readonly unknown[] => corpora.get(name)?.entries ?? []
  const database = await open()
  const catalogue = new Catalogue(database)
  const sources = loadSources(corpora.get('sources')?.entries ?? [])
  const rates = new RateDesk({
    currencies: entriesOf('currencies') as readonly Currency[],
    read: () => readReferenceRates(),
    failed: reason => { log.warn({ reason }, 'The exchange rates could not be read.') }
  })
  const gallery = new PartnerGallery({
    partner: corpora.get('partner-galleries')?.entries[0] as unknown as Partner | undefined,
    read: url => readPublic(url, { timeoutMs: 5_000, maxBytes: 1_048_576, accept: 'application/json' })
  })
  const relationRevisions = new Map((entriesOf('answering-rhymes') as readonly Readonly<{ key: string, revision: string }>[]).map(({ key, revision }) => [key, revision]))

  async function prepare (progress: Progress): Promise<void> {
    const refreshed = await refreshDocuments(database, documentForm, done => { progress({ label: 'documents', done, total: undefined }) })
    if (refreshed > 0) log.info({ documents: refreshed }, 'Documents of an earlier version were made anew.')
    const runs = await importBundled(database, sources.values(), {
      progress: ({ source, fraction }) => { progress({ label: source, done: Math.round(fraction * 100), total: 100 }) }
    })
    for (const run of runs) log.info(run, 'A source was imported.')
  }

  return {
    services: {
      catalogue,
      encoding: service.encoding,
      encodingText: encodingDocument(service.encoding),
      corpora,
      project: readProject(),
      games: new GameDirectory(entriesOf('games') as readonly Game[]),
      search: new SearchIndex(database),
      sources,
      runs: new RunStore(database),
      coverage: new CoverageStore(database),
      printings: new Printings(database),
      cardPool: new CardPoolReader(database),
      holdings: () => readHoldings(database.knex),
      pulls: pullsDocument({
        boosters: entriesOf('pulls') as readonly BoosterGame[],
        games: new Map((entriesOf('games') as readonly GameName[]).map(game => [game.token, game])),
        sources,
        ratesOf: ({ upstream }) => readPullRates(packageFolder(upstream.package ?? '', import.meta.url))
      }),
      credits: new CreditsDesk(database),
      rates,
      gallery,
      practiceSeal: createSeal(() => keptSecret(dataDir, message => { log.warn({ subsystem: 'practice' }, message) })),
      relationRevisions
    },
    prepare,
    health: async () => ({ catalogue: await catalogueHealth(catalogue) })
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
