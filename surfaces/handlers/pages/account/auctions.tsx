import { definePage } from 'pantry/page'
import { DraftForm } from '../../../market/page/draft-form.tsx'
import { AuctionTable } from '../../../market/page/sheet.tsx'
import { AuctionList } from '../../../market/views.ts'

export default definePage({
  shows: { list: AuctionList },
  view: ({
    shown: {
      list: { auctions, total, server_time: now }
    },
    formToken,
    path
  }) => ({
    title: 'Your auctions',
    main: (
      <>
        <p class="lead">What you sell, have won or bid on. A draft is yours alone until you submit it on its page.</p>
        <AuctionTable auctions={auctions} now={now} caption={`${total} of yours`} none="You have no auction." />
        <h2>A new draft</h2>
        <DraftForm action={path} token={formToken} button="Draft it" keyText={`draft_${now}`} />
      </>
    )
  })
})
