import { defineForm, Type } from 'pantry/page'
import { AcceptRequest } from '../bidding.ts'
import { ApprovalRequest } from '../listing.ts'
import { keyed, Plain } from '../locks.ts'
import { penceOf } from '../money.ts'
import { DecisionRequest, ReviewRequest, ShippedRequest } from '../trade.ts'
import { ActedShown, AuctionId, ShownAuction } from '../views.ts'
import { DraftFields, DraftForm, draftOf, mistaken } from './draft.tsx'
import { BidRefused, TextRefused } from './forms.tsx'

const params = Type.Object({ id: AuctionId })

/** The most bytes of a short form, and of one with a text. */
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
                mistake={mistaken(DraftFields.properties, why)}
              />
              <p>
                <a href={back}>Back</a>
              </p>
            </>
          )
        }
      : { seeOther: back }
})

const bids = defineForm({
  params,
  shows: { auction: ShownAuction },
  fields: keyed({ amount: Type.String({ maxLength: 40 }) }),
  limitBytes: short,
  reply: ActedShown,
  toBody: ({ amount, ...more }) => ({ ...more, amount: penceOf('amount', amount) }),
  view: ({ shown: { auction }, form: { amount }, formToken: token, sent: { data, ...why }, back }) =>
    data === undefined
      ? {
          title: 'The bid was not taken',
          main: <BidRefused of={auction} token={token} field="amount" written={amount} why={why} back={back} />
        }
      : { seeOther: back }
})

const offers = defineForm({
  params,
  shows: { auction: ShownAuction },
  fields: keyed({ offer: Type.String({ maxLength: 40 }) }),
  limitBytes: short,
  reply: ActedShown,
  toBody: ({ offer, ...more }) => ({ ...more, amount: penceOf('offer', offer) }),
  view: ({ shown: { auction }, form: { offer }, formToken: token, sent: { data, ...why }, back }) =>
    data === undefined
      ? {
          title: 'The offer was not taken',
          main: <BidRefused of={auction} token={token} field="offer" written={offer} why={why} back={back} />
        }
      : { seeOther: back }
})

const Written = Type.String({ maxLength: 4000 })

const address = defineForm({
  params,
  shows: { auction: ShownAuction },
  fields: keyed({ address: Written }),
  limitBytes: long,
  reply: ActedShown,
  view: ({ shown: { auction }, form: { address: written }, formToken: token, sent: { data, ...why }, back }) =>
    data === undefined
      ? {
          title: 'The address was not taken',
          main: <TextRefused of={auction} token={token} act="address" written={written} why={why} back={back} />
        }
      : { seeOther: back }
})

const cancel = defineForm({
  params,
  shows: { auction: ShownAuction },
  fields: keyed({ reason: Written }),
  limitBytes: long,
  reply: ActedShown,
  view: ({ shown: { auction }, form: { reason }, formToken: token, sent: { data, ...why }, back }) =>
    data === undefined
      ? {
          title: 'It was not cancelled',
          main: <TextRefused of={auction} token={token} act="cancel" written={reason} why={why} back={back} />
        }
      : { seeOther: back }
})

const dispute = defineForm({
  params,
  shows: { auction: ShownAuction },
  fields: keyed({ statement: Written }),
  limitBytes: long,
  reply: ActedShown,
  view: ({ shown: { auction }, form: { statement }, formToken: token, sent: { data, ...why }, back }) =>
    data === undefined
      ? {
          title: 'No dispute was opened',
          main: <TextRefused of={auction} token={token} act="dispute" written={statement} why={why} back={back} />
        }
      : { seeOther: back }
})

export const auctionForms = {
  edit,
  submit: defineForm({ params, title: 'Submit an auction', fields: Plain, limitBytes: short }),
  approve: defineForm({ params, title: 'Decide on a consignment', fields: ApprovalRequest, limitBytes: short }),
  cancel,
  bids,
  offers,
  accept: defineForm({ params, title: 'Take an offer', fields: AcceptRequest, limitBytes: short }),
  paid: defineForm({ params, title: 'The money has arrived', fields: Plain, limitBytes: short }),
  address,
  shipped: defineForm({ params, title: 'It was sent', fields: ShippedRequest, limitBytes: short }),
  received: defineForm({ params, title: 'It has arrived', fields: Plain, limitBytes: short }),
  review: defineForm({ params, title: 'Review a trade', fields: ReviewRequest, limitBytes: short }),
  dispute,
  decide_dispute: defineForm({ params, title: 'Decide a dispute', fields: DecisionRequest, limitBytes: short })
}
