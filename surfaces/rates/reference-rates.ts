import { SaxesParser } from 'saxes'
import { isCalendarDate } from '../calendar.ts'

/** The reference rates of one day: units of each currency per euro. */
export type ReferenceRates = Readonly<{ date: string; perEuro: ReadonlyMap<string, number> }>

const rateForm = /^\d{1,9}(?:\.\d{1,9})?$/

/**
 * Parses the daily document of the European Central Bank (`eurofxref-daily.xml`): `<Cube time="…">` around one `<Cube
 * currency="…" rate="…"/>` per currency. Throws an Error when it is malformed, has no date or several, or a rate that
 * is not a positive number.
 */
export function parseReferenceRates(xml: string): ReferenceRates {
  const parser = new SaxesParser()
  const perEuro = new Map<string, number>([['EUR', 1]])
  const dates: string[] = []
  parser.on('error', error => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('A document type is not expected.')
  })
  parser.on('opentag', ({ attributes: { time, currency, rate } }) => {
    if (time !== undefined) dates.push(time)
    if (currency === undefined) return
    const value = rateForm.test(rate ?? '') ? Number(rate) : 0
    if (value <= 0 || perEuro.has(currency)) throw new Error(`The rate of ${currency} cannot be used.`)
    perEuro.set(currency, value)
  })
  parser.write(xml).close()
  const [date = ''] = dates
  if (dates.length !== 1 || !isCalendarDate(date)) throw new Error('The document does not name one day.')
  return { date, perEuro }
}
