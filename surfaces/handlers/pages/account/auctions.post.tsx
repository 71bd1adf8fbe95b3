import { definePage } from 'pantry/page'
import { Refused } from '../../../accounts/page/forms.tsx'
import { DraftFields, draftOf } from '../../../market/draft-fields.ts'
import { ActedShown } from '../../../market/views.ts'

export default definePage({
  form: { fields: DraftFields, limitBytes: 16384, reply: ActedShown, toBody: draftOf },
  view: ({ sent: { data, reason }, pathTo }) => data === undefined ? { title: 'Draft an auction', main: <Refused reason={reason} back={pathTo('pages/account/auctions')} /> } : { seeOther: pathTo('pages/auctions/auction', { id: data.auction_id }) }
})
