import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { AcceptRequest } from '../../../../market/bidding.ts'
import { ActedShown, AuctionId } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  form: { fields: AcceptRequest, limitBytes: 10240, reply: ActedShown, toBody: fields => fields },
  view: ({ params: { id }, sent: { data, reason }, pathTo }) =>
    data === undefined
      ? { title: 'Take an offer', main: <Refused reason={reason} back={pathTo('pages/auctions/auction', { id })} /> }
      : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
