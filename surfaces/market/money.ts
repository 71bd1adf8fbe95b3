import { closed, Type } from 'pantry/data'

/** Currencies that members trade in: one, because the limits of tiers are in it. */
export const currencies = ['GBP'] as const
export type Currency = typeof currencies[number]

/** The most that anything costs, in pence. */
export const mostPence = 100_000_000

/** An amount that somebody states: whole pence, never a fraction. */
export const Pence = Type.Integer({ minimum: 1, maximum: mostPence, description: 'Whole pence.' })

/** What a member asks, bids or offers: their own statement, never taken from a source. */
export const Stated = closed({ pence: Type.Integer({ minimum: 0 }), currency: Type.Enum([...currencies]), stated_by: Type.Literal('participant') }, {
  title: 'ParticipantStatedAmount', description: 'An amount that a participant states for their own offer. It is no price of a source and no reference price.'
})
export type Stated = Readonly<{ pence: number, currency: Currency, stated_by: 'participant' }>

/** An amount of a row, as it is shown; null where there is none. */
export function stated (pence: number, currency: Currency): Stated
export function stated (pence: number | null, currency: Currency): Stated | null
export function stated (pence: number | null, currency: Currency): Stated | null {
  return pence === null ? null : { pence, currency, stated_by: 'participant' }
}

/** An amount in words: `£12.50`. */
export const showMoney = ({ pence, currency }: Pick<Stated, 'pence' | 'currency'>): string => new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(pence / 100)
