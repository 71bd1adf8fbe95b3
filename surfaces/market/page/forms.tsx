import type { JsonObject } from 'pantry/data'
import { Refused, type ComponentChildren, type VNode } from 'pantry/page'
import { Field, SessionForm } from '../../people/page/forms.tsx'
import { formatPounds } from '../money.ts'
import type { ShownAuction } from '../views.ts'
import { DraftForm, fieldsOf, FieldErrorNote, errorAttributes, fieldErrorOf, type FieldError } from './draft.tsx'
import { outcomeNames, whatWillHappen } from './words.ts'

type Of = Readonly<{ of: ShownAuction; token: string }>
type ActProps = Of & Readonly<{ act: string; button: string; children?: ComponentChildren }>

/**
 * Returns the idempotency key of the forms on a page, so that a form of one page does something once, however often it
 * is sent.
 */
const keyOf = ({ id, server_time: at }: ShownAuction): string => `${id}_${at}`

const ActForm = ({ of: auction, token, act, button, children }: ActProps): VNode => (
  <SessionForm action={`/auctions/${encodeURIComponent(auction.id)}/${act}`} token={token} button={button}>
    <input type="hidden" name="idempotency_key" value={keyOf(auction)} />
    {children}
  </SessionForm>
)

type TextareaProps = Readonly<{ name: string; label: string; maxLength: number; minLength?: number }>

const Textarea = ({
  name,
  label,
  maxLength,
  minLength,
  value,
  mistake
}: TextareaProps & Readonly<{ value?: string | undefined; mistake?: FieldError }>): VNode => (
  <>
    <label for={name}>{label}</label>
    <textarea
      id={name}
      name={name}
      required
      minLength={minLength}
      maxLength={maxLength}
      rows={3}
      {...errorAttributes(name, mistake)}
    >
      {value}
    </textarea>
    <FieldErrorNote name={name} of={mistake} />
  </>
)

type AmountProps = Readonly<{
  name: string
  label: string
  value: string | undefined
  mistake: FieldError
  hintId: string
}>

const AmountField = ({ name, label, value, mistake, hintId }: AmountProps): VNode => (
  <>
    <Field
      name={name}
      label={label}
      inputMode="decimal"
      required
      maxLength={12}
      value={value}
      {...errorAttributes(name, mistake, hintId)}
    />
    <FieldErrorNote name={name} of={mistake} />
  </>
)

type Refusal = Readonly<{ mistake: FieldError; amount?: string; offer?: string }>

export const BidForm = ({
  of: auction,
  token,
  refused: { mistake, amount, offer } = { mistake: undefined }
}: Of & Readonly<{ refused?: Refusal }>): VNode => (
  <section>
    <h2>{auction.auction_type === 'english' ? 'Bid' : 'Buy'}</h2>
    <ul id="will-happen">
      {whatWillHappen(auction).map(one => (
        <li>{one}</li>
      ))}
    </ul>
    <FieldErrorNote name="" of={mistake} />
    <ActForm
      of={auction}
      token={token}
      act="bids"
      button={auction.auction_type === 'english' ? 'Place the bid' : 'Buy it'}
    >
      <AmountField
        name="amount"
        label="Amount in pounds"
        value={amount ?? (auction.min_next_bid === null ? undefined : formatPounds(auction.min_next_bid.pence))}
        mistake={mistake}
        hintId="will-happen"
      />
    </ActForm>
    {auction.allow_best_offer && (
      <ActForm of={auction} token={token} act="offers" button="Make an offer">
        <p id="of-offers">
          The seller and admins alone see an offer. It takes the place of one that you made before, and cannot be taken
          back. If the seller takes it while the auction is live, you buy it for that.
        </p>
        <AmountField name="offer" label="Offer in pounds" value={offer} mistake={mistake} hintId="of-offers" />
      </ActForm>
    )}
  </section>
)

type Refusing = Of & Readonly<{ written: string; why: Readonly<{ reason: string; details: JsonObject }>; back: string }>

/**
 * The page after a refused bid or offer: the form again with its input, if the auction is still live, else the reason
 * alone.
 */
export const BidRefused = ({
  of: auction,
  token,
  field,
  written,
  why: { reason, details },
  back
}: Refusing & Readonly<{ field: 'amount' | 'offer' }>): VNode => {
  if (auction.status !== 'live' || auction.viewer_role === 'seller') return <Refused reason={reason} back={back} />
  const named = details['field']
  return (
    <>
      <p>Nothing was sent to the seller, and nothing is bound by it.</p>
      <BidForm
        of={auction}
        token={token}
        refused={{ mistake: { field: named === 'amount' || named === field ? field : '', reason }, [field]: written }}
      />
      <p>
        <a href={back}>Back to the auction</a>
      </p>
    </>
  )
}

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

export const textForms = {
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
    label: () => 'What is wrong: admins and the other side read it',
    isDue: ({ dispute }) => dispute === null
  },
  cancel: {
    field: 'reason',
    button: 'Cancel it',
    least: 1,
    most: 1000,
    label: () => 'Reason to cancel',
    isDue: ({ viewer_role: role, status, is_sold: isSold, bid_count: bids }) =>
      role === 'admin' || (status === 'ended' ? isSold : status !== 'live' || bids === 0)
  }
} as const satisfies Record<string, TextDefinition>

export type TextAct = keyof typeof textForms

const isDue = (act: TextAct, auction: ShownAuction): auction is Traded =>
  auction.viewer_role !== 'public' && auction.acts.includes(act) && textForms[act].isDue(auction)

const TextForm = ({
  of: auction,
  token,
  act,
  written,
  mistake
}: Of & Readonly<{ act: TextAct; written?: string; mistake?: FieldError }>): VNode | null => {
  const { field, button, label, least, most } = textForms[act]
  return isDue(act, auction) ? (
    <ActForm of={auction} token={token} act={act} button={button}>
      <Textarea
        name={field}
        label={label(auction)}
        minLength={least}
        maxLength={most}
        value={written}
        mistake={mistake}
      />
    </ActForm>
  ) : null
}

/**
 * The page after a refused act with a text: the form again with its input, if the act is still offered, else the reason
 * alone.
 */
export const TextRefused = ({
  of: auction,
  token,
  act,
  written,
  why,
  back
}: Refusing & Readonly<{ act: TextAct }>): VNode => {
  if (!isDue(act, auction)) return <Refused reason={why.reason} back={back} />
  const mistake = fieldErrorOf({ [textForms[act].field]: written }, why)
  return (
    <>
      <FieldErrorNote name="" of={mistake} />
      <TextForm of={auction} token={token} act={act} written={written} mistake={mistake} />
      <p>
        <a href={back}>Back to the auction</a>
      </p>
    </>
  )
}

export const TradeForms = ({ of: auction, token }: Of): VNode | null => {
  if (auction.viewer_role === 'public') return null
  const [can, given, isSold] = [new Set(auction.acts), { of: auction, token }, auction.is_sold]
  return (
    <>
      {can.has('submit') && (
        <ActForm {...given} act="submit" button="Submit it">
          <p>
            Once you submit it{auction.is_consignment ? ' and an admin has approved it' : ''}, everyone finds it, and
            nothing of it can be changed.
          </p>
        </ActForm>
      )}
      {can.has('edit') && 'reserve_price' in auction && (
        <section>
          <h2>Change the draft</h2>
          <DraftForm
            action={`/auctions/${encodeURIComponent(auction.id)}/edit`}
            token={token}
            button="Change it"
            of={fieldsOf(auction)}
            keyText={keyOf(auction)}
          />
        </section>
      )}
      {can.has('approve') && 'approval_status' in auction && auction.approval_status === 'pending' && (
        <ActForm {...given} act="approve" button="Decide">
          <label for="decision">Consignment</label>
          <select id="decision" name="decision">
            <option value="approve">take it</option>
            <option value="refuse">refuse it</option>
          </select>
        </ActForm>
      )}
      {auction.status === 'ended' && isSold && (
        <p class="note">
          The winner pays the seller directly, in a way that both agree on. An admin records the payment once the seller
          says that it has arrived.
        </p>
      )}
      <TextForm {...given} act="address" />
      {can.has('paid') && isSold && <ActForm {...given} act="paid" button="Record the payment" />}
      {can.has('shipped') && auction.shipped_to_buyer_at === null && (
        <ActForm {...given} act="shipped" button="It was sent">
          <Field name="carrier" label="Carrier" required maxLength={80} />
          <Field name="tracking_number" label="Number of the parcel" required maxLength={80} />
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

export const AcceptForm = ({ of, token, offer }: Of & Readonly<{ offer: number }>): VNode => (
  <ActForm of={of} token={token} act="accept" button="Take it">
    <input type="hidden" name="offer" value={String(offer)} />
  </ActForm>
)
