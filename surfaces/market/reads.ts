import { closed, Count, Text, Type, type Caller, type DataOf, type PathTo, type Static } from 'pantry/data'
import type { Database, Knex } from 'pantry/database'
import { noticeVersion } from '../people/receipts.ts'
import { Repository, RowId, type Store } from '../common/repository.ts'
import {
  auctionTypes,
  databaseNow,
  idOf,
  isPublished,
  canSeeUnpublished,
  auctionNotFound,
  type AuctionRow,
  type AuctionState,
  type Viewer
} from './auction.ts'
import { currentAuctions, stateAt } from './due.ts'
import { offersOf, type CollectorOffers } from './evidence.ts'
import { publicOf, readDetails, recentBids, shownBids, shownTo } from './show.ts'
import type { Trust } from './trust.ts'
import {
  blocksOf,
  itemOf,
  type AuctionBlocks,
  type AuctionList,
  type PublicAuction,
  type ShownAuction,
  type ShownBids
} from './views.ts'

/** Returns the viewer that a caller is: without a session, and so with an API key, the public. */
export const viewerOf = ({ id, session, grants }: Caller): Viewer =>
  session === undefined ? { person: undefined, isAdmin: false } : { person: id, isAdmin: grants.includes('admin') }

const statusFilters: ReadonlyMap<string, readonly AuctionState[]> = new Map([
  ['live', ['live']],
  ['scheduled', ['scheduled']],
  ['upcoming', ['scheduled']],
  ['ended', ['ended', 'paid']],
  ['cancelled', ['cancelled']]
])

const quoted = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ')

/** A word that the list understands; others are ignored, so `values` are examples and no closed list. */
const Word = (description: string, values: readonly string[] = []) =>
  Type.Optional(Type.String({ maxLength: 160, description, ...(values.length > 0 && { examples: values }) }))

/** How many auctions a list may leave out first. */
export const maxOffset = 10_000

/**
 * Filters of the list of auctions. Unknown values of `status`, `auction_type`, `include` and `mine` are ignored; no
 * auction has an unknown `sku`.
 */
export const Filters = Type.Object({
  status: Word(`Only auctions in one state: ${quoted([...statusFilters.keys()])}.`, [...statusFilters.keys()]),
  sku: Word('Only auctions of the card with this SKU.'),
  auction_type: Word(`Only auctions of one type: ${quoted(auctionTypes)}.`, auctionTypes),
  include: Word('`unpublished` adds those that are not published, for admins.', ['unpublished']),
  mine: Word('`yes` for what you sell, have won or bid on.', ['yes']),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many auctions at most.' })
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: maxOffset, default: 0, description: 'How many auctions to leave out first.' })
  )
})

/**
 * SQL condition over `auctions as a` for auctions that `:person` sells or has won, and for published ones on which they
 * bid or made an offer.
 */
const isMine = `(a.seller = :person or a.winner = :person or (${isPublished} and exists (select from auction_bids b where b.auction = a.id and b.bidder = :person)))`

/** SQL over `auctions as a` for the current state, even if a due transition is not applied yet. */
const stateNow = stateAt('statement_timestamp()')

const Total = closed({ total: Count })

/** Whether a card has an auction that has not ended. */
type IsOffered = (sku: string) => Promise<boolean>

/** Returns a function that tells whether a card has an auction that has not ended. */
export function offeredCards(reader: Database['reader']): IsOffered {
  const offered = reader.createLoader({
    name: 'offered_card',
    sql: "select distinct sku from auctions where sku = any($1) and status in ('scheduled', 'live')",
    columns: [Text],
    keyOf: row => row[0]
  })
  return async sku => (await offered.load(sku)) !== undefined
}

/** Reads of the market from the primary. They show each auction in the state that it has now by the clock. */
export class MarketReads extends Repository {
  readonly #trust: Trust
  readonly #isOffered: IsOffered

  constructor(store: Store, trust: Trust, isOffered: IsOffered) {
    super(store)
    this.#trust = trust
    this.#isOffered = isOffered
  }

  /**
   * Lists auctions: the live ones, then the scheduled ones, each by when they end, then the others by their last
   * change, newest first. Everyone sees published ones; an admin may request all, and a person their own.
   */
  async list(
    viewer: Viewer,
    { status, sku, auction_type: type, include, mine, limit = 20, offset = 0 }: Static<typeof Filters>,
    pathTo: PathTo
  ): Promise<DataOf<typeof AuctionList>> {
    const { store } = this
    const within = (query: Knex.QueryBuilder): void => {
      const states = statusFilters.get(status ?? '')
      if (mine === 'yes' && viewer.person !== undefined) void query.whereRaw(isMine, { person: viewer.person })
      else if (!(include === 'unpublished' && viewer.isAdmin)) void query.whereRaw(isPublished)
      if (states !== undefined) void query.whereRaw(`${stateNow} = any(?)`, [[...states]])
      if (sku !== undefined) void query.where('a.sku', sku.toLowerCase())
      if (type !== undefined && (auctionTypes as readonly string[]).includes(type))
        void query.where('a.auction_type', type)
    }
    const [found, [counted], now] = await Promise.all([
      currentAuctions(store, query =>
        query
          .where(within)
          .orderByRaw(
            `${stateNow} <> 'live', ${stateNow} <> 'scheduled', case when ${stateNow} in ('live', 'scheduled') then a.ends_at end, a.updated_at desc, a.id`
          )
          .limit(limit)
          .offset(offset)
      ),
      store.rows(Total, store.knex('auctions as a').where(within).count({ total: '*' })),
      databaseNow(store)
    ])
    return {
      auctions: found.map(row => itemOf(publicOf(row, null, [], now, pathTo))),
      total: counted?.total ?? 0,
      limit,
      offset,
      server_time: new Date(now).toISOString()
    }
  }

  /** Lists published auctions that are live, by when they end. */
  async liveIds(limit: number): Promise<readonly string[]> {
    const { store } = this
    const live = store.knex('auctions as a').select('a.id').whereRaw(`${isPublished} and ${stateNow} = 'live'`)
    return (await store.rows(RowId, live.orderBy(['a.ends_at', 'a.id']).limit(limit))).map(({ id }) => id)
  }

  /**
   * Finds an auction that the viewer may see, else 404. Unknown and invisible auctions take the same statement, so that
   * response times do not reveal which exist.
   */
  async #find(viewer: Viewer, id: string): Promise<AuctionRow> {
    const [row] = await currentAuctions(
      this.store,
      query => query.where('a.id', idOf(id)),
      found => found.is_published || canSeeUnpublished(found, viewer)
    )
    if (row === undefined) throw auctionNotFound(id)
    return row
  }

  async one(viewer: Viewer, id: string, pathTo: PathTo): Promise<ShownAuction> {
    const row = await this.#find(viewer, id)
    const [details, bids, now] = await Promise.all([
      readDetails(this.store, id, noticeVersion),
      recentBids(this.store, row, viewer),
      databaseNow(this.store)
    ])
    return shownTo(viewer, row, details, bids, now, pathTo)
  }

  async published(id: string, pathTo: PathTo): Promise<PublicAuction> {
    return (await this.one({ person: undefined, isAdmin: false }, id, pathTo)) as PublicAuction
  }

  /** Returns a published auction in blocks, with the trust score of the seller if their profile is public. */
  async blocks(id: string, pathTo: PathTo): Promise<AuctionBlocks> {
    const auction = await this.published(id, pathTo)
    return blocksOf(
      auction,
      auction.seller === null ? undefined : await this.#trust.of(auction.seller.username, pathTo)
    )
  }

  /** Returns what members offer of a card. Most cards have no auction, which one prepared lookup tells. */
  async offersOf(sku: string, pathTo: PathTo): Promise<CollectorOffers> {
    if (!(await this.#isOffered(sku))) return { ask_count: 0, bid_count: 0, offers: [] }
    return await offersOf(this.store, sku, pathTo)
  }

  async bids(viewer: Viewer, id: string): Promise<ShownBids> {
    const row = await this.#find(viewer, id)
    return await shownBids(this.store, row, viewer)
  }
}
