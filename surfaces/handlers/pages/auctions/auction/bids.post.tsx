import { definePage, Type } from 'pantry/page'
import { keyed } from '../../../../market/keyed.ts'
import { penceOf } from '../../../../market/money.ts'
import { BidRefused } from '../../../../market/page/forms.tsx'
import { ActedShown, AuctionId, ShownAuction } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  shows: { auction: ShownAuction },
  form: {
    fields: keyed({ amount: Type.String({ maxLength: 40 }) }),
    limitBytes: 10240,
    reply: ActedShown,
    toBody: ({ amount, ...more }) => ({ ...more, amount: penceOf('amount', amount) })
  },
  view: ({ params: { id }, shown: { auction }, form: { amount }, formToken, sent: { data, ...why }, pathTo }) =>
    data === undefined
      ? {
          title: 'The bid was not taken',
          main: (
            <BidRefused
              of={auction}
              token={formToken}
              field="amount"
              written={amount}
              why={why}
              back={pathTo('pages/auctions/auction', { id })}
            />
          )
        }
      : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
