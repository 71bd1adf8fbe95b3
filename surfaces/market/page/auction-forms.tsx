import { defineForm, Type } from 'pantry/page'
import { AcceptRequest } from '../bidding.ts'
import { ApprovalRequest } from '../listing.ts'
import { keyed, Plain } from '../locks.ts'
import { parsePence } from '../money.ts'
import { DecisionRequest, ReviewRequest, ShippedRequest } from '../trade.ts'
import { ActedShown, AuctionId, ShownAuction } from '../views.ts'
import { DraftFields, DraftForm, draftOf, fieldErrorOf } from './draft.tsx'
import { BidRefused, TextRefused, textForms, type TextAct } from './forms.tsx'

const params = Type.Object({ id: AuctionId })

/** The most bytes of the forms of this file: `long` for those of `textForm`, `short` for all others but `edit`. */
const [short, long] = [10_240, 40_960]

const edit = defineForm({
  params,
  fields: DraftFields,
  limitBytes: 16_384,
  reply: ActedShown,
  toBody: draftOf,
  view: ({ path, form, formToken, sent: { data, ...why }, back }) =>
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
                mistake={fieldErrorOf(DraftFields.properties, why)}
              />
              <p>
                <a href={back}>Back</a>
              </p>
            </>
          )
        }
      : { seeOther: back }
})

const amountForm = (field: 'amount' | 'offer', title: string) =>
  defineForm({
    params,
    shows: { auction: ShownAuction },
    fields: keyed({ [field]: Type.String({ maxLength: 40 }) }),
    limitBytes: short,
    reply: ActedShown,
    toBody: ({ [field]: amount = '', ...more }) => ({ ...more, amount: parsePence(field, amount) }),
    view: ({ shown: { auction }, form, formToken: token, sent: { data, ...why }, back }) =>
      data === undefined
        ? {
            title,
            main: (
              <BidRefused of={auction} token={token} field={field} written={form[field] ?? ''} why={why} back={back} />
            )
          }
        : { seeOther: back }
  })

function textForm(act: TextAct, title: string) {
  const { field } = textForms[act]
  return defineForm({
    params,
    shows: { auction: ShownAuction },
    fields: keyed({ [field]: Type.String({ maxLength: 4000 }) }),
    limitBytes: long,
    reply: ActedShown,
    view: ({ shown: { auction }, form, formToken: token, sent: { data, ...why }, back }) =>
      data === undefined
        ? {
            title,
            main: <TextRefused of={auction} token={token} act={act} written={form[field] ?? ''} why={why} back={back} />
          }
        : { seeOther: back }
  })
}

export const auctionForms = {
  edit,
  submit: defineForm({ params, title: 'Submit an auction', fields: Plain, limitBytes: short }),
  approve: defineForm({ params, title: 'Decide on a consignment', fields: ApprovalRequest, limitBytes: short }),
  cancel: textForm('cancel', 'It was not cancelled'),
  bids: amountForm('amount', 'The bid was not taken'),
  offers: amountForm('offer', 'The offer was not taken'),
  accept: defineForm({ params, title: 'Take an offer', fields: AcceptRequest, limitBytes: short }),
  paid: defineForm({ params, title: 'The money has arrived', fields: Plain, limitBytes: short }),
  address: textForm('address', 'The address was not taken'),
  shipped: defineForm({ params, title: 'It was sent', fields: ShippedRequest, limitBytes: short }),
  received: defineForm({ params, title: 'It has arrived', fields: Plain, limitBytes: short }),
  review: defineForm({ params, title: 'Review a trade', fields: ReviewRequest, limitBytes: short }),
  dispute: textForm('dispute', 'No dispute was opened'),
  decide_dispute: defineForm({ params, title: 'Decide a dispute', fields: DecisionRequest, limitBytes: short })
}
