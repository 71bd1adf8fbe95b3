const dayLength = 86_400_000
const hour = 3_600_000

/** The UTC day of a moment, ISO 8601. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** The day so many days later, or earlier when `count` is negative. */
export const daysLater = (day: string, count: number): string => dayOf(new Date(Date.parse(day) + count * dayLength))

/** How many days a span has, its ends included. */
export const daysFrom = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / dayLength + 1

/** Hours between two moments, to one decimal; 0 when the second comes first. */
export const hoursBetween = (from: string, to: Date): number =>
  Math.max(0, Math.round(((to.getTime() - Date.parse(from)) / hour) * 10) / 10)

/** Hours since the end of a UTC day; 0 while the day lasts. */
export const hoursSince = (day: string, now: Date): number => hoursBetween(daysLater(day, 1), now)

const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** Whether a text is a day of the calendar, ISO 8601 (`YYYY-MM-DD`): the 30th of February is not. */
export function isCalendarDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00.000Z`)
  // A day that a month lacks is taken for one of the next month.
  return form.test(text) && !Number.isNaN(midnight.getTime()) && dayOf(midnight) === text
}

/**
 * Milliseconds between two times of the clock. A clock that was set back since then tells nothing, so all time has
 * passed.
 */
export const elapsed = (since: number, now: number): number => (now < since ? Infinity : now - since)
