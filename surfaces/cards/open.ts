import {
  Count,
  counted,
  nullable,
  NullableText,
  Text,
  Texts,
  Type,
  type DataOf,
  type Health,
  type ServicesPart
} from 'pantry/data'
import type { Database } from 'pantry/database'
import type { TObject } from 'typebox'
import { readFeed } from './card-feed.ts'
import { CardHistory } from './card-history.ts'
import { wholeText } from './card-row.ts'
import { Catalogue } from './catalogue.ts'
import { filteredDrawer } from './filtered-draw.ts'
import { GameDirectory, type Game } from './games.ts'
import type { CatalogueCache } from './kept.ts'
import { valueCounter } from './search/count-values.ts'
import { refreshNames } from './search/derive-names.ts'
import { NameIndex } from './search/name-index.ts'
import { NumberIndex } from './search/number-index.ts'
import { QueryIndex } from './search/query-index.ts'
import { documentForm, refreshDocuments } from './writing.ts'

/**
 * Checks the catalogue by reading the facts of a random card through queries that requests use; a count alone would not
 * show that cards can be read.
 */
async function healthOf(database: Database, catalogue: Catalogue, drawCard: DrawCard): Promise<Health> {
  try {
    const { games, cards } = await catalogue.size()
    if (cards === 0) return { status: 'degraded', detail: 'The catalogue holds no cards yet.', isReadable: true }
    const drawn = await drawCard({}, Math.random())
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
  kept: CatalogueCache,
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
      search: new NumberIndex(database),
      /** The history of cards, and what their former identifiers lead to. */
      cardHistory: new CardHistory(database),
      /** The changes of the cards of a game. */
      changeFeed: async (asked: Parameters<typeof readFeed>[1]) => await readFeed(database, asked),
      drawCard,
      drawFiltered: filteredDrawer(database, kept, drawCard),
      /** Counts the values of fields of a game. */
      countValues: valueCounter(database, kept),
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

export const openSearch = (database: Database, games: readonly Game[]) =>
  ({
    services: {
      /** Finds games by their names. */
      games: new GameDirectory(games),
      /** Finds cards by their names. */
      names: new NameIndex(database),
      /** Reads what a query selects. */
      queries: new QueryIndex(database)
    },
    prepare: async () => {
      await refreshNames(database)
    }
  }) satisfies ServicesPart<unknown>

const holdingCounts = {
  games: Count,
  sets: Count,
  cards: Count,
  /** The number of different pairs of set and number; languages and variants of a number count once. */
  numbers: Count,
  /** The number of sources with a successful import. */
  sources: Count,
  /** The time at which the last successful import ended (ISO 8601); null before the first. */
  as_of: NullableText
}

/** Counts of the content of the catalogue. `document_bytes`: the mean length in bytes of the sampled card documents. */
export type Holdings = DataOf<TObject<typeof holdingCounts>> & Readonly<{ document_bytes: number }>

const Row = Type.Object({ ...holdingCounts, documents: nullable(Texts) })

const meanLength = (texts: readonly string[]): number =>
  Math.round(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / Math.max(texts.length, 1))

/** Reads the counts with one query over `games`, `sets` and `runs`, and the first 200 documents by SKU as a sample. */
export async function readHoldings({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>): Promise<Holdings> {
  const [held] = await rows(
    Row,
    knex.raw(`
    select (select count(*)::int from games) as games,
      s.sets, s.cards, s.numbers,
      r.sources, r.as_of,
      (select array_agg(document) from (select document from cards order by sku limit 200) d) as documents
    from (select count(*)::int as sets, coalesce(sum(card_count), 0)::int as cards, coalesce(sum(number_count), 0)::int as numbers from sets) s,
      (select count(distinct source)::int as sources, max(finished_at) as as_of from runs where status = 'succeeded') r`)
  )
  const { documents, ...numbers } = held ?? {
    games: 0,
    sets: 0,
    cards: 0,
    numbers: 0,
    sources: 0,
    documents: null,
    as_of: null
  }
  return { ...numbers, document_bytes: meanLength((documents ?? []).map(wholeText)) }
}

const Drawn = Type.Object({ sku: Text, drawn_from: Count })

/** Draws a random card, and returns the number of cards that it was drawn from. */
type DrawCard = (
  among: Readonly<{ game?: string | undefined; set?: string | undefined }>,
  chance: number
) => Promise<Readonly<{ sku: string; drawn_from: number }> | undefined>

/**
 * Returns a function that draws the card at a position between 0 (first) and 1 (after the last) among all cards, or
 * those of a game, of the sets with a code, or both; `undefined` when there are none. Every card is equally likely. The
 * card counts of the sets determine the set at that position, so the cards of only one set are read.
 */
export const cardDrawer =
  ({ reading: knex, rows }: Pick<Database, 'reading' | 'rows'>): DrawCard =>
  async ({ game = null, set = null }, chance) => {
    const [drawn] = await rows(
      Drawn,
      knex.raw(
        `
    select c.sku, s.total as drawn_from
    from (
      select id, card_count, (sum(card_count) over (order by id))::int as upto, (sum(card_count) over ())::int as total
      from sets where (?::text is null or game = ?) and (?::text is null or code_key = ?)
    ) s
    cross join lateral (select floor(?::float8 * s.total)::int as place) p
    cross join lateral (
      select sku from cards where set_id = s.id order by sku offset p.place - (s.upto - s.card_count) limit 1
    ) c
    where p.place < s.upto and p.place >= s.upto - s.card_count`,
        [game, game, set, set, chance]
      )
    )
    return drawn
  }
