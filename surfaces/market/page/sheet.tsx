import { Facts, Table, type VNode } from 'pantry/page'
import type { DataOf } from 'pantry/data'
import { showMoney, type Stated } from '../money.ts'
import type { AuctionItem, OpenAuction, PublicBid } from '../views.ts'
import { conditionNames, secondOf, standing, typeNames } from './words.ts'

const money = (amount: Stated | null): string | false => amount !== null && showMoney(amount)

/** The moment of a page, and when what it shows ends: without a script too. */
export const Countdown = ({ of: auction, again }: Readonly<{ of: OpenAuction, again: string }>): VNode => (
  <p class="lead" role="status">{standing(auction)} <small>As of <time dateTime={auction.server_time}>{secondOf(auction.server_time)}</time>. <a href={again}>Look again</a></small></p>
)

/** What is offered, as its seller states it. */
export const AuctionFacts = ({ of: auction, trust }: Readonly<{ of: OpenAuction, trust: string | null }>): VNode => (
  <Facts of={{
    Card: <a href={`/product/${encodeURIComponent(auction.sku)}`}>{auction.sku}</a>,
    Condition: conditionNames[auction.condition],
    Kind: typeNames[auction.auction_type],
    'Starting price': showMoney(auction.starting_price),
    Step: auction.auction_type === 'english' && money(auction.bid_increment),
    'Buy-now price': money(auction.buy_now_price),
    'Falls to': auction.dutch !== null && `${showMoney(auction.dutch.end_price)}, by ${showMoney(auction.dutch.price_drop)} every ${auction.dutch.drop_interval_seconds} seconds`,
    Reserve: auction.reserve_met !== null && (auction.reserve_met ? 'met' : 'not met yet'),
    Begins: auction.starts_at !== null && secondOf(auction.starts_at),
    Ends: auction.ends_at !== null && `${secondOf(auction.ends_at)}${auction.extensions > 0 ? `, moved ${auction.extensions} times by late bids` : ''}`,
    Seller: auction.seller === null ? 'has not agreed to be named' : <a href={trust ?? ''}>{auction.seller.username}</a>,
    Rights: auction.license
  }} />
)

/** Auctions with what they cost, as participants state it. */
export const AuctionTable = ({ auctions, caption, none }: Readonly<{ auctions: readonly AuctionItem[], caption: string, none: string }>): VNode => (
  <Table caption={caption} none={none} rows={auctions} columns={[
    { head: 'Auction', cell: ({ id, title }) => <a href={`/auctions/${encodeURIComponent(id)}`}>{title}</a> },
    { head: 'Card', cell: ({ sku }) => sku },
    { head: 'Kind', cell: ({ auction_type: type }) => typeNames[type] },
    { head: 'State', cell: ({ status }) => status },
    { head: 'Stated by the participants', isNumber: true, cell: ({ current_price: price }) => showMoney(price) },
    { head: 'Bids', isNumber: true, cell: ({ bid_count: count }) => String(count) },
    { head: 'Ends', cell: ({ ends_at: at }) => at === null ? 'not set' : secondOf(at) }
  ]} />
)

/** What was bid, without who bid. */
export const BidTable = ({ bids }: Readonly<{ bids: readonly DataOf<typeof PublicBid>[] }>): VNode => (
  <Table caption="Bids, the newest first" none="Nobody has bid." rows={[...bids].reverse()} columns={[
    { head: 'Bid', cell: ({ number }) => String(number) },
    { head: 'Amount', isNumber: true, cell: ({ amount }) => showMoney(amount) },
    { head: 'When', cell: ({ at }) => secondOf(at) },
    { head: '', cell: ({ is_yours: isYours }) => isYours ? 'yours' : '' }
  ]} />
)
