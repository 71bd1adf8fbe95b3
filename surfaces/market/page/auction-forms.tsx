import { defineForm, Type } from 'pantry/page'
import { AcceptRequest } from '../bidding.ts'
import { ApprovalRequest, CancelRequest } from '../listing.ts'
import { keyed, Plain } from '../locks.ts'
import { parsePence } from '../money.ts'
import { AddressRequest, DecisionRequest, DisputeRequest, ReviewRequest, ShippedRequest } from '../trade.ts'
import { AuctionId } from '../views.ts'
import { DraftFields, draftOf } from './draft.tsx'

const params = Type.Object({ id: AuctionId })

const edit = defineForm({
  params,
  title: 'The draft was not changed',
  done: 'The draft is saved.',
  fields: DraftFields,
  toBody: draftOf
})

const amountForm = (title: string, done: string) =>
  defineForm({
    params,
    title,
    done,
    fields: keyed({ amount: Type.String({ maxLength: 40 }) }),
    toBody: ({ amount, ...more }) => ({ ...more, amount: parsePence('amount', amount) })
  })

export const auctionForms = {
  edit,
  submit: defineForm({ params, title: 'It was not submitted', done: 'The auction is submitted.', fields: Plain }),
  approve: defineForm({
    params,
    title: 'The consignment was not decided',
    done: 'The consignment is decided.',
    fields: ApprovalRequest
  }),
  cancel: defineForm({
    params,
    title: 'It was not cancelled',
    fields: CancelRequest,
    done: 'The auction is cancelled.'
  }),
  bids: amountForm('The bid was not taken', 'Your bid is taken.'),
  offers: amountForm('The offer was not taken', 'Your offer is made.'),
  accept: defineForm({
    params,
    title: 'The offer was not accepted',
    done: 'The offer is accepted: the card is sold.',
    fields: AcceptRequest
  }),
  paid: defineForm({ params, title: 'No payment was recorded', done: 'The payment is recorded.', fields: Plain }),
  address: defineForm({
    params,
    title: 'The address was not taken',
    fields: AddressRequest,
    done: 'The seller has your address.'
  }),
  shipped: defineForm({
    params,
    title: 'It is not marked as sent',
    done: 'It is marked as sent.',
    fields: ShippedRequest
  }),
  received: defineForm({
    params,
    title: 'It is not marked as received',
    done: 'It is marked as received.',
    fields: Plain
  }),
  review: defineForm({
    params,
    title: 'The review was not saved',
    done: 'Your review is saved.',
    fields: ReviewRequest
  }),
  dispute: defineForm({
    params,
    title: 'No dispute was opened',
    fields: DisputeRequest,
    done: 'The dispute is opened: an admin looks at it.'
  }),
  decide_dispute: defineForm({
    params,
    title: 'The dispute was not decided',
    done: 'The dispute is decided.',
    fields: DecisionRequest
  })
}
