import type { Static } from 'typebox'
import { Type, type JsonObject } from 'pantry/data'
import { keyed } from './keyed.ts'
import { penceOf } from './money.ts'
import { auctionTypes, conditions } from './row.ts'

const Written = Type.Optional(Type.String({ maxLength: 12 }))

/** The form of a draft: amounts in pounds, times in UTC. */
export const DraftFields = keyed({
  sku: Type.String({ maxLength: 160 }), title: Type.String({ maxLength: 160 }), description: Type.Optional(Type.String({ maxLength: 4000 })),
  condition: Type.Enum([...conditions]), auction_type: Type.Enum([...auctionTypes]),
  starting_price: Type.String({ maxLength: 12 }), reserve_price: Written, buy_now_price: Written, dutch_end_price: Written, dutch_price_drop: Written,
  dutch_drop_interval_seconds: Type.Optional(Type.String({ pattern: '^[0-9]{0,7}$' })), ends_at: Type.Optional(Type.String({ maxLength: 30 })),
  allow_best_offer: Type.Optional(Type.Boolean()), is_consignment: Type.Optional(Type.Boolean())
})

const amounts = new Set(['starting_price', 'reserve_price', 'buy_now_price', 'dutch_end_price', 'dutch_price_drop'])

/** What a field of the form is in the body; undefined for one that was left empty. */
function valueOf (name: string, value: string | boolean): string | number | boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value.trim() === '') return undefined
  if (amounts.has(name)) return penceOf(name, value)
  if (name === 'dutch_drop_interval_seconds') return Number(value)
  return name === 'ends_at' && !value.endsWith('Z') ? `${value}${value.length === 16 ? ':00' : ''}Z` : value
}

/** The body that the form of a draft is sent as. */
export const draftOf = (fields: Static<typeof DraftFields>): JsonObject => Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => {
  const found = valueOf(name, value)
  return found === undefined ? [] : [[name, found]]
}))
