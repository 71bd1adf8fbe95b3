import type { ComponentChildren, VNode } from 'pantry/page'
import { OwnForm } from '../../accounts/page/forms.tsx'
import type { DraftFields } from '../draft-fields.ts'
import { auctionTypes, conditions, licenses } from '../row.ts'
import { Mistake, mistakeIn, type Mistaken } from './mistake.tsx'
import { conditionNames, licenseNames, typeNames } from './words.ts'

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

/**
 * The form that creates or changes a draft. Amounts are in pounds; fields that the auction type does not have stay
 * empty.
 */
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
