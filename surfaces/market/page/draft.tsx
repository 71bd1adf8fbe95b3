import { invalid, Type, type JsonObject, type JsonValue } from 'pantry/data'
import type { ComponentChildren, VNode } from 'pantry/page'
import type { Static } from 'typebox'
import { OwnForm } from '../../people/page/forms.tsx'
import { auctionTypes, conditions, licenses } from '../auction.ts'
import { keyed } from '../locks.ts'
import { penceOf, poundsOf } from '../money.ts'
import type { AdminAuction, SellerAuction } from '../views.ts'
import { conditionNames, licenseNames, typeNames } from './words.ts'

/** `field` is empty if the mistake concerns the whole form. */
export type Mistaken = Readonly<{ field: string; reason: string }> | undefined

/** Returns the mistake at the field that a refusal names, if the form has that field, else above the form. */
export function mistaken(
  fields: Readonly<Record<string, unknown>>,
  { reason, details }: Readonly<{ reason: string; details: JsonObject }>
): Mistaken {
  const field = details['field']
  return { field: typeof field === 'string' && field in fields ? field : '', reason }
}

export const mistakeIn = (name: string, of: Mistaken, also = ''): Readonly<Record<string, string>> =>
  of?.field === name
    ? { 'aria-invalid': 'true', 'aria-describedby': `${name}-mistake ${also}`.trim() }
    : also === ''
      ? {}
      : { 'aria-describedby': also }

export const Mistake = ({ name, of }: Readonly<{ name: string; of: Mistaken }>): VNode | null =>
  of?.field === name ? (
    <p id={`${name}-mistake`} class="mistake" role="alert">
      <strong>{of.reason}</strong>
    </p>
  ) : null

const Written = Type.Optional(Type.String({ maxLength: 12 }))
const When = Type.Optional(Type.String({ maxLength: 30 }))

/** Amounts are in pounds, times in UTC. The surface that receives the form validates the values. */
export const DraftFields = keyed({
  sku: Type.String({ maxLength: 200 }),
  title: Type.String({ maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 5000 })),
  condition: Type.Enum([...conditions]),
  auction_type: Type.Enum([...auctionTypes]),
  starting_price: Type.String({ maxLength: 12 }),
  bid_increment: Written,
  reserve_price: Written,
  buy_now_price: Written,
  dutch_end_price: Written,
  dutch_price_drop: Written,
  dutch_drop_interval_seconds: Written,
  starts_at: When,
  ends_at: When,
  allow_best_offer: Type.Optional(Type.Boolean()),
  is_consignment: Type.Optional(Type.Boolean()),
  license: Type.Optional(Type.Enum([...licenses]))
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

/** Null if the field was left empty. */
const written = (text: string | undefined, read: (text: string) => JsonValue): JsonValue =>
  text === undefined || text.trim() === '' ? null : read(text.trim())

function secondsOf(text: string): number {
  if (/^[0-9]{1,7}$/.test(text)) return Number(text)
  throw invalid('dutch_drop_interval_seconds', 'Write a whole number of seconds, such as 600.')
}

/** Converts a time from a browser, which has no seconds or zone, to ISO 8601 in UTC. */
const momentOf = (text: string): string => (text.endsWith('Z') ? text : `${text}${text.length === 16 ? ':00' : ''}Z`)

/** The body has all fields, so that emptied ones are cleared. */
export const draftOf = ({
  sku,
  title,
  description = '',
  condition,
  auction_type: type,
  starting_price: start,
  dutch_drop_interval_seconds: seconds,
  allow_best_offer: offers = false,
  is_consignment: consigned = false,
  license,
  idempotency_key: key,
  ...fields
}: DraftFields): JsonObject => ({
  sku: sku.trim(),
  title: title.trim(),
  description: description.trim(),
  condition,
  auction_type: type,
  starting_price: penceOf('starting_price', start),
  ...Object.fromEntries(optionalAmounts.map(name => [name, written(fields[name], text => penceOf(name, text))])),
  dutch_drop_interval_seconds: written(seconds, secondsOf),
  ...Object.fromEntries(times.map(name => [name, written(fields[name], momentOf)])),
  allow_best_offer: offers,
  is_consignment: consigned,
  ...(license === undefined ? {} : { license }),
  ...(key === undefined ? {} : { idempotency_key: key })
})

const pounds = (amount: Readonly<{ pence: number }> | null): string => (amount === null ? '' : poundsOf(amount.pence))

export const fieldsOf = ({
  sku,
  title,
  description,
  condition,
  auction_type: type,
  ...draft
}: SellerAuction | AdminAuction): DraftFields => ({
  sku,
  title,
  description,
  condition,
  auction_type: type,
  starting_price: pounds(draft.starting_price),
  bid_increment: pounds(draft.bid_increment),
  reserve_price: pounds(draft.reserve_price),
  buy_now_price: type === 'buy_now' ? '' : pounds(draft.buy_now_price),
  dutch_end_price: pounds(draft.dutch_end_price),
  dutch_price_drop: pounds(draft.dutch_price_drop),
  dutch_drop_interval_seconds: String(draft.dutch_drop_interval_seconds ?? ''),
  starts_at: draft.starts_at?.slice(0, 19) ?? '',
  ends_at: draft.ends_at?.slice(0, 19) ?? '',
  allow_best_offer: draft.allow_best_offer,
  is_consignment: draft.is_consignment,
  license: draft.license
})

type Named = Readonly<{ name: keyof DraftFields; label: string; of: Partial<DraftFields>; mistake: Mistaken }>

const Labelled = ({ name, label, mistake, children }: Named & Readonly<{ children: ComponentChildren }>): VNode => (
  <>
    <label for={name}>{label}</label>
    {children}
    <Mistake name={name} of={mistake} />
  </>
)

const Line = (
  field: Named & Readonly<{ required?: boolean; most: number; inputMode?: 'decimal' | 'numeric' }>
): VNode => (
  <Labelled {...field}>
    <input
      type="text"
      inputMode={field.inputMode}
      id={field.name}
      name={field.name}
      required={field.required}
      maxLength={field.most}
      value={String(field.of[field.name] ?? '')}
      {...mistakeIn(field.name, field.mistake)}
    />
  </Labelled>
)

const Moment = (field: Named): VNode => (
  <Labelled {...field}>
    <input
      type="datetime-local"
      step={1}
      id={field.name}
      name={field.name}
      value={String(field.of[field.name] ?? '')}
      {...mistakeIn(field.name, field.mistake)}
    />
  </Labelled>
)

const Choice = ({
  from,
  ...field
}: Named & Readonly<{ from: readonly (readonly [value: string, name: string])[] }>): VNode => (
  <Labelled {...field}>
    <select id={field.name} name={field.name} {...mistakeIn(field.name, field.mistake)}>
      {from.map(([value, name]) => (
        <option value={value} selected={field.of[field.name] === value}>
          {name}
        </option>
      ))}
    </select>
  </Labelled>
)

const Tick = ({ name, label, of }: Named): VNode => (
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
  mistake?: Mistaken
}>

/** Fields that the auction type does not have stay empty. */
export const DraftForm = ({ action, token, button, of = {}, keyText, mistake }: DraftFormProps): VNode => {
  const given = { of, mistake }
  return (
    <OwnForm action={action} token={token} button={button}>
      <input type="hidden" name="idempotency_key" value={keyText} />
      <Mistake name="" of={mistake} />
      <Line {...given} name="sku" label="SKU of the card" required most={160} />
      <Line {...given} name="title" label="Title" required most={160} />
      <Labelled {...given} name="description" label="What a buyer should know: no name, no address">
        <textarea id="description" name="description" maxLength={4000} rows={3} {...mistakeIn('description', mistake)}>
          {of.description ?? ''}
        </textarea>
      </Labelled>
      <Choice {...given} name="condition" label="Condition" from={conditions.map(one => [one, conditionNames[one]])} />
      <Choice {...given} name="auction_type" label="Kind" from={auctionTypes.map(one => [one, typeNames[one]])} />
      <Line
        {...given}
        name="starting_price"
        label="Starting price in pounds, or the price to buy now"
        required
        most={12}
        inputMode="decimal"
      />
      <fieldset>
        <legend>Of an English auction, each may stay empty</legend>
        <Line {...given} name="bid_increment" label="Step between bids in pounds" most={12} inputMode="decimal" />
        <Line
          {...given}
          name="reserve_price"
          label="Reserve in pounds: below it nobody wins"
          most={12}
          inputMode="decimal"
        />
        <Line
          {...given}
          name="buy_now_price"
          label="Price in pounds that buys it at once"
          most={12}
          inputMode="decimal"
        />
      </fieldset>
      <fieldset>
        <legend>Of a Dutch auction</legend>
        <Line {...given} name="dutch_end_price" label="Falls to, in pounds" most={12} inputMode="decimal" />
        <Line {...given} name="dutch_price_drop" label="Falls by, in pounds" most={12} inputMode="decimal" />
        <Line
          {...given}
          name="dutch_drop_interval_seconds"
          label="Falls every so many seconds"
          most={7}
          inputMode="numeric"
        />
      </fieldset>
      <Moment {...given} name="starts_at" label="Begins, in UTC; empty: when you submit it" />
      <Moment {...given} name="ends_at" label="Ends, in UTC, such as 2027-01-31T18:00" />
      <Choice
        {...given}
        name="license"
        label="What others may do with your words"
        from={licenses.map(one => [one, licenseNames[one]])}
      />
      <Tick {...given} name="allow_best_offer" label="I take offers, which admins and I alone see" />
      <Tick {...given} name="is_consignment" label="I sell it for somebody else: an admin approves it first" />
    </OwnForm>
  )
}
