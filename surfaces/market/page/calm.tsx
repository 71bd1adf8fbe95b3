import type { VNode } from 'pantry/page'
import { showMoney } from '../money.ts'
import type { OpenAuction } from '../views.ts'
import { conditionNames, dayOf } from './words.ts'

/** Describes the type of sale in one sentence. */
function saleOf({ auction_type: type, starting_price: start, dutch_end_price: end }: OpenAuction): string {
  if (type === 'buy_now') return `It is offered for ${showMoney(start)}: whoever says yes first buys it.`
  if (type === 'dutch')
    return `It is a Dutch auction: its price falls in steps from ${showMoney(start)}${end === null ? '' : ` to ${showMoney(end)}`}, until somebody says yes.`
  return `It is an English auction that begins at ${showMoney(start)}: whoever has bid most when it ends buys it.`
}

/** Describes the state of the auction, without a countdown. */
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
}: OpenAuction): string {
  const until = ends === null ? '' : ` It ends on ${dayOf(ends)}.`
  switch (status) {
    case 'draft':
      return 'It is a draft, which its seller and admins alone see.'
    case 'scheduled':
      return starts === null ? 'It has not begun.' : `It begins on ${dayOf(starts)}.${until}`
    case 'live': {
      if (type !== 'english') return `It costs ${showMoney(price)} now.${until}`
      return `${bids === 0 ? 'Nobody has bid so far.' : `The highest bid so far is ${showMoney(price)}.`}${met === false ? ' The seller keeps it unless somebody bids more: it has a reserve.' : ''}${until} A bid at the very end moves that a little, so that everyone can answer it.`
    }
    case 'ended':
    case 'paid':
      return `It ended${ended === null ? '' : ` on ${dayOf(ended)}`}${isSold ? `, and went for ${showMoney(price)}.` : ' without a buyer.'}`
    case 'cancelled':
      return 'It was cancelled.'
  }
}

/** An auction in prose, without countdowns or calls to action. */
export const CalmWords = ({ of: auction, back }: Readonly<{ of: OpenAuction; back: string }>): VNode => (
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
