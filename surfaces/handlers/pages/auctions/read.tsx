import { definePage, Type } from 'pantry/page'
import { CalmWords } from '../../../market/page/auction.tsx'
import { AuctionId, ShownAuction } from '../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  shows: { auction: ShownAuction },
  view: ({ shown: { auction }, pathTo }) => ({
    title: auction.title,
    main: <CalmWords of={auction} back={pathTo('pages/auctions/auction', { id: auction.id })} />
  })
})
