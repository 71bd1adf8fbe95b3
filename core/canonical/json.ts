import { hash } from 'node:crypto'

/** A plain JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue }

/** A JSON Schema (draft 2020-12). The type does not check its keywords. */
export type JsonSchema = { readonly [key: string]: unknown }

/** Whether a value is an object, but neither an array nor null. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxDepth = 200

type Path = (string | number)[]

function refuse(what: string, path: Path): never {
  const pointer = path.map(token => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  throw new TypeError(
    `${what} has no canonical form (at ${pointer === '' ? 'the document itself' : `\`${pointer}\``}).`
  )
}

/** Matches text that JSON writes unchanged: printable ASCII without quotation marks and backslashes. */
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

/**
 * Sorts the keys in place by UTF-16 code units (RFC 8785 §3.2.3) and returns them. Most objects are in order, and
 * checking this is cheaper than sorting.
 */
function inOrder(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index += 1)
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.sort()
  return keys
}

function writeObject(value: object, path: Path): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) refuse('An object that is not plain data', path)
  let out = '{'
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
  if (path.length >= maxDepth) refuse(`A value nested deeper than ${maxDepth} levels`, path)
  return Array.isArray(value) ? writeArray(value, path) : writeObject(value, path)
}

/**
 * Returns the canonical text of a JSON value (RFC 8785). Only own enumerable members are written, and `toJSON` is never
 * called. Throws a TypeError with the JSON pointer of a text with an unpaired surrogate, a number that is not finite, a
 * value that is no JSON (`undefined`, an instance of a class), or a value nested deeper than 200 levels.
 */
export const canonicalize = (value: JsonValue): string => write(value, [])

/** Returns the SHA-256 of the UTF-8 bytes of a text, as 64 lowercase hex digits. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')

/** Returns the SHA-256 of the canonical text of a JSON value, as 64 lowercase hex digits. */
export const hashCanonical = (value: JsonValue): string => sha256Hex(canonicalize(value))

/** Returns a string with one character for each UTF-8 byte of a text; write it with the encoding `latin1`. */
export const byteString = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')

/**
 * Freezes a value and everything within it; of a Map, only the values are frozen. A value that is already frozen is
 * assumed to be frozen throughout.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    for (const member of value instanceof Map ? value.values() : Object.values(Object.freeze(value))) deepFreeze(member)
  return value
}
