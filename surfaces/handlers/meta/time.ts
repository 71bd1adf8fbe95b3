import { Type, reply, Text } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { readClock, skewOf } from '../../playful/received.ts'

/** Returns the server's time, and its difference to the caller's clock. */
export default defineHandler({
  query: Type.Object({
    my_time: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'Your clock: ISO 8601 with a zone, or Unix milliseconds.'
      })
    )
  }),
  reply: Type.Object({
    server_time: Type.Object({
      iso: Type.String({ format: 'date-time' }),
      unix_seconds: Type.Integer(),
      unix_milliseconds: Type.Integer(),
      time_zone: Type.Literal('UTC'),
      precision_note: Text
    }),
    skew: Type.Union([
      Type.Null(),
      Type.Object({
        source: Type.Enum(['my_time', 'date_header']),
        caller_time: Type.Object({ iso: Type.String({ format: 'date-time' }), unix_milliseconds: Type.Integer() }),
        server_minus_caller_ms: Type.Integer(),
        server_minus_caller_seconds: Type.Number(),
        interpretation: Text
      })
    ]),
    skew_note: Text,
    resync_hint: Type.Object({ suggested_resync_after_seconds: Type.Integer(), rationale: Text }),
    related_surfaces: Type.Record(Text, Text),
    retention: Text
  }),
  handle({ query, headers, now, pathTo }) {
    const ours = now.getTime()
    const header = typeof headers.date === 'string' ? Date.parse(headers.date) : NaN
    const skew =
      query.my_time !== undefined
        ? skewOf('my_time', readClock(query.my_time), ours)
        : Number.isNaN(header)
          ? null
          : skewOf('date_header', header, ours)
    return reply(
      {
        server_time: {
          iso: now.toISOString(),
          unix_seconds: Math.floor(ours / 1000),
          unix_milliseconds: ours,
          time_zone: 'UTC',
          precision_note: 'The moment the request was read, to the millisecond; the answer travels after it.'
        },
        skew,
        skew_note:
          'Send your clock as `my_time`, or as a `Date` header (RFC 9110, section 6.6.1), to learn how far it is from this one.',
        resync_hint: {
          suggested_resync_after_seconds: 3600,
          rationale:
            'An ordinary computer clock drifts by a fraction of a second an hour; asking more often tells you about the network, not about the clock.'
        },
        related_surfaces: { echo: pathTo('meta/echo'), health: pathTo('health'), freshness: pathTo('rate-limits') },
        retention: 'Your clock is compared and forgotten.'
      },
      { headers: { 'Cache-Control': 'no-store' } }
    )
  }
})
