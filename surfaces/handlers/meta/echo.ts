import { Type, nullable, NullableText, reply, Text } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { describeBody, describeHeaders, describeQuery } from '../../playful/received.ts'

/** Returns the request as it arrived, without values that would be harmful to show. */
export default defineHandler({
  bytes: { limitBytes: 16_384 },
  reply: Type.Object({
    method: Text,
    path: Text,
    query: Type.Record(Text, Type.Union([Text, Type.Array(Text)])),
    query_note: Text,
    headers_received: Type.Record(Text, Text),
    headers_withheld: Type.Object({ count: Type.Integer(), names: Type.Array(Text), reason: Text }),
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
    server_observation: Type.Object({ received_at: Type.String({ format: 'date-time' }) }),
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
