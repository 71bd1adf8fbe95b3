import { definePage, Type } from 'pantry/page'
import { DraftFields, draftOf } from '../../../../market/draft-fields.ts'
import { DraftForm } from '../../../../market/page/draft-form.tsx'
import { mistaken } from '../../../../market/page/mistake.tsx'
import { ActedShown, AuctionId } from '../../../../market/views.ts'

export default definePage({
  params: Type.Object({ id: AuctionId }),
  form: { fields: DraftFields, limitBytes: 16384, reply: ActedShown, toBody: draftOf },
  view: ({ params: { id }, path, form, formToken, sent: { data, ...why }, pathTo }) =>
    data === undefined
      ? {
          title: 'Change the draft',
          main: (
            <>
              <p class="lead">Nothing was changed.</p>
              <DraftForm
                action={path}
                token={formToken}
                button="Change it"
                of={form}
                keyText={form.idempotency_key ?? ''}
                mistake={mistaken(DraftFields.properties, why)}
              />
              <p>
                <a href={pathTo('pages/auctions/auction', { id })}>Back</a>
              </p>
            </>
          )
        }
      : { seeOther: pathTo('pages/auctions/auction', { id }) }
})
