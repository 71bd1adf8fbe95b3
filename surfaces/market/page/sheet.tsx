import { Facts, Table, type VNode } from 'pantry/page'
import { showMoney, type Stated } from '../money.ts'
import type { AuctionItem, OpenAuction, PublicBid } from '../views.ts'
import { conditionNames, lengthOf, secondOf, spanOf, standing, typeNames } from './words.ts'

const money = (amount: Stated | null): string | false => amount !== null && showMoney(amount)

/** The state of the auction and the time of the page, with a link to reload it; works without a script. */
export const Countdown = ({ of: auction, again }: Readonly<{ of: OpenAuction; again: string }>): VNode => (
  <p class="lead" role="status">
    {standing(auction)}{' '}
    <small>
      As of <time dateTime={auction.server_time}>{secondOf(auction.server_time)}</time>. <a href={again}>Look again</a>
    </small>
  </p>
)

/** The facts of the offer, as the seller states them. */
export const AuctionFacts = ({ of: auction, trust }: Readonly<{ of: OpenAuction; trust: string | null }>): VNode => (
  <Facts
    of={{
      Card: <a href={`/product/${encodeURIComponent(auction.sku)}`}>{auction.sku}</a>,
      Condition: conditionNames[auction.condition],
      Kind: typeNames[auction.auction_type],
      'Starting price': auction.auction_type !== 'buy_now' && showMoney(auction.starting_price),
      Step: auction.auction_type === 'english' && money(auction.bid_increment),
      'Buy-now price': money(auction.buy_now_price),
      'Falls to':
        auction.dutch_end_price !== null &&
        auction.dutch_price_drop !== null &&
        `${showMoney(auction.dutch_end_price)}, by ${showMoney(auction.dutch_price_drop)} every ${lengthOf(auction.dutch_drop_interval_seconds ?? 0)}`,
      Reserve: auction.reserve_met !== null && (auction.reserve_met ? 'met' : 'not met yet'),
      Begins: auction.starts_at !== null && secondOf(auction.starts_at),
      Ends:
        auction.ends_at !== null &&
        auction.actual_end_at === null &&
        auction.status !== 'cancelled' &&
        `${secondOf(auction.ends_at)}${auction.extensions > 0 ? `, moved ${auction.extensions === 1 ? 'once' : `${auction.extensions} times`} by late bids` : ''}`,
      Seller:
        auction.seller === null ? (
          'has not agreed to be named in public'
        ) : (
          <a href={trust ?? ''}>{auction.seller.username}</a>
        ),
      'Rights to the words': auction.license === 'NOASSERTION' ? 'none granted (NOASSERTION)' : auction.license
    }}
  />
)

/** When an auction in a list begins or ends: the remaining time, computed on the server, and the moment. */
const WhenOf = ({
  of: { status, starts_at: starts, ends_at: ends, actual_end_at: ended },
  now
}: Readonly<{ of: AuctionItem; now: string }>): VNode => {
  const at = { draft: ends, scheduled: starts, live: ends, ended, paid: ended, cancelled: null }[status]
  if (at === null) return <>{status === 'draft' ? 'not set' : ''}</>
  const moment = <time dateTime={at}>{secondOf(at)}</time>
  if (status === 'live')
    return (
      <>
        in {spanOf(now, at)}
        <br />
        <small>{moment}</small>
      </>
    )
  return status === 'scheduled' ? (
    <>
      begins in {spanOf(now, at)}
      <br />
      <small>{moment}</small>
    </>
  ) : (
    <small>{moment}</small>
  )
}

/** A table of auctions with their prices, as participants state them. */
export const AuctionTable = ({
  auctions,
  now,
  caption,
  none
}: Readonly<{ auctions: readonly AuctionItem[]; now: string; caption: string; none: string }>): VNode => (
  <Table
    caption={caption}
    none={none}
    rows={auctions}
    columns={[
      {
        head: 'Auction',
        cell: ({ id, title, sku }) => (
          <>
            <a href={`/auctions/${encodeURIComponent(id)}`}>{title}</a>
            <br />
            <small>{sku}</small>
          </>
        )
      },
      { head: 'Stated', isNumber: true, cell: ({ current_price: price }) => showMoney(price) },
      { head: 'Ends', cell: one => <WhenOf of={one} now={now} /> },
      { head: 'Bids', isNumber: true, cell: ({ bid_count: count }) => String(count) },
      { head: 'State', cell: ({ status }) => status },
      { head: 'Kind', cell: ({ auction_type: type }) => typeNames[type] }
    ]}
  />
)

/** A table of the bids, without the bidders. */
export const BidTable = ({ bids }: Readonly<{ bids: readonly PublicBid[] }>): VNode => (
  <Table
    caption="Bids, the newest first"
    none="Nobody has bid."
    rows={bids}
    columns={[
      { head: 'Bid', cell: ({ number }) => String(number) },
      { head: 'Amount', isNumber: true, cell: ({ amount }) => showMoney(amount) },
      { head: 'When', cell: ({ created_at: at }) => secondOf(at) },
      { head: 'Whose', cell: ({ is_own: isOwn }) => (isOwn ? 'yours' : 'not shown') }
    ]}
  />
)
