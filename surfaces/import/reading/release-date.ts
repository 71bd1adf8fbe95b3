import type { JsonValue } from 'pantry/data'
import { isCalendarDate } from '../../calendar.ts'

type ReleaseDate = Readonly<{
  /** ISO 8601 calendar date. */
  on: string | null
  /** The upstream's text when it is no date. */
  note: string | null
}>

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const time = '(?:[T ].*)?'

/**
 * The accepted forms of dates. Forms that begin with the year may be followed by a time of day. `13/05/2024` is not
 * accepted, because day and month can be swapped; a declaration states their order with `format`.
 */
const forms: readonly RegExp[] = [
  new RegExp(`^(?<year>[0-9]{4})(?<separator>[-/.])(?<month>[0-9]{1,2})\\k<separator>(?<day>[0-9]{1,2})${time}$`, 'u'),
  new RegExp(`^(?<year>[0-9]{4})(?<month>[0-9]{2})(?<day>[0-9]{2})${time}$`, 'u'),
  /^(?<year>[0-9]{4})\s?年\s?(?<month>[0-9]{1,2})\s?月\s?(?<day>[0-9]{1,2})\s?日$/u,
  /^(?<day>[0-9]{1,2})\.\s?(?<month>[0-9]{1,2})\.\s?(?<year>[0-9]{4})$/u,
  /^(?<name>[a-z]{3,9})\.? (?<day>[0-9]{1,2})(?:st|nd|rd|th)?,? (?<year>[0-9]{4})$/iu,
  /^(?<day>[0-9]{1,2})(?:st|nd|rd|th)?\.? (?<name>[a-z]{3,9})\.?,? (?<year>[0-9]{4})$/iu
]

/**
 * Returns the month as a number, given a number, an English name or its first three letters; '0' when the name is
 * unknown.
 */
const monthOf = (number: string | undefined, name = ''): string =>
  number ?? String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)

/** Parses a date that an upstream wrote in one of `forms`. A day that does not exist is returned as a note. */
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
