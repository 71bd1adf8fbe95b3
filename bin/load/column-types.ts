import type { JsonValue } from '../../core/canonical/json.ts'
import { quotedList } from '../../core/diagnostics/diagnostic.ts'
import { UsageError } from '../config.ts'

const whole = /^-?(?:0|[1-9]\d{0,17})$/
const decimal = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/
const day = /^\d{4}-\d{2}-\d{2}$/
/** A time with its offset from UTC (RFC 3339 §5.6). */
const moment = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/

const localMoment = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?$/

const isDay = (text: string): boolean => {
  if (!day.test(text) || text.startsWith('0000')) return false
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}
const significant = (text: string): number => text.replace(/^-?0?\.?0*/, '').replace('.', '').length

/** For each type of a column, which texts it can hold without a loss. A number with a leading zero is a text. */
const holds: Readonly<Record<string, (text: string) => boolean>> = {
  boolean: text => text === 'true' || text === 'false',
  integer: text => whole.test(text) && Math.abs(Number(text)) < 2 ** 31,
  bigint: text => whole.test(text),
  'double precision': text => decimal.test(text) && significant(text) <= 15,
  date: isDay,
  'timestamp with time zone': text => moment.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}

/** Types that are inferred for no text, but that existing columns or typed files have, and which texts they hold. */
const others: typeof holds = {
  'timestamp without time zone': text => localMoment.test(text) && isDay(text.slice(0, 10)),
  smallint: text => whole.test(text) && Math.abs(Number(text)) < 2 ** 15,
  real: text => decimal.test(text),
  numeric: text => /^-?\d+(?:\.\d+)?$/.test(text),
  uuid: text => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** Types that can be stated. Nested values alone are `jsonb`: of a text nobody knows whether it is JSON or a text. */
const statable: readonly string[] = [...Object.keys(holds), ...Object.keys(others), 'text']

/**
 * Reads the stated types of columns, each as `column=type`. Throws a UsageError for one that is not of this form, or
 * names no type.
 */
export function statedTypes(texts: readonly string[]): ReadonlyMap<string, string> {
  const stated = new Map<string, string>()
  for (const text of texts) {
    const [, name = '', type = ''] = /^([^=]+)=(.+)$/.exec(text)?.map(part => part.trim()) ?? []
    if (!statable.includes(type))
      throw new UsageError(
        `--type takes a column and its type, such as \`code=text\`, but it is \`${text}\`. Types: ${quotedList(statable)}.`
      )
    if (stated.has(name)) throw new UsageError(`--type states two types of \`${name}\`.`)
    stated.set(name, type)
  }
  return stated
}

/** A number of JSON or of a typed file is a double: digits tell nothing about it. */
const holdsNumber = (type: string, value: number): boolean =>
  type === 'double precision' ||
  (type === 'real' && Number.isFinite(Math.fround(value)) && (value === 0 || Math.fround(value) !== 0))

function fits(type: string, value: JsonValue, text: string): boolean {
  if (typeof value === 'number' && holdsNumber(type, value)) return true
  return (holds[type] ?? others[type])?.(text) ?? true
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The most words of a category, and how many characters the longest may have: an index holds no long texts. */
const maxWords = 300
const longestWord = 200

/** What a file says of a column: types that it may have, the narrowest first, and its type without values. */
export type DeclaredType = Readonly<{ among: readonly string[]; empty: string }>

/** Collects the values of one column, and tells which type can hold all of them. */
export class ColumnType {
  #left: readonly string[]
  readonly #empty: string
  #hasText = false
  #hasLong = false
  #hasJson = false
  readonly #distinct = new Set<string>()
  #rows = 0
  nulls = 0
  example: string | undefined

  constructor({ among, empty }: DeclaredType = { among: Object.keys(holds), empty: 'text' }) {
    this.#left = among
    this.#empty = empty
  }

  note(value: JsonValue): void {
    if (value === null) {
      this.nulls += 1
      return
    }
    const text = textOf(value)
    this.example ??= text.slice(0, 60)
    this.#rows += 1
    if (text.length > longestWord) this.#hasLong = true
    else if (this.#distinct.size <= maxWords) this.#distinct.add(text)
    if (typeof value === 'object') this.#hasJson = true
    else this.#hasText = true
    if (!this.#left.every(type => fits(type, value, text)))
      this.#left = this.#left.filter(type => fits(type, value, text))
  }

  /** Whether the column has few words that come again, such as codes of countries. */
  get isCategory(): boolean {
    return (
      this.type === 'text' && !this.#hasLong && this.#distinct.size <= maxWords && this.#distinct.size * 2 < this.#rows
    )
  }

  get type(): string {
    if (this.#hasJson) return 'jsonb'
    return this.#hasText ? (this.#left[0] ?? 'text') : this.#empty
  }
}

/** U+0000 as JSON writes it within a value, after an even number of backslashes. */
const nestedNul = /(?<!\\)(?:\\\\)*\\u0000/

/** Returns why a column cannot hold a value; undefined if it can, or only the database can tell. */
export function misfit(type: string, value: JsonValue): string | undefined {
  if (value === null) return undefined
  const text = textOf(value)
  if (text.includes('\0') || (typeof value === 'object' && nestedNul.test(text))) return 'holds U+0000'
  return fits(type, value, text) ? undefined : `is \`${text.slice(0, 60)}\`, and the column is \`${type}\``
}

/** Returns a value as it is copied into a column. */
export const copied = (type: string, value: JsonValue): string | null =>
  value === null ? null : /^jsonb?$/.test(type) ? JSON.stringify(value) : textOf(value)
