import type { JsonValue } from 'pantry/data'
import { isCalendarDate } from '../../calendar.ts'

type ReleaseDate = Readonly<{
  /** ISO 8601 calendar date. */
  on: string | null
  /** What the upstream wrote when it is not a date. */
  note: string | null
}>

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const time = '(?:[T ].*)?'

/**
 * The forms of dates, each with or without a time of day behind it where it begins with the year. `13/05/2024` is none:
 * which of the two is the month is the upstream's habit, so a declaration says it with `format`.
 */
const forms: readonly RegExp[] = [
  new RegExp(`^(?<year>[0-9]{4})(?<separator>[-/.])(?<month>[0-9]{1,2})\\k<separator>(?<day>[0-9]{1,2})${time}$`, 'u'),
  new RegExp(`^(?<year>[0-9]{4})(?<month>[0-9]{2})(?<day>[0-9]{2})${time}$`, 'u'),
  /^(?<year>[0-9]{4})\s?年\s?(?<month>[0-9]{1,2})\s?月\s?(?<day>[0-9]{1,2})\s?日$/u,
  /^(?<day>[0-9]{1,2})\.\s?(?<month>[0-9]{1,2})\.\s?(?<year>[0-9]{4})$/u,
  /^(?<name>[a-z]{3,9})\.? (?<day>[0-9]{1,2})(?:st|nd|rd|th)?,? (?<year>[0-9]{4})$/iu,
  /^(?<day>[0-9]{1,2})(?:st|nd|rd|th)?\.? (?<name>[a-z]{3,9})\.?,? (?<year>[0-9]{4})$/iu
]

/** A month by its number, or by its English name or the first three letters of that; empty when it is none. */
const monthOf = (number: string | undefined, name = ''): string =>
  number ?? String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)

/** Reads the dates that upstreams write, as `forms` has them. A day that no calendar has is a note. */
export function releaseDate(value: JsonValue): ReleaseDate {
  if (value === null || typeof value === 'object') return { on: null, note: null }
  const text = String(value).trim()
  if (text === '') return { on: null, note: null }
  const {
    year = '',
    month,
    name,
    day = ''
  } = forms.map(form => form.exec(text)?.groups).find(groups => groups !== undefined) ?? {}
  const on = [year, monthOf(month, name).padStart(2, '0'), day.padStart(2, '0')].join('-')
  return isCalendarDate(on) && year > '1000' ? { on, note: null } : { on: null, note: text }
}
