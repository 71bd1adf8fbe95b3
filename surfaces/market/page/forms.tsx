import type { ComponentChildren, VNode } from 'pantry/page'
import { OwnForm } from '../../accounts/page/forms.tsx'
import { poundsOf } from '../money.ts'
import type { ShownAuction } from '../views.ts'
import { whatWillHappen } from './words.ts'

type Of = Readonly<{ of: ShownAuction, token: string }>
type ActProps = Of & Readonly<{ act: string, button: string, children?: ComponentChildren }>

/** A form of one act. Its hidden key is of the auction as the page shows it, so that sending it twice does it once. */
const ActForm = ({ of: auction, token, act, button, children }: ActProps): VNode => (
  <OwnForm action={`/auctions/${encodeURIComponent(auction.id)}/${act}`} token={token} button={button}>
    <input type="hidden" name="idempotency_key" value={`${auction.id} ${auction.updated_at}`.replaceAll(' ', '_')} />
    {children}
  </OwnForm>
)

const Line = ({ name, label, most, value }: Readonly<{ name: string, label: string, most: number, value?: string }>): VNode => (
  <><label for={name}>{label}</label><input type="text" id={name} name={name} required maxLength={most} value={value} /></>
)
const Words = ({ name, label, most }: Readonly<{ name: string, label: string, most: number }>): VNode => (
  <><label for={name}>{label}</label><textarea id={name} name={name} required maxLength={most} rows={3}></textarea></>
)

/** Bids or buys, and says first what will happen. */
export const BidForm = ({ of: auction, token }: Of): VNode => (
  <section>
    <h2>{auction.auction_type === 'english' ? 'Bid' : 'Buy'}</h2>
    <ul id="will-happen">{whatWillHappen(auction).map(one => <li>{one}</li>)}</ul>
    <ActForm of={auction} token={token} act="bids" button={auction.auction_type === 'english' ? 'Place the bid' : 'Buy it'}>
      <label for="amount">Amount in pounds</label>
      <input type="text" inputMode="decimal" id="amount" name="amount" required maxLength={12} value={auction.minimum_next_bid === null ? undefined : poundsOf(auction.minimum_next_bid.pence)} aria-describedby="will-happen" />
    </ActForm>
    {auction.allow_best_offer && <ActForm of={auction} token={token} act="offers" button="Make an offer">
      <p>An offer is seen by the seller alone. If they take it while the auction is live, you buy it for that.</p>
      <Line name="offer" label="Offer in pounds" most={12} />
    </ActForm>}
  </section>
)

/** What a party of a trade, or an admin, can do now. */
export const TradeForms = ({ of: auction, token }: Of): VNode | null => {
  if (auction.viewer_role === 'public') return null
  const [can, given] = [new Set(auction.acts), { of: auction, token }]
  const isSold = auction.is_sold
  const mayCancel = can.has('cancel') && (auction.viewer_role === 'admin' || auction.status !== 'ended' || isSold) && (auction.status !== 'live' || auction.bid_count === 0 || auction.viewer_role === 'admin')
  return (
    <>
      {can.has('submit') && <ActForm {...given} act="submit" button="Submit it" />}
      {can.has('approve') && 'approval' in auction && auction.approval === 'pending' && <ActForm {...given} act="approve" button="Decide">
        <label for="decision">Consignment</label>
        <select id="decision" name="decision"><option value="approve">take it</option><option value="refuse">refuse it</option></select>
      </ActForm>}
      {can.has('address') && isSold && auction.shipped_at === null && <ActForm {...given} act="address" button="Give the address"><Words name="address" label={auction.has_address ? 'Another address' : 'Where to send it: the seller and admins alone see it, and it is deleted 30 days after receipt'} most={1000} /></ActForm>}
      {can.has('paid') && isSold && <ActForm {...given} act="paid" button="The money has arrived" />}
      {can.has('shipped') && auction.shipped_at === null && <ActForm {...given} act="shipped" button="It was sent"><Line name="carrier" label="Carrier" most={80} /><Line name="tracking_number" label="Number of the parcel" most={80} /></ActForm>}
      {can.has('received') && auction.shipped_at !== null && auction.received_at === null && <ActForm {...given} act="received" button="It has arrived" />}
      {can.has('review') && auction.received_at !== null && !auction.reviewed_by.includes(auction.viewer_role === 'winner' ? 'winner' : 'seller') && <ActForm {...given} act="review" button="Review">
        <label for="stars">Stars</label><select id="stars" name="stars">{[5, 4, 3, 2, 1].map(stars => <option>{stars}</option>)}</select>
        <Words name="text" label="In words, without a name" most={2000} />
      </ActForm>}
      {can.has('dispute') && auction.dispute === null && <ActForm {...given} act="dispute" button="Open a dispute"><Words name="statement" label="What is wrong" most={2000} /></ActForm>}
      {can.has('decide') && (auction.dispute?.state === 'reported' || auction.dispute?.state === 'open') && <ActForm {...given} act="dispute/decide" button="Decide">
        <label for="outcome">Outcome</label>
        <select id="outcome" name="outcome">{['open', 'for_seller', 'for_buyer', 'split', 'dismissed'].map(one => <option>{one}</option>)}</select>
        <Words name="reason" label="Reason" most={2000} />
      </ActForm>}
      {mayCancel && <ActForm {...given} act="cancel" button="Cancel it"><Line name="reason" label="Reason to cancel" most={1000} /></ActForm>}
    </>
  )
}

/** Takes an offer. */
export const AcceptForm = ({ of, token, offer }: Of & Readonly<{ offer: number }>): VNode => (
  <ActForm of={of} token={token} act="accept" button="Take it"><input type="hidden" name="offer" value={String(offer)} /></ActForm>
)
