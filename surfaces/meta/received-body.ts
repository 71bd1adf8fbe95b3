import { createHash } from 'node:crypto'
import { isObject, parseStrictJson, type JsonValue } from 'pantry/data'
import { headerText, type Headers } from '../hospitality/read-user-agent.ts'
import { secretName, withheldValue } from './received.ts'

/**
 * Returns what may be shown of a JSON value; `undefined` when a text or an unusual member name in it may contain a
 * credential.
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

/** Returns the list, or `undefined` when any item is missing. */
const whole = (values: readonly (JsonValue | undefined)[]): JsonValue[] | undefined => {
  const present = values.filter(value => value !== undefined)
  return present.length === values.length ? present : undefined
}

/**
 * Returns the placeholder for a member whose name suggests a credential; `undefined` when the name could itself contain
 * the credential.
 */
const hidden = (name: string): string | undefined => (/^[\w.[\]-]{1,40}$/.test(name) ? withheldValue : undefined)

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Returns the bytes as text if they are uncompressed UTF-8 without control characters other than white space. */
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

/**
 * Describes a received body: strict JSON as JSON, other text as text, anything else by length and hash (SHA-256,
 * lowercase hex). A body with a text that suggests a credential is also shown only by length and hash, because in forms
 * or multipart bodies the extent of a credential cannot be found reliably.
 */
export function describeBody(bytes: Uint8Array, headers: Headers) {
  const type = headerText(headers['content-type'])
  const length = headerText(headers['content-length'])
  return {
    ...contentOf(bytes, headers),
    length: bytes.length,
    sha256: bytes.length === 0 ? null : createHash('sha256').update(bytes).digest('hex'),
    declared_length: length === '' ? null : Number(length),
    declared_type: type === '' ? null : type,
    note: 'JSON that is declared as such and is strict JSON is mirrored as JSON, other UTF-8 as text; anything else by its length and hash. Members of JSON whose names suggest a credential are shown without their values; a body with such a word in any other place is told by its length and hash.'
  }
}
