import { counted } from 'pantry/data'
import { definePage, Type } from 'pantry/page'
import { AuctionTable } from '../../market/page/auction.tsx'
import { secondOf } from '../../market/page/words.ts'
import { AuctionList } from '../../market/views.ts'

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
          caption={`${counted(total, 'auction')} as of ${secondOf(now)}, those that end first before others`}
          none="There is no such auction."
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
