import { hash } from 'node:crypto'
import type { JsonValue } from './json.ts'

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
 * What JSON writes unchanged: printable ASCII without quote and backslash. Nearly all names and values are, and need no
 * more.
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

/** Sorting allocates more than a small object is worth; most are written in order. */
function inOrder(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index += 1)
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) return keys.sort()
  return keys
}

function writeObject(value: object, path: Path): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) refuse('An object that is not plain data', path)
  let out = '{'
  // The default order of `sort` compares UTF-16 code units, which is the order the RFC asks for (§3.2.3).
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
 * The canonical text of a JSON value (RFC 8785): no white space, members in UTF-16 order of their names, numbers as
 * ECMAScript writes them. Only own enumerable members count and `toJSON` never runs.
 *
 * Throws a TypeError that names the place (a JSON pointer) of what JSON cannot carry: an unpaired surrogate in a name
 * or a string, a number that is not finite, `undefined`, an object with a prototype of its own, or nesting deeper than
 * 200.
 */
export function canonicalize(value: JsonValue): string {
  return write(value, [])
}

/** SHA-256 of the UTF-8 bytes of a text, as 64 lowercase hex digits. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex')
}

/** SHA-256 of the canonical text of a JSON value, as 64 lowercase hex digits. */
export function hashCanonical(value: JsonValue): string {
  return sha256Hex(canonicalize(value))
}
