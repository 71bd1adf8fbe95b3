import { invalid } from 'pantry/data'

const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const unixForm = /^\d{1,15}$/
/** The last millisecond that ISO 8601 can express with a four-digit year. */
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** Parses a client's time, an ISO 8601 date-time with a zone or Unix milliseconds, to milliseconds since 1970. */
export function readClock(text: string): number {
  const value = unixForm.test(text) ? Number(text) : isoForm.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(value) || value > latest) {
    throw invalid(
      'my_time',
      'Write `my_time` as an ISO 8601 date-time with its zone (`+` percent-encoded as `%2B`), or as Unix milliseconds.'
    )
  }
  return value
}

/** Returns the difference between the client's clock and the server's, both in milliseconds since 1970. */
export function skewOf(source: 'my_time' | 'date_header', theirs: number, ours: number) {
  const difference = ours - theirs
  const direction = difference > 0 ? 'behind' : 'ahead of'
  return {
    source,
    caller_time: { iso: new Date(theirs).toISOString(), unix_milliseconds: theirs },
    server_minus_caller_ms: difference,
    server_minus_caller_seconds: difference / 1000,
    interpretation:
      difference === 0
        ? 'Both clocks agree.'
        : `Your clock is ${Math.abs(difference) / 1000} s ${direction} this server, travel time of the request included.`
  }
}
