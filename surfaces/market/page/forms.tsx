import type { ComponentChildren, VNode } from 'pantry/page'
import { AboutField, Field, SessionForm } from '../../people/page/forms.tsx'
import { formatMoney, formatPounds, type StatedAmount } from '../money.ts'
import type { ShownAuction } from '../views.ts'
import { DraftForm, fieldsOf } from './draft.tsx'
import { outcomeNames, whatWillHappen } from './words.ts'

type Of = Readonly<{ of: ShownAuction; token: string }>
type ActProps = Of &
  Readonly<{ act: string; button: string; about?: string | undefined; harms?: boolean; children?: ComponentChildren }>

/**
 * Returns the idempotency key of the forms on a page, so that a form of one page does something once, however often it
 * is sent.
 */
const keyOf = ({ id, server_time: at }: ShownAuction): string => `${id}_${at}`

const ActForm = ({ of: auction, token, act, button, about, harms, children }: ActProps): VNode => (
  <SessionForm
    action={`/auctions/${encodeURIComponent(auction.id)}/${act}`}
    token={token}
    button={button}
    harms={harms ?? false}
    {...(about === undefined ? {} : { about })}
  >
    <input type="hidden" name="idempotency_key" value={keyOf(auction)} />
    {children}
  </SessionForm>
)

type TextareaProps = Readonly<{ name: string; label: string; maxLength: number; minLength?: number }>

const Textarea = ({ name, label, maxLength, minLength }: TextareaProps): VNode => (
  <>
    <label for={name}>{label}</label>
    <textarea id={name} name={name} required minLength={minLength} maxLength={maxLength} rows={3}></textarea>
  </>
)

type AmountProps = Readonly<{ id: string; label: string; value?: string | undefined; hintId: string }>

const AmountField = ({ hintId, ...field }: AmountProps): VNode => (
  <Field {...field} name="amount" inputMode="decimal" required maxLength={12} aria-describedby={hintId} />
)

export const BidForm = ({ of: auction, token }: Of): VNode => (
  <section>
    <h2>{auction.auction_type === 'english' ? 'Bid' : 'Buy'}</h2>
    <ul id="will-happen">
      {whatWillHappen(auction).map(one => (
        <li>{one}</li>
      ))}
    </ul>
    <ActForm
      of={auction}
      token={token}
      act="bids"
      button={auction.auction_type === 'english' ? 'Place the bid' : 'Buy'}
    >
      <AmountField
        id="amount"
        label="Amount in pounds"
        value={auction.min_next_bid === null ? undefined : formatPounds(auction.min_next_bid.pence)}
        hintId="will-happen"
      />
    </ActForm>
    {auction.allow_best_offer && (
      <ActForm of={auction} token={token} act="offers" button="Make an offer">
        <p id="of-offers">
          The seller and admins alone see an offer. It takes the place of one that you made before, and cannot be taken
          back. If the seller takes it while the auction is live, you buy it for that.
        </p>
        <AmountField id="offer" label="Offer in pounds" hintId="of-offers" />
      </ActForm>
    )}
  </section>
)

type Traded = Exclude<ShownAuction, { viewer_role: 'public' }>

/** `isDue`: whether an act in the `acts` of the auction is offered, by what has happened to the auction so far. */
type TextDefinition = Readonly<{
  field: string
  button: string
  label: (auction: Traded) => string
  least: number
  most: number
  isDue: (auction: Traded) => boolean
}>

const textForms = {
  address: {
    field: 'address',
    button: 'Give the address',
    least: 5,
    most: 1000,
    label: ({ has_address: has }) =>
      has
        ? 'Another address'
        : 'Where to send it: the seller and admins alone see it, and it is deleted 30 days after receipt',
    isDue: ({ is_sold: isSold, shipped_to_buyer_at: shipped }) => isSold && shipped === null
  },
  dispute: {
    field: 'statement',
    button: 'Open a dispute',
    least: 10,
    most: 2000,
    label: () => 'What is wrong (admins and the other side read it)',
    isDue: ({ dispute }) => dispute === null
  },
  cancel: {
    field: 'reason',
    button: 'Cancel the auction',
    least: 1,
    most: 1000,
    label: () => 'Reason to cancel',
    isDue: ({ viewer_role: role, status, is_sold: isSold, bid_count: bids }) =>
      role === 'admin' || (status === 'ended' ? isSold : status !== 'live' || bids === 0)
  }
} as const satisfies Record<string, TextDefinition>

type TextAct = keyof typeof textForms

const isDue = (act: TextAct, auction: ShownAuction): auction is Traded =>
  auction.viewer_role !== 'public' && auction.acts.includes(act) && textForms[act].isDue(auction)

const TextForm = ({ of: auction, token, act }: Of & Readonly<{ act: TextAct }>): VNode | null => {
  const { field, button, label, least, most } = textForms[act]
  return isDue(act, auction) ? (
    <ActForm
      of={auction}
      token={token}
      act={act}
      button={button}
      {...(act === 'cancel' ? { harms: true, about: auction.title } : {})}
    >
      <Textarea name={field} label={label(auction)} minLength={least} maxLength={most} />
    </ActForm>
  ) : null
}

export const TradeForms = ({ of: auction, token }: Of): VNode | null => {
  if (auction.viewer_role === 'public') return null
  const [can, given, isSold] = [new Set(auction.acts), { of: auction, token }, auction.is_sold]
  return (
    <>
      {can.has('submit') && (
        <ActForm {...given} act="submit" button="Submit">
          <p>
            Once you submit it{auction.is_consignment ? ' and an admin has approved it' : ''}, everyone can find it, and
            it can no longer be changed.
          </p>
        </ActForm>
      )}
      {can.has('edit') && 'reserve_price' in auction && (
        <section>
          <h2>Change the draft</h2>
          <DraftForm
            action={`/auctions/${encodeURIComponent(auction.id)}/edit`}
            token={token}
            button="Save the draft"
            of={fieldsOf(auction)}
            keyText={keyOf(auction)}
          />
        </section>
      )}
      {can.has('approve') && 'approval_status' in auction && auction.approval_status === 'pending' && (
        <ActForm {...given} act="approve" button="Decide">
          <label for="decision">Consignment</label>
          <select id="decision" name="decision">
            <option value="approve">Accept it</option>
            <option value="refuse">Refuse it</option>
          </select>
          <Field name="notes" label="Notes for the seller" maxLength={2000} />
        </ActForm>
      )}
      {auction.status === 'ended' && isSold && (
        <p class="note">
          The winner pays the seller directly, in a way that both agree on. An admin records the payment once the seller
          says that it has arrived.
        </p>
      )}
      <TextForm {...given} act="address" />
      {can.has('paid') && isSold && (
        <ActForm {...given} act="paid" button="Record the payment" about={auction.title} harms />
      )}
      {can.has('shipped') && auction.shipped_to_buyer_at === null && (
        <ActForm {...given} act="shipped" button="I have sent it">
          <Field name="carrier" label="Carrier" required maxLength={80} />
          <Field name="tracking_number" label="Tracking number" required maxLength={80} />
        </ActForm>
      )}
      {can.has('received') && auction.shipped_to_buyer_at !== null && auction.buyer_received_at === null && (
        <ActForm {...given} act="received" button="It has arrived" />
      )}
      {can.has('review') &&
        auction.buyer_received_at !== null &&
        !auction.reviewed_by.includes(auction.viewer_role === 'winner' ? 'winner' : 'seller') && (
          <ActForm {...given} act="review" button="Review">
            <label for="stars">Stars</label>
            <select id="stars" name="stars">
              {[5, 4, 3, 2, 1].map(stars => (
                <option>{stars}</option>
              ))}
            </select>
            <Textarea name="text" label="In words, without a name" maxLength={2000} />
          </ActForm>
        )}
      <TextForm {...given} act="dispute" />
      {can.has('decide') && (auction.dispute?.state === 'reported' || auction.dispute?.state === 'open') && (
        <ActForm {...given} act="dispute/decide" button="Decide">
          <AboutField of={auction.title} />
          <label for="outcome">Outcome</label>
          <select id="outcome" name="outcome">
            {Object.entries(outcomeNames).map(([outcome, words]) => (
              <option value={outcome}>{words}</option>
            ))}
          </select>
          <Textarea name="reason" label="Reason" maxLength={2000} />
        </ActForm>
      )}
      <TextForm {...given} act="cancel" />
    </>
  )
}

type AcceptProps = Of & Readonly<{ offer: number; amount: StatedAmount }>

export const AcceptForm = ({ of, token, offer, amount }: AcceptProps): VNode => (
  <ActForm of={of} token={token} act="accept" button="Accept" about={`${formatMoney(amount)} for ${of.title}`} harms>
    <input type="hidden" name="offer" value={String(offer)} />
  </ActForm>
)
