import { invalid, Type, type JsonObject, type JsonValue } from 'pantry/data'
import type { VNode } from 'pantry/page'
import type { Static } from 'typebox'
import { Field, SessionForm } from '../../people/page/forms.tsx'
import { auctionTypes, conditions, licenses } from '../auction.ts'
import { keyed } from '../locks.ts'
import { parsePence, formatPounds } from '../money.ts'
import type { AdminAuction, SellerAuction } from '../views.ts'
import { conditionNames, licenseNames, typeNames } from './words.ts'

const Pounds = Type.Optional(Type.String({ maxLength: 12 }))
const When = Type.Optional(Type.String({ maxLength: 30 }))

/**
 * The fields of a draft as they are typed: amounts in pounds, times in UTC. `draftOf` checks amounts and seconds, and
 * the service the rest.
 */
export const DraftFields = keyed({
  sku: Type.String({ maxLength: 200 }),
  title: Type.String({ maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 5000 })),
  condition: Type.Enum(conditions),
  auction_type: Type.Enum(auctionTypes),
  starting_price: Type.String({ maxLength: 12 }),
  bid_increment: Pounds,
  reserve_price: Pounds,
  buy_now_price: Pounds,
  dutch_end_price: Pounds,
  dutch_price_drop: Pounds,
  dutch_drop_interval_seconds: Pounds,
  starts_at: When,
  ends_at: When,
  allow_best_offer: Type.Optional(Type.Boolean()),
  is_consignment: Type.Optional(Type.Boolean()),
  license: Type.Optional(Type.Enum(licenses))
})
export type DraftFields = Static<typeof DraftFields>

const optionalAmounts = [
  'bid_increment',
  'reserve_price',
  'buy_now_price',
  'dutch_end_price',
  'dutch_price_drop'
] as const
const times = ['starts_at', 'ends_at'] as const

/** Reads the text of a field; null if it was left empty. */
const valueOf = (text: string | undefined, read: (text: string) => JsonValue): JsonValue =>
  text === undefined || text.trim() === '' ? null : read(text.trim())

function secondsOf(text: string): number {
  if (/^[0-9]{1,7}$/.test(text)) return Number(text)
  throw invalid('dutch_drop_interval_seconds', 'Write a whole number of seconds, such as 600.')
}

/** Converts a time from a browser, which has no zone and may have no seconds, to ISO 8601 in UTC. */
const momentOf = (text: string): string => (text.endsWith('Z') ? text : `${text}${text.length === 16 ? ':00' : ''}Z`)

/**
 * Makes the body of a request from the fields of a draft. It also has those that were left empty, so that they are
 * cleared; only `license` and the idempotency key are left out if they are missing.
 */
export const draftOf = ({
  description = '',
  dutch_drop_interval_seconds: seconds,
  allow_best_offer = false,
  is_consignment = false,
  license,
  idempotency_key,
  ...fields
}: DraftFields): JsonObject => ({
  sku: fields.sku.trim(),
  title: fields.title.trim(),
  description: description.trim(),
  condition: fields.condition,
  auction_type: fields.auction_type,
  starting_price: parsePence('starting_price', fields.starting_price),
  ...Object.fromEntries(optionalAmounts.map(name => [name, valueOf(fields[name], text => parsePence(name, text))])),
  dutch_drop_interval_seconds: valueOf(seconds, secondsOf),
  ...Object.fromEntries(times.map(name => [name, valueOf(fields[name], momentOf)])),
  allow_best_offer,
  is_consignment,
  ...(license === undefined ? {} : { license }),
  ...(idempotency_key === undefined ? {} : { idempotency_key })
})

const pounds = (amount: Readonly<{ pence: number }> | null): string =>
  amount === null ? '' : formatPounds(amount.pence)

export const fieldsOf = (draft: SellerAuction | AdminAuction): DraftFields => ({
  sku: draft.sku,
  title: draft.title,
  description: draft.description,
  condition: draft.condition,
  auction_type: draft.auction_type,
  starting_price: pounds(draft.starting_price),
  bid_increment: pounds(draft.bid_increment),
  reserve_price: pounds(draft.reserve_price),
  buy_now_price: draft.auction_type === 'buy_now' ? '' : pounds(draft.buy_now_price),
  dutch_end_price: pounds(draft.dutch_end_price),
  dutch_price_drop: pounds(draft.dutch_price_drop),
  dutch_drop_interval_seconds: String(draft.dutch_drop_interval_seconds ?? ''),
  starts_at: draft.starts_at?.slice(0, 19) ?? '',
  ends_at: draft.ends_at?.slice(0, 19) ?? '',
  allow_best_offer: draft.allow_best_offer,
  is_consignment: draft.is_consignment,
  license: draft.license
})

type DraftFieldProps = Readonly<{ name: keyof DraftFields; label: string; of: Partial<DraftFields> }>

const Line = ({
  of,
  ...field
}: DraftFieldProps & Readonly<{ required?: boolean; maxLength: number; inputMode?: 'decimal' | 'numeric' }>): VNode => (
  <>
    <Field {...field} value={String(of[field.name] ?? '')} />
  </>
)

const Time = ({ name, label, of }: DraftFieldProps): VNode => (
  <>
    <label for={name}>{label}</label>
    <input type="datetime-local" step={1} id={name} name={name} value={String(of[name] ?? '')} />
  </>
)

const Choice = ({
  name,
  label,
  of,
  from
}: DraftFieldProps & Readonly<{ from: Readonly<Record<string, string>> }>): VNode => (
  <>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {Object.entries(from).map(([value, text]) => (
        <option value={value} selected={of[name] === value}>
          {text}
        </option>
      ))}
    </select>
  </>
)

const Checkbox = ({ name, label, of }: DraftFieldProps): VNode => (
  <label>
    <input type="checkbox" name={name} value="true" checked={of[name] === true} /> {label}
  </label>
)

type DraftFormProps = Readonly<{
  action: string
  token: string
  button: string
  of?: Partial<DraftFields>
  keyText: string
}>

/** A form with the fields of all types of auction. The user leaves those empty that the chosen type does not have. */
export const DraftForm = ({ action, token, button, of = {}, keyText }: DraftFormProps): VNode => {
  const given = { of }
  const pounds = { ...given, maxLength: 12, inputMode: 'decimal' } as const
  return (
    <SessionForm action={action} token={token} button={button}>
      <input type="hidden" name="idempotency_key" value={keyText} />
      <Line {...given} name="sku" label="SKU of the card" required maxLength={160} />
      <Line {...given} name="title" label="Title" required maxLength={160} />
      <label for="description">Description (no names, no addresses)</label>
      <textarea id="description" name="description" maxLength={4000} rows={3}>
        {of.description ?? ''}
      </textarea>
      <Choice {...given} name="condition" label="Condition" from={conditionNames} />
      <Choice {...given} name="auction_type" label="Kind" from={typeNames} />
      <Line
        {...given}
        name="starting_price"
        label="Starting price in pounds, or the price to buy now"
        required
        maxLength={12}
        inputMode="decimal"
      />
      <fieldset>
        <legend>For an English auction (all optional)</legend>
        <Line {...pounds} name="bid_increment" label="Step between bids in pounds" />
        <Line {...pounds} name="reserve_price" label="Reserve in pounds (nobody wins below it)" />
        <Line {...pounds} name="buy_now_price" label="Buy-now price in pounds" />
      </fieldset>
      <fieldset>
        <legend>For a Dutch auction</legend>
        <Line {...pounds} name="dutch_end_price" label="Lowest price in pounds" />
        <Line {...pounds} name="dutch_price_drop" label="Each drop in pounds" />
        <Line
          {...given}
          name="dutch_drop_interval_seconds"
          label="Seconds between drops"
          maxLength={7}
          inputMode="numeric"
        />
      </fieldset>
      <Time {...given} name="starts_at" label="Start (UTC); leave empty to start when you submit it" />
      <Time {...given} name="ends_at" label="End (UTC), such as 2027-01-31T18:00" />
      <Choice {...given} name="license" label="What others may do with your words" from={licenseNames} />
      <Checkbox {...given} name="allow_best_offer" label="Accept offers (only you and admins see them)" />
      <Checkbox
        {...given}
        name="is_consignment"
        label="I am selling it for somebody else (an admin approves it first)"
      />
    </SessionForm>
  )
}
