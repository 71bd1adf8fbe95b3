import { closed, invalid, Type } from 'pantry/data'

/** The currencies of the market. There is only one, because the limits of the tiers are in pence. */
export const currencies = ['GBP'] as const
type Currency = (typeof currencies)[number]

const maxPence = 100_000_000

export const Pence = Type.Integer({ minimum: 1, maximum: maxPence, description: 'Whole pence.' })

/** An amount that a member asks, bids or offers: never taken from a source. */
export const StatedAmount = closed(
  { pence: Type.Integer({ minimum: 0 }), currency: Type.Enum(currencies), stated_by: Type.Literal('participant') },
  {
    title: 'ParticipantStatedAmount',
    description:
      'An amount that a participant states for their own offer. It is no price of a source and no reference price.'
  }
)
export type StatedAmount = Readonly<{ pence: number; currency: Currency; stated_by: 'participant' }>

/** Makes an amount that a participant states from pence; null from null. */
export function statedAmount(pence: number, currency: Currency): StatedAmount
export function statedAmount(pence: number | null, currency: Currency): StatedAmount | null
export function statedAmount(pence: number | null, currency: Currency): StatedAmount | null {
  return pence === null ? null : { pence, currency, stated_by: 'participant' }
}

/** Formats an amount: `£12.50`. */
export const formatMoney = ({ pence, currency }: Pick<StatedAmount, 'pence' | 'currency'>): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(pence / 100)

/** Parses `12`, `12.5` or `£12.50` to pence, without rounding; 400 if it is invalid or out of range. */
export function parsePence(field: string, text: string): number {
  const [, pounds, part = ''] = /^£?\s*(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  if (pounds === undefined) throw invalid(field, 'Write an amount in pounds, such as 12.50.')
  const pence = Number(pounds) * 100 + Number(part.padEnd(2, '0'))
  if (pence < 1 || pence > maxPence)
    throw invalid(field, `Write an amount from £0.01 to ${formatMoney({ pence: maxPence, currency: 'GBP' })}.`)
  return pence
}

/** Formats pence for a form field: `12.50`. */
export const formatPounds = (pence: number): string =>
  `${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`
