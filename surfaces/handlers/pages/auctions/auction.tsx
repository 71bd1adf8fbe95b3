import { definePage, Type } from 'pantry/page'
import { auctionForms } from '../../../market/page/auction-forms.tsx'
import { BidForm, TradeForms } from '../../../market/page/forms.tsx'
import { AuctionFacts, BidTable, Countdown, OfferTable, TradeFacts } from '../../../market/page/auction.tsx'
import { ReportForm } from '../../../people/page/forms.tsx'
import { AuctionId, ShownAuction, ShownBids } from '../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  shows: { auction: ShownAuction, bids: ShownBids },
  forms: auctionForms,
  view: ({ shown: { auction, bids }, formToken, path }) => ({
    title: auction.title,
    main: (
      <>
        <Countdown of={auction} again={path} />
        <AuctionFacts of={auction} trust={auction.seller?.trust ?? null} />
        {auction.description !== '' && <p>{auction.description}</p>}
        <p class="note">What is offered, and each amount, is stated by participants. It is no reference price.</p>
        {auction.status === 'live' &&
          auction.viewer_role !== 'seller' &&
          (formToken === '' ? (
            <p>
              <a href="/account/sign-in">Sign in</a> to bid.
            </p>
          ) : (
            <BidForm of={auction} token={formToken} />
          ))}
        {auction.viewer_role !== 'public' && <TradeFacts of={auction} />}
        <TradeForms of={auction} token={formToken} />
        {bids.viewer_role !== 'public' && (auction.allow_best_offer || bids.offers.length > 0) && (
          <OfferTable offers={bids.offers} of={auction} token={formToken} />
        )}
        <h2>Bids</h2>
        <BidTable bids={auction.bids} />
        {auction.bid_count > auction.bids.length && (
          <p>
            These are the last {auction.bids.length} of {auction.bid_count}.{' '}
            <a href={`/api/auctions/${encodeURIComponent(auction.id)}/bids`}>All as JSON</a>
          </p>
        )}
        <p>
          <a href={`${path}/read`}>The same in calm words</a>
        </p>
        {auction.viewer_role !== 'seller' && auction.viewer_role !== 'admin' && (
          <ReportForm kind="listing" of={auction.id} token={formToken} what="this listing" />
        )}
      </>
    )
  })
})
