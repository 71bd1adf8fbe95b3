import type { Static } from 'typebox'
import { invalid, Type, type JsonObject, type JsonValue } from 'pantry/data'
import { keyed } from './keyed.ts'
import { penceOf, poundsOf } from './money.ts'
import { auctionTypes, conditions, licenses } from './row.ts'
import type { AdminAuction, SellerAuction } from './views.ts'

const Written = Type.Optional(Type.String({ maxLength: 12 }))
const When = Type.Optional(Type.String({ maxLength: 30 }))

/**
 * The fields of the draft form: amounts in pounds, times in UTC. The surface that receives the form validates the
 * values.
 */
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

/** Reads a form value; null if the field was left empty. */
const written = (text: string | undefined, read: (text: string) => JsonValue): JsonValue =>
  text === undefined || text.trim() === '' ? null : read(text.trim())

function secondsOf(text: string): number {
  if (/^[0-9]{1,7}$/.test(text)) return Number(text)
  throw invalid('dutch_drop_interval_seconds', 'Write a whole number of seconds, such as 600.')
}

/** Converts a time from a browser, which has no seconds or zone, to ISO 8601 in UTC. */
const momentOf = (text: string): string => (text.endsWith('Z') ? text : `${text}${text.length === 16 ? ':00' : ''}Z`)

/** Converts the draft form to a request body with all fields, so that emptied fields are cleared. */
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

/** Converts a draft to the fields of its form. */
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
