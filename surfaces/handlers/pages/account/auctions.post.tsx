import { definePage } from 'pantry/page'
import { DraftFields, draftOf } from '../../../market/draft-fields.ts'
import { DraftForm } from '../../../market/page/draft-form.tsx'
import { mistaken } from '../../../market/page/mistake.tsx'
import { ActedShown } from '../../../market/views.ts'

export default definePage({
  form: { fields: DraftFields, limitBytes: 16384, reply: ActedShown, toBody: draftOf },
  view: ({ path, form, formToken, sent: { data, ...why }, pathTo }) =>
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
                mistake={mistaken(DraftFields.properties, why)}
              />
              <p>
                <a href={pathTo('pages/account/auctions')}>Back</a>
              </p>
            </>
          )
        }
      : { seeOther: pathTo('pages/auctions/auction', { id: data.auction_id }) }
})
