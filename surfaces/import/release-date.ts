import type { JsonValue } from 'pantry/data'
import { isCalendarDate } from '../calendar.ts'

type ReleaseDate = Readonly<{
  /** ISO 8601 calendar date. */
  on: string | null
  /** What the upstream wrote when it is not a date. */
  note: string | null
}>

const form = /^(?<year>[0-9]{4})(?<separator>[-/]?)(?<month>[0-9]{2})\k<separator>(?<day>[0-9]{2})(?:[T ].*)?$/u

/** Reads the dates that upstreams write: `2023-02-24`, `1999/01/09`, `19940816`, each with or without a time of day. A day that no calendar has is a note. */
export function releaseDate (value: JsonValue): ReleaseDate {
  if (value === null || typeof value === 'object') return { on: null, note: null }
  const text = String(value).trim()
  if (text === '') return { on: null, note: null }
  const { year = '', month = '', day = '' } = form.exec(text)?.groups ?? {}
  const on = `${year}-${month}-${day}`
  return isCalendarDate(on) && year > '1000' ? { on, note: null } : { on: null, note: text }
}
