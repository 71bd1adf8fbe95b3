import { defineForm, Type } from 'pantry/page'
import { AcceptRequest } from '../bidding.ts'
import { ApprovalRequest } from '../listing.ts'
import { keyed, Plain } from '../locks.ts'
import { parsePence } from '../money.ts'
import { DecisionRequest, ReviewRequest, ShippedRequest } from '../trade.ts'
import { AuctionId } from '../views.ts'
import { DraftFields, draftOf } from './draft.tsx'
import { textForms, type TextAct } from './forms.tsx'

const params = Type.Object({ id: AuctionId })

/** The most bytes of the forms of this file: `long` for those of `textForm`, `short` for all others but `edit`. */
const [short, long] = [10_240, 40_960]

const edit = defineForm({
  params,
  title: 'The draft was not changed',
  done: 'The draft is saved.',
  fields: DraftFields,
  limitBytes: 16_384,
  toBody: draftOf
})

const amountForm = (title: string, done: string) =>
  defineForm({
    params,
    title,
    done,
    fields: keyed({ amount: Type.String({ maxLength: 40 }) }),
    limitBytes: short,
    toBody: ({ amount, ...more }) => ({ ...more, amount: parsePence('amount', amount) })
  })

const textForm = (act: TextAct, title: string, done: string) =>
  defineForm({
    params,
    title,
    done,
    fields: keyed({ [textForms[act].field]: Type.String({ maxLength: 4000 }) }),
    limitBytes: long
  })

export const auctionForms = {
  edit,
  submit: defineForm({
    params,
    title: 'It was not submitted',
    done: 'The auction is submitted.',
    fields: Plain,
    limitBytes: short
  }),
  approve: defineForm({
    params,
    title: 'The consignment was not decided',
    done: 'The consignment is decided.',
    fields: ApprovalRequest,
    limitBytes: short
  }),
  cancel: textForm('cancel', 'It was not cancelled', 'The auction is cancelled.'),
  bids: amountForm('The bid was not taken', 'Your bid is taken.'),
  offers: amountForm('The offer was not taken', 'Your offer is made.'),
  accept: defineForm({
    params,
    title: 'The offer was not accepted',
    done: 'The offer is accepted: the card is sold.',
    fields: AcceptRequest,
    limitBytes: short
  }),
  paid: defineForm({
    params,
    title: 'No payment was recorded',
    done: 'The payment is recorded.',
    fields: Plain,
    limitBytes: short
  }),
  address: textForm('address', 'The address was not taken', 'The seller has your address.'),
  shipped: defineForm({
    params,
    title: 'It is not marked as sent',
    done: 'It is marked as sent.',
    fields: ShippedRequest,
    limitBytes: short
  }),
  received: defineForm({
    params,
    title: 'It is not marked as received',
    done: 'It is marked as received.',
    fields: Plain,
    limitBytes: short
  }),
  review: defineForm({
    params,
    title: 'The review was not saved',
    done: 'Your review is saved.',
    fields: ReviewRequest,
    limitBytes: short
  }),
  dispute: textForm('dispute', 'No dispute was opened', 'The dispute is opened: an admin looks at it.'),
  decide_dispute: defineForm({
    params,
    title: 'The dispute was not decided',
    done: 'The dispute is decided.',
    fields: DecisionRequest,
    limitBytes: short
  })
}
