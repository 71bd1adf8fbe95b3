import Type from 'typebox'
import { reply, type SurfaceRequest } from 'pantry/handler'
import { defineHandler } from '../../define.ts'

const Text = Type.String()

/** Headers whose values are shown. All others are named only: an allowlist cannot forget a new kind of credential. */
const shown = new Set([
  'accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'content-encoding', 'content-language', 'content-length', 'content-type',
  'date', 'dnt', 'expect', 'host', 'if-match', 'if-modified-since', 'if-none-match', 'if-unmodified-since', 'max-forwards', 'pragma', 'prefer', 'priority', 'range',
  'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site', 'sec-fetch-user', 'sec-gpc', 'te', 'transfer-encoding', 'upgrade-insecure-requests', 'user-agent'
])
const namesLimit = 50
const secretName = /auth|cookie|credential|key|pass|pwd|secret|session|sig|token/i
const withheldValue = '[withheld]'

type Headers = SurfaceRequest['headers']

const textOf = (value: Headers[string]): string => typeof value === 'string' ? value : (value ?? []).join(', ')

function headersOf (headers: Headers) {
  const names = Object.keys(headers).filter(name => headers[name] !== undefined).sort()
  const hidden = names.filter(name => !shown.has(name))
  return {
    received: Object.fromEntries(names.filter(name => shown.has(name)).map(name => [name, textOf(headers[name])])),
    withheld: {
      count: hidden.length,
      names: hidden.slice(0, namesLimit),
      reason: 'Only headers of a fixed list are shown with their values. Credentials, cookies and what a proxy says about your address stay unsaid.'
    }
  }
}

/** Query values as received; a name that was given once has a text, one given several times a list. */
const queryOf = (query: SurfaceRequest['rawQuery']): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries([...query].map(([name, values]) => {
    const safe = secretName.test(name) ? values.map(() => withheldValue) : values
    return [name, safe.length === 1 ? safe[0] ?? '' : safe]
  }))

function bodyOf (headers: Headers) {
  const type = textOf(headers['content-type'])
  const length = textOf(headers['content-length'])
  const chunked = headers['transfer-encoding'] !== undefined
  const empty = !chunked && (length === '' || Number(length) === 0)
  return {
    kind: empty ? 'empty' as const : /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type) ? 'json' as const : 'non-json' as const,
    declared_length: length === '' ? null : Number(length),
    declared_type: type === '' ? null : type,
    note: 'This surface never reads a body: what is said of it comes from the headers.'
  }
}

/** Shows a caller what arrived of its request, without what could harm it when shown. */
export default defineHandler({
  reply: Type.Object({
    method: Text,
    path: Text,
    query: Type.Record(Text, Type.Union([Text, Type.Array(Text)])),
    query_note: Text,
    headers_received: Type.Record(Text, Text),
    headers_withheld: Type.Object({ count: Type.Integer(), names: Type.Array(Text), reason: Text }),
    body_received: Type.Object({
      kind: Type.Enum(['empty', 'json', 'non-json']),
      declared_length: Type.Union([Type.Integer(), Type.Null()]),
      declared_type: Type.Union([Text, Type.Null()]),
      note: Text
    }),
    client_observation: Type.Object({ address_hash: Text, note: Text }),
    server_observation: Type.Object({ received_at: Type.String({ format: 'date-time' }) }),
    related_surfaces: Type.Record(Text, Text),
    retention: Text
  }),
  handle ({ method, path, rawQuery, headers, callerHash, now, pathTo }) {
    const { received, withheld } = headersOf(headers)
    return reply({
      method,
      path,
      query: queryOf(rawQuery),
      query_note: 'A parameter whose name suggests a credential is listed without its value. Credentials do not belong in a URL.',
      headers_received: received,
      headers_withheld: withheld,
      body_received: bodyOf(headers),
      client_observation: {
        address_hash: callerHash,
        note: 'Your address, hashed with a random salt that lives in memory and changes each UTC day; the address itself is not shown and cannot be computed back.'
      },
      server_observation: { received_at: now.toISOString() },
      related_surfaces: { time: pathTo('meta/time'), health: pathTo('health'), diagnostic: pathTo('diagnostic'), feedback: pathTo('hospitality/feedback') },
      retention: 'Nothing of the request is stored.'
    }, { headers: { 'Cache-Control': 'no-store' } })
  }
})
