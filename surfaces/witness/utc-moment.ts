import { isCalendarDate } from '../calendar.ts'

const form = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/**
 * A moment as RFC 3339 §5.6 writes it (four digits of year, an explicit zone, at most nine digits of a second), as ISO
 * 8601 in UTC with milliseconds; what is finer is cut off. `undefined` for any other text, for a day or an hour that
 * does not exist, for a leap second, which UTC milliseconds cannot say, and where the year in UTC is not 0001 to 9999.
 */
export function utcMoment(text: string): string | undefined {
  const [matched, day = '', hour, minute, second, fraction = '', sign = '+', zoneHour = '0', zoneMinute = '0'] =
    form.exec(text) ?? []
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
