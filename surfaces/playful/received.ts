import { createHash } from 'node:crypto'
import { invalid, isObject, parseStrictJson, type JsonValue } from 'pantry/data'
import { headerText, type Headers } from './read-user-agent.ts'

/**
 * Headers whose values are shown; of others only the names are. With an allowlist, new kinds of credentials are hidden
 * too.
 */
const shown = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'dnt',
  'expect',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'max-forwards',
  'pragma',
  'prefer',
  'priority',
  'range',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'sec-gpc',
  'te',
  'transfer-encoding',
  'upgrade-insecure-requests',
  'user-agent'
])
const namesLimit = 50
/** Matches words for credentials, and the beginning of a JSON Web Token (RFC 7519 §3.1: the base64url of `{"`). */
const secretName = /auth|bearer|cookie|credential|jwt|key|pass|pwd|secret|session|sig|token|eyJ/i
const withheldValue = '[withheld]'

export function describeHeaders(headers: Headers) {
  const names = Object.keys(headers)
    .filter(name => headers[name] !== undefined)
    .sort()
  const hidden = names.filter(name => !shown.has(name))
  return {
    received: Object.fromEntries(names.filter(name => shown.has(name)).map(name => [name, headerText(headers[name])])),
    withheld: {
      count: hidden.length,
      names: hidden.slice(0, namesLimit),
      reason:
        'Only headers of a fixed list are shown with their values. Credentials, cookies and what a proxy says about your address stay unsaid.'
    }
  }
}

/** Returns the query parameters. A value is withheld if it or its name suggests a credential. */
export const describeQuery = (
  query: ReadonlyMap<string, readonly string[]>
): Readonly<Record<string, string | readonly string[]>> =>
  Object.fromEntries(
    [...query].map(([name, values]) => {
      const safe = values.map(value => (secretName.test(name) || secretName.test(value) ? withheldValue : value))
      return [name, safe.length === 1 ? (safe[0] ?? '') : safe]
    })
  )

/**
 * Returns a JSON value, with the values of members withheld whose names suggest a credential; `undefined` when a text
 * or an unusual member name may itself contain one.
 */
function shownOf(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'string') return secretName.test(value) ? undefined : value
  if (Array.isArray(value)) return whole(value.map(shownOf))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, secretName.test(name) ? hidden(name) : shownOf(member ?? null)] as const
  )
  return whole(members.map(([, member]) => member)) && (Object.fromEntries(members) as JsonValue)
}

/** Returns the values; `undefined` when any of them is `undefined`. */
const whole = (values: readonly (JsonValue | undefined)[]): JsonValue[] | undefined => {
  const present = values.filter(value => value !== undefined)
  return present.length === values.length ? present : undefined
}

/** Returns what is shown instead of a credential; `undefined` when the name of the member could itself contain it. */
const hidden = (name: string): string | undefined => (/^[\w.[\]-]{1,40}$/.test(name) ? withheldValue : undefined)

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * Decodes a body; `undefined` unless it is uncompressed UTF-8 without DEL and C0 control characters other than white
 * space.
 */
function textOf(bytes: Uint8Array, headers: Headers): string | undefined {
  const coding = headerText(headers['content-encoding'])
  if (coding !== '' && coding.toLowerCase() !== 'identity') return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

type Content = Readonly<
  { kind: 'json' | 'text'; value: JsonValue } | { kind: 'empty' | 'binary' | 'withheld'; value: null }
>

const withheld: Content = { kind: 'withheld', value: null }

function contentOf(bytes: Uint8Array, headers: Headers): Content {
  if (bytes.length === 0) return { kind: 'empty', value: null }
  const text = textOf(bytes, headers)
  if (text === undefined) return { kind: 'binary', value: null }
  const json = jsonType.test(headerText(headers['content-type'])) ? parseStrictJson(bytes) : undefined
  if (json?.ok !== true) return secretName.test(text) ? withheld : { kind: 'text', value: text }
  const value = shownOf(json.value)
  return value === undefined ? withheld : { kind: 'json', value }
}

/** A length in the form of RFC 9110, section 8.6, that a number holds exactly. */
const declaredLength = /^\d{1,15}$/

/**
 * Describes a body: strict JSON that is declared as JSON by its value, other text as text, anything else by length and
 * hash alone. So is a body with a text that suggests a credential, because in forms or multipart bodies the extent of
 * the credential cannot be found reliably.
 */
export function describeBody(bytes: Uint8Array, headers: Headers) {
  const type = headerText(headers['content-type'])
  const length = headerText(headers['content-length'])
  return {
    ...contentOf(bytes, headers),
    length: bytes.length,
    sha256: bytes.length === 0 ? null : createHash('sha256').update(bytes).digest('hex'),
    declared_length: declaredLength.test(length) ? Number(length) : null,
    declared_type: type === '' ? null : type,
    note: 'JSON that is declared as such and is strict JSON is mirrored as JSON, other UTF-8 as text; anything else by its length and hash. Members of JSON whose names suggest a credential are shown without their values; a body with such a word in any other place is told by its length and hash.'
  }
}

const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/
const unixForm = /^\d{1,15}$/
/** The last millisecond that ISO 8601 can express with a four-digit year. */
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** Parses an ISO 8601 date-time with a zone, or Unix milliseconds, to milliseconds since 1970. */
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

/** Compares the clocks of the caller and the server, both in milliseconds since 1970. */
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
