import type { VNode } from 'pantry/page'
import { OwnForm } from '../../accounts/page/forms.tsx'
import { auctionTypes, conditions } from '../row.ts'
import { conditionNames, typeNames } from './words.ts'

const Amount = ({ name, label }: Readonly<{ name: string, label: string }>): VNode => (
  <><label for={name}>{label}</label><input type="text" inputMode="decimal" id={name} name={name} maxLength={12} /></>
)

/** Drafts an auction. Amounts are written in pounds; what a kind does not have stays empty. */
export const DraftForm = ({ token }: Readonly<{ token: string }>): VNode => (
  <OwnForm action="/account/auctions" token={token} button="Draft it">
    <label for="sku">SKU of the card</label><input type="text" id="sku" name="sku" required maxLength={160} autocapitalize="none" spellcheck={false} />
    <label for="title">Title</label><input type="text" id="title" name="title" required minLength={3} maxLength={160} />
    <label for="description">What a buyer should know</label><textarea id="description" name="description" maxLength={4000} rows={3}></textarea>
    <label for="condition">Condition</label><select id="condition" name="condition">{conditions.map(one => <option value={one}>{conditionNames[one]}</option>)}</select>
    <label for="auction_type">Kind</label><select id="auction_type" name="auction_type">{auctionTypes.map(one => <option value={one}>{typeNames[one]}</option>)}</select>
    <label for="starting_price">Starting price in pounds</label><input type="text" inputMode="decimal" id="starting_price" name="starting_price" required maxLength={12} />
    <Amount name="reserve_price" label="Reserve in pounds (English)" />
    <Amount name="buy_now_price" label="Buy-now price in pounds (English)" />
    <Amount name="dutch_end_price" label="Falls to, in pounds (Dutch)" />
    <Amount name="dutch_price_drop" label="Falls by, in pounds (Dutch)" />
    <label for="dutch_drop_interval_seconds">Falls every so many seconds (Dutch)</label><input type="number" id="dutch_drop_interval_seconds" name="dutch_drop_interval_seconds" min={1} max={2_592_000} />
    <label for="ends_at">Ends, in UTC, as 2027-01-31T18:00</label><input type="datetime-local" id="ends_at" name="ends_at" required />
    <label><input type="checkbox" name="allow_best_offer" value="true" /> I take offers, which I alone see</label>
    <label><input type="checkbox" name="is_consignment" value="true" /> I sell it for somebody else: an admin approves it first</label>
  </OwnForm>
)
