import { definePage, Type } from 'pantry/page'
import { keyed } from '../../../../market/keyed.ts'
import { TextRefused } from '../../../../market/page/forms.tsx'
import { ActedShown, AuctionId, ShownAuction } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  shows: { auction: ShownAuction },
  form: {
    fields: keyed({ reason: Type.String({ maxLength: 4000 }) }),
    limitBytes: 40_960,
    reply: ActedShown,
    toBody: fields => fields
  },
  view: ({ params: { id }, shown: { auction }, form: { reason }, formToken, sent: { data, ...why }, pathTo }) =>
    data === undefined
      ? {
          title: 'It was not cancelled',
          main: (
            <TextRefused
              of={auction}
              token={formToken}
              act="cancel"
              written={reason}
              why={why}
              back={pathTo('pages/auctions/auction', { id })}
            />
          )
        }
      : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
