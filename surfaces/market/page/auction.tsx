import type { DataOf } from 'pantry/data'
import { Facts, Table, type VNode } from 'pantry/page'
import { formatMoney, type StatedAmount } from '../money.ts'
import type {
  AdminAuction,
  AuctionItem,
  BaseAuction,
  PrivateOffer,
  PublicBid,
  SellerAuction,
  ShownAuction,
  WinnerAuction
} from '../views.ts'
import { AcceptForm } from './forms.tsx'
import {
  conditionNames,
  formatDateTime,
  disputeNames,
  formatDuration,
  formatSecond,
  formatTimeBetween,
  rightsOf,
  standing,
  typeNames
} from './words.ts'

const when = (at: string | null): string | false => at !== null && formatSecond(at)
const money = (amount: StatedAmount | null): string | false => amount !== null && formatMoney(amount)

/**
 * Says in words how an auction is, with the time left. Works without a script: the link to `again` reloads the page.
 */
export const Countdown = ({ of: auction, again }: Readonly<{ of: BaseAuction; again: string }>): VNode => (
  <p class="lead" role="status">
    {standing(auction)}{' '}
    <small>
      As of <time dateTime={auction.server_time}>{formatSecond(auction.server_time)}</time>. <a href={again}>Refresh</a>
    </small>
  </p>
)

export const AuctionFacts = ({ of: auction, trust }: Readonly<{ of: BaseAuction; trust: string | null }>): VNode => (
  <Facts
    of={{
      Card: <a href={`/product/${encodeURIComponent(auction.sku)}`}>{auction.sku}</a>,
      Condition: conditionNames[auction.condition],
      Kind: typeNames[auction.auction_type],
      'Starting price': auction.auction_type !== 'buy_now' && formatMoney(auction.starting_price),
      Step: auction.auction_type === 'english' && money(auction.bid_increment),
      'Buy-now price': money(auction.buy_now_price),
      'Falls to':
        auction.dutch_end_price !== null &&
        auction.dutch_price_drop !== null &&
        `${formatMoney(auction.dutch_end_price)}, by ${formatMoney(auction.dutch_price_drop)} every ${formatDuration(auction.dutch_drop_interval_seconds ?? 0)}`,
      Reserve: auction.reserve_met !== null && (auction.reserve_met ? 'met' : 'not met yet'),
      Begins: when(auction.starts_at),
      Ends:
        auction.ends_at !== null &&
        auction.actual_end_at === null &&
        auction.status !== 'cancelled' &&
        `${formatSecond(auction.ends_at)}${auction.extensions > 0 ? `, moved ${auction.extensions === 1 ? 'once' : `${auction.extensions} times`} by late bids` : ''}`,
      Seller:
        auction.seller === null ? (
          'has not agreed to be named in public'
        ) : (
          <a href={trust ?? ''}>{auction.seller.username}</a>
        ),
      'Rights to the words': rightsOf(auction.license)
    }}
  />
)

const WhenOf = ({
  of: { status, starts_at: starts, ends_at: ends, actual_end_at: ended },
  now
}: Readonly<{ of: AuctionItem; now: string }>): VNode => {
  const at = { draft: ends, scheduled: starts, live: ends, ended, paid: ended, cancelled: null }[status]
  if (at === null) return <>{status === 'draft' ? 'not set' : ''}</>
  const moment = (
    <small>
      <time dateTime={at}>{formatSecond(at)}</time>
    </small>
  )
  return status === 'live' || status === 'scheduled' ? (
    <>
      {status === 'live' ? 'in' : 'begins in'} {formatTimeBetween(now, at)}
      <br />
      {moment}
    </>
  ) : (
    moment
  )
}

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
      { head: 'Current price', isNumber: true, cell: ({ current_price: price }) => formatMoney(price) },
      { head: 'Ends', cell: one => <WhenOf of={one} now={now} /> },
      { head: 'Bids', isNumber: true, cell: ({ bid_count: count }) => String(count) },
      { head: 'State', cell: ({ status }) => status },
      { head: 'Kind', cell: ({ auction_type: type }) => typeNames[type] }
    ]}
  />
)

export const BidTable = ({ bids }: Readonly<{ bids: readonly PublicBid[] }>): VNode => (
  <Table
    caption="Bids, the newest first"
    none="No bids yet."
    rows={bids}
    columns={[
      { head: 'Bid', cell: ({ number }) => String(number) },
      { head: 'Amount', isNumber: true, cell: ({ amount }) => formatMoney(amount) },
      { head: 'When', cell: ({ created_at: at }) => formatSecond(at) },
      { head: 'Whose', cell: ({ is_own: isOwn }) => (isOwn ? 'yours' : 'not shown') }
    ]}
  />
)

function saleOf({ auction_type: type, starting_price: start, dutch_end_price: end }: BaseAuction): string {
  if (type === 'buy_now') return `It is offered for ${formatMoney(start)}: whoever says yes first buys it.`
  if (type === 'dutch')
    return `It is a Dutch auction: its price falls in steps from ${formatMoney(start)}${end === null ? '' : ` to ${formatMoney(end)}`}, until somebody says yes.`
  return `It is an English auction that begins at ${formatMoney(start)}: whoever has bid most when it ends buys it.`
}

function stateOf({
  status,
  auction_type: type,
  starts_at: starts,
  ends_at: ends,
  actual_end_at: ended,
  bid_count: bids,
  current_price: price,
  reserve_met: met,
  is_sold: isSold
}: BaseAuction): string {
  const until = ends === null ? '' : ` It ends on ${formatDateTime(ends)}.`
  switch (status) {
    case 'draft':
      return 'It is a draft, which its seller and admins alone see.'
    case 'scheduled':
      return starts === null ? 'It has not begun.' : `It begins on ${formatDateTime(starts)}.${until}`
    case 'live': {
      if (type !== 'english') return `It costs ${formatMoney(price)} now.${until}`
      return `${bids === 0 ? 'Nobody has bid so far.' : `The highest bid so far is ${formatMoney(price)}.`}${met === false ? ' The seller keeps it unless somebody bids more: it has a reserve.' : ''}${until} A bid at the very end moves that a little, so that everyone can answer it.`
    }
    case 'ended':
    case 'paid':
      return `It ended${ended === null ? '' : ` on ${formatDateTime(ended)}`}${isSold ? `, and went for ${formatMoney(price)}.` : ' without a buyer.'}`
    case 'cancelled':
      return 'It was cancelled.'
  }
}

/** An auction in prose, without countdowns or calls to action. */
export const CalmWords = ({ of: auction, back }: Readonly<{ of: BaseAuction; back: string }>): VNode => (
  <>
    <p class="lead">
      A member offers the card <a href={`/product/${encodeURIComponent(auction.sku)}`}>{auction.sku}</a>,{' '}
      {conditionNames[auction.condition]}.
    </p>
    {auction.description !== '' && (
      <p>
        The seller writes: <q>{auction.description}</q>
      </p>
    )}
    <p>
      {saleOf(auction)} {stateOf(auction)}
    </p>
    {auction.status === 'live' && (
      <p>
        Who buys it pays the seller directly: the service holds no money and takes none. A bid cannot be taken back, so
        it is worth a thought.
      </p>
    )}
    <p>
      Each amount is what a participant states for themselves; none is a reference price. This page does not change
      while you read it, and asks nothing of you.
    </p>
    <p>
      <a href={back}>The auction with its bids</a>
    </p>
  </>
)

export const TradeFacts = ({ of: auction }: Readonly<{ of: WinnerAuction | SellerAuction | AdminAuction }>): VNode => (
  <section>
    <h2>Progress</h2>
    <Facts
      of={{
        State: auction.status,
        Seller: 'sold_by' in auction && auction.sold_by !== null && auction.sold_by.username,
        Buyer: 'buyer' in auction && auction.buyer !== null && auction.buyer.username,
        Approval: 'approval_status' in auction && auction.approval_status !== 'not_needed' && auction.approval_status,
        Reserve: 'reserve_price' in auction && money(auction.reserve_price),
        'Pay by': auction.paid_at === null && when(auction.payment_expires_at),
        'Send to':
          'shipping_address' in auction
            ? (auction.shipping_address ?? false)
            : auction.is_sold && (auction.has_address ? 'the seller has your address' : 'please give your address'),
        Paid: when(auction.paid_at),
        Sent:
          auction.shipped_to_buyer_at !== null &&
          [formatSecond(auction.shipped_to_buyer_at), auction.carrier_to_buyer, auction.tracking_to_buyer]
            .filter(one => one !== null)
            .join(', '),
        Received: when(auction.buyer_received_at),
        'Cancelled because': auction.cancel_reason ?? false,
        Dispute:
          auction.dispute !== null &&
          `${disputeNames[auction.dispute.state]}, begun by the ${auction.dispute.by}: ${auction.dispute.statement}${auction.dispute.reason === null ? '' : ` Decision: ${auction.dispute.reason}`}`
      }}
    />
  </section>
)

/** The offers of an auction, for the seller and admins; only the seller can accept one. */
export const OfferTable = ({
  offers,
  of,
  token
}: Readonly<{ offers: readonly DataOf<typeof PrivateOffer>[]; of: ShownAuction; token: string }>): VNode => (
  <Table
    caption="Offers (only the seller and admins see them)"
    none="No offers yet."
    rows={offers}
    columns={[
      { head: 'Offer', cell: ({ offer }) => String(offer) },
      { head: 'Amount', isNumber: true, cell: ({ amount }) => formatMoney(amount) },
      { head: 'State', cell: ({ status }) => status },
      {
        head: '',
        cell: ({ offer, amount, status }) =>
          status === 'active' &&
          of.viewer_role === 'seller' && <AcceptForm of={of} token={token} offer={offer} amount={amount} />
      }
    ]}
  />
)
