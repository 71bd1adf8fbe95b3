import { definePage, Type } from 'pantry/page'
import { Refused } from '../../../../accounts/page/forms.tsx'
import { keyed } from '../../../../market/keyed.ts'
import { penceOf } from '../../../../market/money.ts'
import { ActedShown, AuctionId } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  form: { fields: keyed({ amount: Type.String({ maxLength: 12 }) }), limitBytes: 10240, reply: ActedShown, toBody: ({ amount, ...more }) => ({ ...more, amount: penceOf('amount', amount) }) },
  view: ({ params: { id }, sent: { data, reason }, pathTo }) => data === undefined ? { title: 'Bid', main: <Refused reason={reason} back={pathTo('pages/auctions/auction', { id })} /> } : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
