import type { Health, ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import { documentForm } from '../import/snapshot.ts'
import { CardHistory } from './card-history.ts'
import { Catalogue } from './catalogue.ts'
import { readHoldings } from './holdings.ts'
import type { KeptFacts } from './kept-facts.ts'
import { cardDrawer, type DrawCard } from './random-card.ts'
import { refreshDocuments } from './refresh-documents.ts'
import { SearchIndex } from './search-index.ts'

/** Reads a card by chance each time, by the way that requests take: a count alone says nothing of the documents. */
async function healthOf(database: Database, catalogue: Catalogue, drawCard: DrawCard): Promise<Health> {
  try {
    const { games, cards } = await catalogue.size()
    if (cards === 0) return { status: 'degraded', detail: 'The catalogue holds no cards yet.', isReadable: true }
    const drawn = await drawCard(undefined, Math.random())
    if (drawn !== undefined) await catalogue.cardInFull(drawn.sku)
    const { status, detail } = await database.health()
    return {
      ...(status === 'down' ? { status, detail } : { status: 'ok', detail: `${cards} cards of ${games} games.` }),
      isReadable: true
    }
  } catch {
    return { status: 'down', detail: 'The catalogue cannot be read now.', isReadable: false }
  }
}

/**
 * `encoding`: identifier of the structural encoding, as `service.yaml` names it. `refreshed` is told how many documents
 * were written again.
 */
export function openCatalogue(
  database: Database,
  kept: KeptFacts,
  encoding: string,
  refreshed: (count: number) => void
) {
  const catalogue = new Catalogue(database, kept)
  const drawCard = cardDrawer(database)
  return {
    services: {
      catalogue,
      encoding,
      /** Cards by their numbers. */
      search: new SearchIndex(database),
      /** What happened to cards, and where former identifiers lead. */
      cardHistory: new CardHistory(database),
      /** A card by chance. */
      drawCard,
      /** What the catalogue holds, counted. */
      holdings: () => kept.of('holdings', () => readHoldings(database))
    },
    prepare: async progress => {
      refreshed(
        await refreshDocuments(database, documentForm, done => {
          progress({ label: 'documents', done, total: undefined })
        })
      )
    },
    health: { catalogue: () => healthOf(database, catalogue, drawCard) }
  } satisfies ServicesPart<unknown>
}
