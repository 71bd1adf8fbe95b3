import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { DisputeRequest } from '../../../../market/trade.ts'
import { ActedShown, AuctionId } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  form: { fields: DisputeRequest, limitBytes: 10240, reply: ActedShown, toBody: fields => fields },
  view: ({ params: { id }, sent: { data, reason }, pathTo }) => data === undefined ? { title: 'Open a dispute', main: <Refused reason={reason} back={pathTo('pages/auctions/auction', { id })} /> } : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
