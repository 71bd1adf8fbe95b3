import { counted } from 'pantry/data'
import { definePage, Type } from 'pantry/page'
import { auctionForms } from '../../market/page/auction-forms.tsx'
import {
  AuctionFacts,
  AuctionTable,
  BidTable,
  CalmWords,
  Countdown,
  OfferTable,
  TradeFacts
} from '../../market/page/auction.tsx'
import { BidForm, TradeForms } from '../../market/page/forms.tsx'
import { formatSecond } from '../../market/page/words.ts'
import { AuctionId, AuctionList, ShownAuction, ShownBids } from '../../market/views.ts'
import { ReportForm } from '../../people/page/forms.tsx'
import { leadingTo } from '../../people/page/next.tsx'

const choices = ['live', 'scheduled', 'ended'] as const

export default definePage({
  query: Type.Object({
    status: Type.Optional(Type.String({ maxLength: 160, description: 'One of `live`, `scheduled`, `ended`.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'How many to pass over.' }))
  }),
  shows: { list: AuctionList },
  view: ({
    shown: {
      list: { auctions, total, limit, offset, server_time: now }
    },
    query: { status },
    path
  }) => ({
    title: 'Auctions',
    main: (
      <>
        <p class="lead">
          Members offer cards to each other. Amounts are what they state themselves: they are no reference price, and
          they come from no source of prices.
        </p>
        <p>
          {[...choices, undefined].map(one => (
            <>
              <a
                href={one === undefined ? path : `${path}?status=${one}`}
                {...(status === one ? { 'aria-current': 'page' as const } : {})}
              >
                {one ?? 'all'}
              </a>
              {one === undefined ? '' : ' · '}
            </>
          ))}
        </p>
        <AuctionTable
          auctions={auctions}
          now={now}
          caption={`${counted(total, 'auction')} as of ${formatSecond(now)}, ending soonest first`}
          none="No auctions yet."
        />
        {offset + limit < total && (
          <p>
            <a
              href={`${path}?${status === undefined ? '' : `status=${encodeURIComponent(status)}&`}offset=${offset + limit}`}
            >
              More
            </a>
          </p>
        )}
        <p>
          To sell or bid, open <a href="/account">your account</a>.
        </p>
      </>
    )
  })
})

export const auction = definePage({
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
              <a href={leadingTo('/account/sign-in', path)}>Sign in</a> to bid.
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
          <a href={`${path}/read`}>The same in plain sentences</a>
        </p>
        {auction.viewer_role !== 'seller' && auction.viewer_role !== 'admin' && (
          <ReportForm kind="listing" of={auction.id} token={formToken} what="this listing" at={path} />
        )}
      </>
    )
  })
})

export const read = definePage({
  params: Type.Object({ id: AuctionId }),
  shows: { auction: ShownAuction },
  view: ({ shown: { auction }, pathTo }) => ({
    title: auction.title,
    main: <CalmWords of={auction} back={pathTo('pages/auctions/auction', { id: auction.id })} />
  })
})
