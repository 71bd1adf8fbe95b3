import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { Plain } from '../../../../market/keyed.ts'
import { ActedShown, AuctionId } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  form: { fields: Plain, limitBytes: 10240, reply: ActedShown, toBody: fields => fields },
  view: ({ params: { id }, sent: { data, reason }, pathTo }) =>
    data === undefined
      ? {
          title: 'The money has arrived',
          main: <Refused reason={reason} back={pathTo('pages/auctions/auction', { id })} />
        }
      : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
