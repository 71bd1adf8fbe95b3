import { hash } from 'node:crypto'

/** A plain JSON value: the data that the stages of the framework exchange. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** One with members: no list, no text and no number. */
export type JsonObject = { readonly [key: string]: JsonValue }

/** A JSON Schema (2020-12 vocabulary, the part that is also valid draft-07). */
export type JsonSchema = { readonly [key: string]: unknown }

/** Whether a value is an object with members: not a list and not null. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maximumDepth = 200

type Path = (string | number)[]

function placeOf(path: Path): string {
  const place = path.map(token => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return place === '' ? 'the document itself' : `\`${place}\``
}

function refuse(what: string, path: Path): never {
  throw new TypeError(`${what} has no canonical form (at ${placeOf(path)}).`)
}

/**
 * Matches text that JSON writes unchanged: printable ASCII without quotes and backslashes. This is a fast path, because
 * nearly all names and values match.
 */
const plain = /^[ !#-[\]-~]*$/

function quote(text: string, path: Path): string {
  if (plain.test(text)) return `"${text}"`
  if (!text.isWellFormed()) refuse('A string with an unpaired surrogate', path)
  return JSON.stringify(text)
}

function writeArray(items: readonly unknown[], path: Path): string {
  let out = '['
  for (let index = 0; index < items.length; index += 1) {
    path.push(index)
    out += index === 0 ? write(items[index], path) : ',' + write(items[index], path)
    path.pop()
  }
  return out + ']'
}

/** Returns the keys sorted. Most objects are already in order, and checking this is cheaper than sorting. */
function inOrder(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index += 1)
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.sort()
  return keys
}

function writeObject(value: object, path: Path): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) refuse('An object that is not plain data', path)
  let out = '{'
  // `sort` compares UTF-16 code units by default, as RFC 8785 requires (§3.2.3).
  for (const key of inOrder(Object.keys(value))) {
    path.push(key)
    out += `${out === '{' ? '' : ','}${quote(key, path)}:${write((value as Record<string, unknown>)[key], path)}`
    path.pop()
  }
  return out + '}'
}

function write(value: unknown, path: Path): string {
  if (typeof value === 'string') return quote(value, path)
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(value) : refuse('A number that is not finite', path)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (value === null) return 'null'
  if (typeof value !== 'object') return refuse(`A value of the type ${typeof value}`, path)
  if (path.length >= maximumDepth) refuse(`A value nested deeper than ${maximumDepth} levels`, path)
  return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path)
}

/**
 * Returns the canonical text of a JSON value (RFC 8785): no white space, members sorted by name in UTF-16 order,
 * numbers as ECMAScript writes them. Only own enumerable members are written, and `toJSON` is never called.
 *
 * Throws a TypeError with the place (a JSON pointer) of a value that JSON cannot represent: an unpaired surrogate in a
 * name or a string, a number that is not finite, `undefined`, or an object with its own prototype; also of nesting
 * deeper than 200 levels.
 */
export function canonicalize(value: JsonValue): string {
  return write(value, [])
}

/** Returns the SHA-256 of the UTF-8 bytes of a text, as 64 lowercase hex digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** Returns the SHA-256 of the canonical text of a JSON value, as 64 lowercase hex digits. */
export function hashCanonical(value: JsonValue): string {
  return sha256Hex(canonicalize(value))
}

/**
 * Returns the UTF-8 bytes of a text as a string with one character per byte. Written as latin1, it needs no encoding,
 * its length is the number of bytes, and it can be hashed and joined like any text. ASCII text is returned unchanged.
 */
export const byteString = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')

/**
 * Freezes a value and everything within it, and returns it. A value that is already frozen is assumed to be frozen
 * throughout.
 */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const member of value instanceof Map ? value.values() : Object.values(Object.freeze(value))) frozen(member)
  }
  return value
}
