import { closed, Count, NullableText, Text, Type, type Caller, type DataOf, type PathTo, type Static } from 'pantry/data'
import type { Knex } from 'pantry/database'
import { noticeVersion } from '../accounts/notice.ts'
import { currentAuctions, stateAt } from './due.ts'
import { isPublished, mayFind } from './gate.ts'
import { stated } from './money.ts'
import { offersOf, type CollectorOffers } from './offers.ts'
import { auctionTypes, clockOf, isId, noAuction, type AuctionRow, type Store } from './row.ts'
import { publicOf, readBeside, shownTo, type Viewer } from './show.ts'
import type { State } from './states.ts'
import { itemOf, type AuctionList, type PublicAuction, type ShownAuction, type ShownBids } from './views.ts'

/** Who a caller is to the market: a person or nobody. A key is nobody. */
export const viewerOf = ({ id, session, grants }: Caller): Viewer => session === undefined ? { person: undefined, isAdmin: false } : { person: id, isAdmin: grants.includes('admin') }

const Word = (description: string) => Type.String({ maxLength: 160, description })

/** What is asked of the list. A value that no filter knows filters nothing. */
export const Filters = Type.Object({
  status: Type.Optional(Word('One of `live`, `scheduled`, `upcoming`, `ended`, `cancelled`.')),
  sku: Type.Optional(Word('SKU of a card.')),
  auction_type: Type.Optional(Word('One of `english`, `dutch`, `buy_now`.')),
  include: Type.Optional(Word('`unpublished`, for admins.')),
  mine: Type.Optional(Word('`yes` for what you sell or have won.')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }))
})

const statusFilters: ReadonlyMap<string, readonly State[]> = new Map([['live', ['live']], ['scheduled', ['scheduled']], ['upcoming', ['scheduled']], ['ended', ['ended', 'paid']], ['cancelled', ['cancelled']]])

/** The state of now, also of an auction to which what is due was not applied yet. */
const stateNow = stateAt('statement_timestamp()')

const Bid = closed({ id: Count, kind: Text, amount: Count, at: Text, state: Text, bidder: NullableText, username: NullableText })

/** What is read of the market: of the primary server, after what is due to it was applied. */
export class MarketReads {
  readonly #store: Store

  constructor (store: Store) { this.#store = store }

  /** Auctions, those that end first before others. Everyone sees what is published; an admin may ask for all, and anyone for their own. */
  async list (viewer: Viewer, { status, sku, auction_type: type, include, mine, limit = 20, offset = 0 }: Static<typeof Filters>, pathTo: PathTo): Promise<DataOf<typeof AuctionList>> {
    const store = this.#store
    const within = (query: Knex.QueryBuilder): void => {
      const wanted = statusFilters.get(status ?? '')
      if (mine === 'yes' && viewer.person !== undefined) void query.where(one => { void one.where('a.seller', viewer.person ?? '').orWhere('a.winner', viewer.person ?? '') })
      else if (!(include === 'unpublished' && viewer.isAdmin)) void query.whereRaw(isPublished)
      if (wanted !== undefined) void query.whereRaw(`${stateNow} = any(?)`, [[...wanted]])
      if (sku !== undefined) void query.where('a.sku', sku.toLowerCase())
      if (type !== undefined && (auctionTypes as readonly string[]).includes(type)) void query.where('a.auction_type', type)
    }
    const [found, [counted], now] = await Promise.all([
      currentAuctions(store, query => query.where(within).orderByRaw(`${stateNow} <> 'live', ${stateNow} <> 'scheduled', case when ${stateNow} in ('live', 'scheduled') then a.ends_at end, a.updated_at desc, a.id`).limit(limit).offset(offset)),
      store.rows(closed({ total: Count }), store.knex('auctions as a').where(within).count({ total: '*' })),
      clockOf(store, store.knex)
    ])
    return { auctions: found.map(row => itemOf(publicOf(row, null, now, pathTo))), total: counted?.total ?? 0, limit, offset, server_time: new Date(now).toISOString() }
  }

  /** An auction that a viewer may find; 404 for any other. */
  async #find (viewer: Viewer, id: string): Promise<AuctionRow> {
    const [row] = isId(id) ? await currentAuctions(this.#store, query => query.where('a.id', id)) : []
    if (row === undefined || !await mayFind(this.#store, this.#store.knex, row, viewer)) throw noAuction(id)
    return row
  }

  /** One auction, as far as the viewer may see it. */
  async one (viewer: Viewer, id: string, pathTo: PathTo): Promise<ShownAuction> {
    const row = await this.#find(viewer, id)
    const more = (await readBeside(this.#store, [id], noticeVersion)).get(id)
    if (more === undefined) throw noAuction(id)
    return shownTo(viewer, row, more, await clockOf(this.#store, this.#store.knex), pathTo)
  }

  /** One auction as everyone sees it. */
  async published (id: string, pathTo: PathTo): Promise<PublicAuction> {
    const nobody = { person: undefined, isAdmin: false }
    return await this.one(nobody, id, pathTo) as PublicAuction
  }

  /** What members offer of a card now. */
  async offersOf (sku: string, pathTo: PathTo): Promise<CollectorOffers> {
    return await offersOf(this.#store, sku, pathTo)
  }

  /** What was bid, without whom; the seller also sees offers, and an admin who made them. */
  async bids (viewer: Viewer, id: string): Promise<ShownBids> {
    const row = await this.#find(viewer, id)
    const { knex, rows } = this.#store
    const all = await rows(Bid, knex('auction_bids as b').leftJoin('people as p', 'p.id', 'b.bidder').select('b.id', 'b.kind', 'b.amount', 'b.at', 'b.state', 'b.bidder', 'p.username').where('b.auction', id).orderBy('b.id').limit(5000))
    const money = (pence: number) => stated(pence, row.currency)
    const bids = all.filter(({ kind }) => kind !== 'offer').map(({ kind, amount, at, bidder }, place) => ({ number: place + 1, kind: kind as 'bid' | 'buy', amount: money(amount), at, is_yours: viewer.person !== undefined && bidder === viewer.person }))
    const offers = all.filter(({ kind }) => kind === 'offer').map(({ id: offer, amount, at, state }) => ({ offer, amount: money(amount), at, state: state as 'open' }))
    if (viewer.isAdmin) return { viewer_role: 'admin', bids, offers, records: all.map(({ id: number, kind, amount, at, state, username }) => ({ id: number, kind, amount: money(amount), at, state, bidder: username })) }
    return viewer.person !== undefined && row.seller === viewer.person ? { viewer_role: 'seller', bids, offers } : { viewer_role: 'public', bids }
  }
}
