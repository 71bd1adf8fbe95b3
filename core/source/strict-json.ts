import type { JsonValue } from '../canonical/json.ts'

/** The parsed value, or what is wrong, with its `offset` in bytes. */
type StrictJson = Readonly<{ ok: true; value: JsonValue } | { ok: false; message: string; offset: number }>

const whitespace = /[ \t\n\r]*/y
// RFC 8259 §7: control characters in a string must be escaped.
const unescaped = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const numeral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const constants = [
  ['true', true],
  ['false', false],
  ['null', null]
] as const

class JsonProblem extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Counts the names in a valid JSON text: each is followed by a colon outside of strings. */
function namesIn(text: string): number {
  let names = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === ':') names += 1
    if (sign !== '"') continue
    // A quote ends the string if an even number of backslashes precedes it.
    for (let slashes = 1; slashes % 2 === 1;) {
      at = text.indexOf('"', at + 1)
      for (slashes = 0; text.charAt(at - 1 - slashes) === '\\';) slashes += 1
    }
  }
  return names
}

/** Counts all members of objects within a value. Returns NaN if `Reader` must check the text instead. */
function membersIn(value: JsonValue, levels: number, hasEscapes: boolean): number {
  if (typeof value === 'string') return !hasEscapes || value.isWellFormed() ? 0 : Number.NaN
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (levels === 0) return Number.NaN
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value as JsonValue[]) members += membersIn(item, levels - 1, hasEscapes)
    return members
  }
  for (const [name, member] of Object.entries(value))
    members += 1 + membersIn(name, levels, hasEscapes) + membersIn(member, levels - 1, hasEscapes)
  return members
}

/** Parses a text with `JSON.parse`. Returns `undefined` if `Reader` must check it. */
function parseFast(text: string, maxDepth: number): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue
    // If a name occurs twice in an object, `JSON.parse` keeps one member, so the counts differ.
    return membersIn(value, maxDepth, text.includes('\\')) === namesIn(text) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Parses a text by recursive descent over the grammar of RFC 8259 §2 to §7. Each method moves `at` past what it parsed,
 * or throws a JsonProblem.
 */
class Reader {
  private readonly text: string
  private readonly maxDepth: number
  private at = 0

  constructor(text: string, maxDepth: number) {
    this.text = text
    this.maxDepth = maxDepth
  }

  document(): JsonValue {
    const value = this.value(0)
    return this.sign() === '' ? value : this.fail('More text follows the JSON value.')
  }

  private fail(message: string, at = this.at): never {
    throw new JsonProblem(message, at)
  }

  private value(depth: number): JsonValue {
    const sign = this.sign()
    if (sign === '"') return this.string()
    if (sign === '{' || sign === '[') {
      if (depth === this.maxDepth) this.fail(`Values are nested deeper than ${this.maxDepth} levels.`)
      return sign === '{' ? this.object(depth + 1) : this.array(depth + 1)
    }
    for (const [word, constant] of constants) {
      if (!this.text.startsWith(word, this.at)) continue
      this.at += word.length
      return constant
    }
    return this.number()
  }

  private object(depth: number): JsonValue {
    const members: Record<string, JsonValue> = {}
    this.at += 1
    if (this.takes('}')) return members
    do {
      if (this.sign() !== '"') this.fail('Expected a name in double quotes.')
      const start = this.at
      const name = this.string()
      if (Object.hasOwn(members, name))
        this.fail(`The name ${JSON.stringify(name.slice(0, 80))} occurs twice in an object.`, start)
      if (!this.takes(':')) this.fail('Expected `:` after a name.')
      const value = this.value(depth)
      // Assigning a member `__proto__` would set the prototype instead.
      if (name === '__proto__')
        Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true })
      else members[name] = value
    } while (this.takes(','))
    if (!this.takes('}')) this.fail('Expected `,` or `}` after a member.')
    return members
  }

  private array(depth: number): JsonValue {
    const items: JsonValue[] = []
    this.at += 1
    if (this.takes(']')) return items
    do items.push(this.value(depth))
    while (this.takes(','))
    if (!this.takes(']')) this.fail('Expected `,` or `]` after an item.')
    return items
  }

  private string(): string {
    const start = this.at
    this.at += 1
    this.skip(unescaped)
    if (this.text.charAt(this.at) === '"') return this.text.slice(start + 1, this.at++)
    while (this.text.charAt(this.at) === '\\') {
      if (!this.skip(escape)) this.fail('A backslash in a string starts none of the escapes of JSON.')
      this.skip(unescaped)
    }
    if (this.at >= this.text.length) this.fail('A string does not end.', start)
    if (this.text.charAt(this.at) !== '"') this.fail('A control character in a string must be escaped.')
    this.at += 1
    const value = JSON.parse(this.text.slice(start, this.at)) as string
    // Only an escape can produce an unpaired surrogate, because UTF-8 has none.
    if (!value.isWellFormed()) this.fail('A string holds an unpaired surrogate.', start)
    return value
  }

  private number(): number {
    const start = this.at
    if (!this.skip(numeral)) this.fail('Expected a JSON value.')
    const written = this.text.slice(start, this.at)
    const value = Number(written)
    if (!Number.isFinite(value)) this.fail('A number is too large for a 64-bit float.', start)
    if (/^[0-9-]+$/.test(written) && !Number.isSafeInteger(value))
      this.fail('An integer lies outside ±9007199254740991.', start)
    return value
  }

  /** Returns the next character that is not white space; empty at the end. */
  private sign(): string {
    this.skip(whitespace)
    return this.text.charAt(this.at)
  }

  private takes(sign: string): boolean {
    if (this.sign() !== sign) return false
    this.at += 1
    return true
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    const matched = pattern.test(this.text)
    if (matched) this.at = pattern.lastIndex
    return matched
  }
}

/**
 * Returns the offset of the first byte that is not valid UTF-8: where decoding put a U+FFFD that the bytes do not
 * contain.
 */
export function invalidAt(bytes: Uint8Array): number {
  const [first = '', ...rest] = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\ufffd')
  let offset = Buffer.byteLength(first)
  for (const part of rest) {
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) break
    offset += 3 + Buffer.byteLength(part)
  }
  return offset
}

/**
 * Parses bytes as exactly one JSON value (RFC 8259) under the rules of I-JSON (RFC 7493 §2): valid UTF-8, no byte order
 * mark, no name twice in an object, no unpaired surrogate, no number that overflows, no integer outside ±(2^53 − 1)
 * unless it is written with a fraction or an exponent, and at most `maxDepth` nested arrays and objects. `__proto__` is
 * a name like any other.
 */
export function parseStrictJson(bytes: Uint8Array, { maxDepth = 64 }: { maxDepth?: number } = {}): StrictJson {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { ok: false, message: 'The text is not valid UTF-8.', offset: invalidAt(bytes) }
  }
  if (text.startsWith('\ufeff')) return { ok: false, message: 'The text starts with a byte order mark.', offset: 0 }
  const value = parseFast(text, maxDepth)
  if (value !== undefined) return { ok: true, value }
  try {
    return { ok: true, value: new Reader(text, maxDepth).document() }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    return { ok: false, message: error.message, offset: Buffer.byteLength(text.slice(0, error.at)) }
  }
}
