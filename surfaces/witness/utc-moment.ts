import { isCalendarDate } from '../calendar.ts'

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
