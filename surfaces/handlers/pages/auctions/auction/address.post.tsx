import { definePage, Type } from 'pantry/page'
import { keyed } from '../../../../market/keyed.ts'
import { TextRefused } from '../../../../market/page/forms.tsx'
import { ActedShown, AuctionId, ShownAuction } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  shows: { auction: ShownAuction },
  form: {
    fields: keyed({ address: Type.String({ maxLength: 4000 }) }),
    limitBytes: 40_960,
    reply: ActedShown,
    toBody: fields => fields
  },
  view: ({ params: { id }, shown: { auction }, form: { address }, formToken, sent: { data, ...why }, pathTo }) =>
    data === undefined
      ? {
          title: 'The address was not taken',
          main: (
            <TextRefused
              of={auction}
              token={formToken}
              act="address"
              written={address}
              why={why}
              back={pathTo('pages/auctions/auction', { id })}
            />
          )
        }
      : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
