const dayLength = 86_400_000
const hour = 3_600_000

/** Returns the UTC date of a moment (ISO 8601). */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** Returns the date `count` days later, or earlier if `count` is negative. */
export const daysLater = (day: string, count: number): string => dayOf(new Date(Date.parse(day) + count * dayLength))

/** Returns the number of days from the first to the last date, both included. */
export const daysFrom = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / dayLength + 1

/** Returns the hours between two moments, rounded to one decimal; 0 if the second is earlier. */
export const hoursBetween = (from: string, to: Date): number =>
  Math.max(0, Math.round(((to.getTime() - Date.parse(from)) / hour) * 10) / 10)

/** Returns the hours since the end of a UTC date; 0 until it ends. */
export const hoursSince = (day: string, now: Date): number => hoursBetween(daysLater(day, 1), now)

const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** Whether a text is an existing date in the form `YYYY-MM-DD` (ISO 8601); the 30th of February is not. */
export function isCalendarDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00.000Z`)
  // `Date` turns a date that does not exist in a month into one of the next month.
  return form.test(text) && !Number.isNaN(midnight.getTime()) && dayOf(midnight) === text
}

/**
 * Returns the milliseconds between two clock readings. `Infinity` if the clock was set back in between, since the true
 * time is unknown.
 */
export const elapsed = (since: number, now: number): number => (now < since ? Infinity : now - since)

const momentForm = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/**
 * Converts a time in the form of RFC 3339 §5.6 (four-digit year, explicit zone, at most nine decimals of a second) to
 * ISO 8601 in UTC with milliseconds, cutting off finer parts. `undefined` for any other text, for a day or hour that
 * does not exist, for a leap second, which cannot be expressed in UTC milliseconds, and for a year outside 0001 to 9999
 * in UTC.
 */
export function utcMoment(text: string): string | undefined {
  const [matched, day = '', hour, minute, second, fraction = '', sign = '+', zoneHour = '0', zoneMinute = '0'] =
    momentForm.exec(text) ?? []
  if (matched === undefined || !isCalendarDate(day)) return undefined
  if (
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59 ||
    Number(zoneHour) > 23 ||
    Number(zoneMinute) > 59
  )
    return undefined
  const date = new Date(day)
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1)
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  const utcYear = date.getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999 ? date.toISOString() : undefined
}
