import { defineForm, definePage } from 'pantry/page'
import { AuctionTable } from '../../../market/page/auction.tsx'
import { DraftFields, DraftForm, draftOf, fieldErrorOf } from '../../../market/page/draft.tsx'
import { ActedShown, AuctionList } from '../../../market/views.ts'

const draft = defineForm({
  fields: DraftFields,
  limitBytes: 16_384,
  reply: ActedShown,
  toBody: draftOf,
  view: ({ path, form, formToken, sent: { data, ...why }, back, pathTo }) =>
    data === undefined
      ? {
          title: 'Draft an auction',
          main: (
            <>
              <p class="lead">Nothing was drafted yet.</p>
              <DraftForm
                action={path}
                token={formToken}
                button="Draft it"
                of={form}
                keyText={form.idempotency_key ?? ''}
                mistake={fieldErrorOf(DraftFields.properties, why)}
              />
              <p>
                <a href={back}>Back</a>
              </p>
            </>
          )
        }
      : { seeOther: pathTo('pages/auctions/auction', { id: data.auction_id }) }
})

export default definePage({
  shows: { list: AuctionList },
  forms: { draft },
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
