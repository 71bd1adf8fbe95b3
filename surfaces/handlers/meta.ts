import { Moment, nullable, NullableText, reply, Text, Texts, Type } from 'pantry/handler'
import { defineHandler } from '../define.ts'
import { describeBody, describeHeaders, describeQuery, readClock, skewOf } from '../playful/received.ts'

/** Returns the request as it arrived, without values that may be credentials or say who the caller is. */
export const echo = defineHandler({
  bytes: { limitBytes: 16_384 },
  rawQuery: true,
  reply: Type.Object({
    method: Text,
    path: Text,
    query: Type.Record(Text, Type.Union([Text, Texts])),
    query_note: Text,
    headers_received: Type.Record(Text, Text),
    headers_withheld: Type.Object({ count: Type.Integer(), names: Texts, reason: Text }),
    body_received: Type.Object({
      kind: Type.Enum(['empty', 'json', 'text', 'binary', 'withheld']),
      value: Type.Unknown({ description: 'The body: any JSON, a text, or null.' }),
      length: Type.Integer({ minimum: 0, description: 'Bytes that arrived.' }),
      sha256: nullable(
        Type.String({ pattern: '^[0-9a-f]{64}$' }),
        'Hash of the bytes that arrived; null when there are none.'
      ),
      declared_length: nullable(Type.Integer()),
      declared_type: NullableText,
      note: Text
    }),
    client_observation: Type.Object({ address_hash: Text, note: Text }),
    server_observation: Type.Object({ received_at: Moment }),
    related_surfaces: Type.Record(Text, Text),
    retention: Text
  }),
  handle({ method, path, rawQuery, headers, bytes, callerHash, now, pathTo }) {
    const { received, withheld } = describeHeaders(headers)
    return reply(
      {
        method,
        path,
        query: describeQuery(rawQuery),
        query_note:
          'A parameter whose name or value suggests a credential is listed without its value. Credentials do not belong in a URL.',
        headers_received: received,
        headers_withheld: withheld,
        body_received: describeBody(bytes ?? new Uint8Array(), headers),
        client_observation: {
          address_hash: callerHash,
          note: 'Your address, hashed with a random salt that lives in memory and changes each UTC day; the address itself is not shown and cannot be computed back.'
        },
        server_observation: { received_at: now.toISOString() },
        related_surfaces: {
          time: pathTo('meta/time'),
          health: pathTo('health'),
          diagnostic: pathTo('diagnostic'),
          feedback: pathTo('hospitality/feedback')
        },
        retention: 'Nothing of the request is stored.'
      },
      { headers: { 'Cache-Control': 'no-store' } }
    )
  }
})

export const time = defineHandler({
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
      iso: Moment,
      unix_seconds: Type.Integer(),
      unix_milliseconds: Type.Integer(),
      time_zone: Type.Literal('UTC'),
      precision_note: Text
    }),
    skew: Type.Union([
      Type.Null(),
      Type.Object({
        source: Type.Enum(['my_time', 'date_header']),
        caller_time: Type.Object({ iso: Moment, unix_milliseconds: Type.Integer() }),
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
