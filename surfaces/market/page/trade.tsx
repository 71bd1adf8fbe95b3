import { Facts, Table, type VNode } from 'pantry/page'
import type { DataOf } from 'pantry/data'
import { showMoney } from '../money.ts'
import type { AdminAuction, PrivateOffer, SellerAuction, ShownAuction, WinnerAuction } from '../views.ts'
import { AcceptForm } from './forms.tsx'
import { disputeNames, secondOf } from './words.ts'

const when = (at: string | null): string | false => at !== null && secondOf(at)

/** The progress of a trade, for its two parties and admins. */
export const TradeFacts = ({ of: auction }: Readonly<{ of: WinnerAuction | SellerAuction | AdminAuction }>): VNode => (
  <section>
    <h2>How far it is</h2>
    <Facts
      of={{
        State: auction.status,
        Seller: 'sold_by' in auction && auction.sold_by !== null && auction.sold_by.username,
        Buyer: 'buyer' in auction && auction.buyer !== null && auction.buyer.username,
        Approval: 'approval_status' in auction && auction.approval_status !== 'not_needed' && auction.approval_status,
        Reserve: 'reserve_price' in auction && auction.reserve_price !== null && showMoney(auction.reserve_price),
        'To be paid until': auction.paid_at === null && when(auction.payment_expires_at),
        'Send it to':
          'shipping_address' in auction
            ? (auction.shipping_address ?? false)
            : auction.is_sold && (auction.has_address ? 'the seller has your address' : 'please give your address'),
        Paid: when(auction.paid_at),
        Sent:
          auction.shipped_to_buyer_at !== null &&
          [secondOf(auction.shipped_to_buyer_at), auction.carrier_to_buyer, auction.tracking_to_buyer]
            .filter(one => one !== null)
            .join(', '),
        Received: when(auction.buyer_received_at),
        'Cancelled because': auction.cancel_reason !== null && auction.cancel_reason,
        Dispute:
          auction.dispute !== null &&
          `${disputeNames[auction.dispute.state]}, begun by the ${auction.dispute.by}: ${auction.dispute.statement}${auction.dispute.reason === null ? '' : ` Decision: ${auction.dispute.reason}`}`
      }}
    />
  </section>
)

/** A table of the offers, which only the seller and admins see, without the people who made them. */
export const OfferTable = ({
  offers,
  of,
  token
}: Readonly<{ offers: readonly DataOf<typeof PrivateOffer>[]; of: ShownAuction; token: string }>): VNode => (
  <Table
    caption="Offers, which the seller and admins alone see"
    none="There is no offer."
    rows={offers}
    columns={[
      { head: 'Offer', cell: ({ offer }) => String(offer) },
      { head: 'Amount', isNumber: true, cell: ({ amount }) => showMoney(amount) },
      { head: 'State', cell: ({ status }) => status },
      {
        head: '',
        cell: ({ offer, status }) =>
          status === 'active' && of.viewer_role === 'seller' && <AcceptForm of={of} token={token} offer={offer} />
      }
    ]}
  />
)
