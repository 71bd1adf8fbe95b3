import { invalid, type JsonObject } from 'pantry/data'
import { isCalendarDate } from '../calendar.ts'

/**
 * Checks that the date in a path is a calendar date (ISO 8601, `YYYY-MM-DD`) and returns it. Throws for anything else,
 * such as 30 February.
 */
export function requestedDate(text: string): string {
  if (isCalendarDate(text)) return text
  throw invalid('date', `\`date\` is no calendar date: write it as YYYY-MM-DD, such as 2026-11-20.`)
}

/** Returns the members of a dated document that describe its date: it was requested, but does not select a version. */
export const datedMembers = (date: string): JsonObject => ({
  '@as_of': { iso8601_date: date, unix_epoch_seconds: Date.parse(`${date}T23:59:59Z`) / 1000 },
  as_of_scope: {
    requested_date_only: true,
    historical_price_reconstruction: false,
    historical_structure_reconstruction: false,
    structural_fields_source: 'current_catalog'
  }
})
