import { counted, type Health, type ServicesPart } from 'pantry/data'
import type { Database } from 'pantry/database'
import { CardHistory } from './card-history.ts'
import { Catalogue } from './catalogue.ts'
import { readHoldings } from './holdings.ts'
import type { KeptFacts } from './kept-facts.ts'
import { cardDrawer, type DrawCard } from './random-card.ts'
import { documentForm, refreshDocuments } from './refresh-documents.ts'
import { SearchIndex } from './search-index.ts'

/**
 * Checks the catalogue by reading a random card through the same queries as requests use; a count alone would not show
 * that documents can be read.
 */
async function healthOf(database: Database, catalogue: Catalogue, drawCard: DrawCard): Promise<Health> {
  try {
    const { games, cards } = await catalogue.size()
    if (cards === 0) return { status: 'degraded', detail: 'The catalogue holds no cards yet.', isReadable: true }
    const drawn = await drawCard(undefined, Math.random())
    if (drawn !== undefined) await catalogue.cardInFull(drawn.sku)
    const { status, detail } = await database.health()
    return {
      ...(status === 'down'
        ? { status, detail }
        : { status: 'ok', detail: `${counted(cards, 'card')} of ${counted(games, 'game')}.` }),
      isReadable: true
    }
  } catch {
    return { status: 'down', detail: 'The catalogue cannot be read now.', isReadable: false }
  }
}

/**
 * Creates the catalogue services. `encoding`: identifier of the structural encoding from `service.yaml`. `refreshed` is
 * called with the number of documents that were rewritten at the start.
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
      /** Finds cards by their numbers. */
      search: new SearchIndex(database),
      /** The history of cards, and what their former identifiers lead to. */
      cardHistory: new CardHistory(database),
      /** Draws a random card. */
      drawCard,
      /** Returns counts of the catalogue's content. */
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
