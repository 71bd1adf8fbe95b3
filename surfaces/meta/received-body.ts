import { createHash } from 'node:crypto'
import { isObject, parseStrictJson, type JsonValue } from 'pantry/data'
import { headerText, type Headers } from '../hospitality/read-user-agent.ts'
import { secretName, withheldValue } from './received.ts'

/** A JSON value, with the value of every member withheld whose name suggests a credential. */
const redacted = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? value.map(redacted)
    : isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, secretName.test(name) ? withheldValue : redacted(member ?? null)]))
      : value

/** A name in a text, and the sign that a value follows: `token=`, `Authorization:`, `"password" :`. */
const named = /(?<![\w.-])[\w.-]+["']?\s*([=:])/g
/** A value ends with its line, and behind an equals sign with the field of a form as well. */
const values = { '=': /\s*[^&;\s]*/y, ':': /[^\r\n]*/y }

/** A text, with what follows a name withheld where the name suggests a credential. */
function redactedText (text: string): string {
  let written = ''
  let at = 0
  for (const found of text.matchAll(named)) {
    if (found.index < at || !secretName.test(found[0])) continue
    const from = found.index + found[0].length
    const value = values[found[1] === '=' ? '=' : ':']
    value.lastIndex = from
    value.test(text)
    written += `${text.slice(at, from)}${withheldValue}`
    at = value.lastIndex
  }
  return written + text.slice(at)
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** The bytes as text, when they are UTF-8 that was not packed and holds no other control character than white space. */
function textOf (bytes: Uint8Array, headers: Headers): string | undefined {
  const coding = headerText(headers['content-encoding'])
  if (coding !== '' && coding.toLowerCase() !== 'identity') return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function contentOf (bytes: Uint8Array, headers: Headers): Readonly<{ kind: 'json', value: JsonValue } | { kind: 'text', value: string } | { kind: 'empty' | 'binary', value: null }> {
  if (bytes.length === 0) return { kind: 'empty', value: null }
  const text = textOf(bytes, headers)
  if (text === undefined) return { kind: 'binary', value: null }
  const json = jsonType.test(headerText(headers['content-type'])) ? parseStrictJson(bytes) : undefined
  return json?.ok === true ? { kind: 'json', value: redacted(json.value) } : { kind: 'text', value: redactedText(text) }
}

/** What arrived as the body: JSON as JSON, other text as text, anything else by its length and hash (SHA-256, lowercase hex). */
export function describeBody (bytes: Uint8Array, headers: Headers) {
  const type = headerText(headers['content-type'])
  const length = headerText(headers['content-length'])
  return {
    ...contentOf(bytes, headers),
    length: bytes.length,
    sha256: bytes.length === 0 ? null : createHash('sha256').update(bytes).digest('hex'),
    declared_length: length === '' ? null : Number(length),
    declared_type: type === '' ? null : type,
    note: 'JSON that is declared as such and is strict JSON is mirrored as JSON, other UTF-8 as text; anything else by its length and hash. Values whose names suggest a credential are withheld.'
  }
}
