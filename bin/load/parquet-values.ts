import type { SchemaElement, SchemaTree } from 'hyparquet'
import { isListLike, isMapLike } from 'hyparquet/src/schema.js'
import type { JsonValue } from '../../core/canonical/json.ts'
import { parseStrictJson } from '../../core/source/strict-json.ts'

/** Turns what the reader of Parquet gives for a value into what is loaded. */
type Convert = (value: unknown) => JsonValue

/** How a column is loaded: its type in the table, or why it is not taken. */
export type ParquetColumn = Readonly<{ type: string; convert: Convert } | { reason: string }>

/** Notes that a column cannot hold some values as they are. */
type Tell = (what: string) => void

const text =
  (convert: (value: string) => JsonValue): Convert =>
  value =>
    convert(String(value))
const digits = (value: unknown): JsonValue =>
  typeof value === 'bigint' && !Number.isSafeInteger(Number(value)) ? String(value) : Number(value)
const bytesOf = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : new Uint8Array())

function parsed(value: string): JsonValue {
  const read = parseStrictJson(Buffer.from(value))
  return read.ok ? read.value : value
}

/** Reads a whole number of two's complement, the most significant byte first. */
function signed(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex')
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`))
}

/** Returns a decimal with all of its digits: 1250 with the scale 2 is `12.50`. */
function decimalText(unscaled: bigint, scale: number): string {
  const [sign, size] = unscaled < 0n ? ['-', -unscaled] : ['', unscaled]
  const figures = String(size).padStart(scale + 1, '0')
  return scale === 0
    ? `${sign}${figures}`
    : `${sign}${figures.slice(0, figures.length - scale)}.${figures.slice(figures.length - scale)}`
}

/** Returns the shortest decimal that is the same number with 32 bits. */
function single(value: number): number {
  for (const count of [6, 7, 8]) {
    const short = Number(value.toPrecision(count))
    if (Math.fround(short) === value) return short
  }
  return value
}

/** Reads a number of 16 bits (IEEE 754). */
function half(bytes: Uint8Array): number {
  const bits = ((bytes[1] ?? 0) << 8) | (bytes[0] ?? 0)
  const [sign, exponent, fraction] = [bits >> 15 === 0 ? 1 : -1, (bits >> 10) & 0x1f, bits & 0x3ff]
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}

const floored = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by

/** Returns the day and the time of microseconds since the start of 1970, without an offset. */
function localMoment(micros: bigint): string {
  const millis = floored(micros, 1000n)
  const time = new Date(Number(millis))
  if (Number.isNaN(time.getTime())) return String(micros)
  const rest = Number(micros - millis * 1000n)
  return time.toISOString().slice(0, -1) + (rest === 0 ? '' : String(rest).padStart(3, '0'))
}

const dayText = (days: number): string => {
  const time = new Date(days * 86_400_000)
  return Number.isNaN(time.getTime()) ? String(days) : time.toISOString().slice(0, -14)
}

type Unit = 'MILLIS' | 'MICROS' | 'NANOS'

/** Returns the microseconds of a time; nanoseconds are cut, and told. */
const microsOf =
  (unit: Unit, tell: Tell) =>
  (value: unknown): bigint => {
    const given = BigInt(value as bigint | number)
    if (unit !== 'NANOS') return unit === 'MILLIS' ? given * 1000n : given
    if (given % 1000n !== 0n) tell('nanoseconds are cut to microseconds')
    return floored(given, 1000n)
  }

const unitOf = (element: SchemaElement, legacy: string): Unit | undefined => {
  const { logical_type: logical, converted_type: converted } = element
  if (logical?.type === legacy && 'unit' in logical) return logical.unit
  return converted === `${legacy}_MILLIS` ? 'MILLIS' : converted === `${legacy}_MICROS` ? 'MICROS' : undefined
}

const finite =
  (convert: (value: number) => number, tell: Tell): Convert =>
  value => {
    const number = convert(Number(value))
    if (Number.isFinite(number)) return number
    tell('NaN and infinity are null')
    return null
  }

const bits = ({ converted_type: converted, logical_type: logical }: SchemaElement) =>
  logical?.type === 'INTEGER'
    ? { width: logical.bitWidth, isSigned: logical.isSigned }
    : { width: Number(/\d+$/.exec(converted ?? '')?.[0] ?? 0), isSigned: !(converted ?? '').startsWith('UINT_') }

function numberColumn(element: SchemaElement, tell: Tell): ParquetColumn | undefined {
  const { type } = element
  const { width, isSigned } = bits(element)
  if (type === 'BOOLEAN') return { type: 'boolean', convert: value => value === true }
  if (type === 'FLOAT') return { type: 'real', convert: finite(single, tell) }
  if (type === 'DOUBLE') return { type: 'double precision', convert: finite(value => value, tell) }
  if (type === 'INT32')
    return isSigned || width < 32
      ? { type: 'integer', convert: digits }
      : { type: 'bigint', convert: value => Number(value) >>> 0 }
  if (type === 'INT64')
    return isSigned
      ? { type: 'bigint', convert: digits }
      : { type: 'numeric', convert: value => digits(BigInt.asUintN(64, value as bigint)) }
  return undefined
}

function timeColumn(element: SchemaElement, tell: Tell): ParquetColumn | undefined {
  const { type, converted_type: converted, logical_type: logical } = element
  if (converted === 'DATE' || logical?.type === 'DATE') return { type: 'date', convert: days => dayText(Number(days)) }
  const unit = type === 'INT96' ? 'NANOS' : unitOf(element, 'TIMESTAMP')
  if (unit !== undefined) {
    const isLocal = logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC
    const micros = microsOf(unit, tell)
    return isLocal
      ? { type: 'timestamp without time zone', convert: value => localMoment(micros(value)) }
      : { type: 'timestamp with time zone', convert: value => `${localMoment(micros(value))}Z` }
  }
  const ofDay = unitOf(element, 'TIME')
  return ofDay === undefined
    ? undefined
    : { type: 'text', convert: value => localMoment(microsOf(ofDay, tell)(value)).slice(11) }
}

const words = ['STRING', 'ENUM', 'UTF8']

const isText = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  words.includes(converted ?? '') || words.includes(logical?.type ?? '')
const isJson = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  converted === 'JSON' || logical?.type === 'JSON'

/** Kinds of values that no column of a table holds. */
const strange = ['BSON', 'INTERVAL', 'VARIANT', 'GEOMETRY', 'GEOGRAPHY', 'FILE']

function leaf(element: SchemaElement, tell: Tell): ParquetColumn {
  const { converted_type: converted, logical_type: logical } = element
  const kind = [converted, logical?.type].find(name => strange.includes(name ?? ''))
  if (kind !== undefined) return { reason: `it is ${kind}` }
  if (isText(element)) return { type: 'text', convert: text(value => value) }
  if (isJson(element)) return { type: 'jsonb', convert: text(parsed) }
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0)
    const unscaled = (value: unknown): bigint =>
      value instanceof Uint8Array ? signed(value) : BigInt(value as number | bigint)
    return { type: 'numeric', convert: value => decimalText(unscaled(value), scale) }
  }
  if (logical?.type === 'UUID')
    return {
      type: 'uuid',
      convert: value =>
        Buffer.from(bytesOf(value))
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    }
  if (logical?.type === 'FLOAT16') return { type: 'real', convert: value => finite(single, tell)(half(bytesOf(value))) }
  return timeColumn(element, tell) ?? numberColumn(element, tell) ?? { reason: 'it holds bytes' }
}

const orNull =
  (convert: Convert): Convert =>
  value =>
    value === null || value === undefined ? null : convert(value)

/** Converts each member of a list, also of a list in a list. */
const each =
  (convert: Convert): Convert =>
  value =>
    Array.isArray(value) ? value.map(each(convert)) : orNull(convert)(value)

const membersOf = (value: unknown): readonly [string, unknown][] => Object.entries(Object(value) as object)

/** Follows the forms in which the reader gives lists, maps and structures. */
function nested(tree: SchemaTree, tell: Tell): ParquetColumn {
  const { children, element } = tree
  if (children.length === 0) {
    const own = leaf(element, tell)
    return 'reason' in own ? own : { type: 'jsonb', convert: each(own.convert) }
  }
  if (element.logical_type?.type === 'VARIANT') return { reason: 'it is VARIANT' }
  const parts = isMapLike(tree) ? (children[0]?.children.slice(1) ?? []) : listed(tree)
  const columns = parts.map(part => [part.element.name, nested(part, tell)] as const)
  const converts = new Map<string, Convert>()
  for (const [name, column] of columns) {
    if ('reason' in column) return { reason: `\`${name}\` in it is not taken: ${column.reason}` }
    converts.set(name, column.convert)
  }
  const [first] = converts.values()
  if (first === undefined) return { reason: 'it has no members' }
  if (isListLike(tree)) return { type: 'jsonb', convert: first }
  const memberOf = isMapLike(tree) ? () => first : (name: string) => converts.get(name)
  return {
    type: 'jsonb',
    convert: each(value =>
      Object.fromEntries(membersOf(value).map(([name, member]) => [name, memberOf(name)?.(member) ?? null]))
    )
  }
}

/** Returns the members of a structure, or the one kind of member of a list. */
function listed(tree: SchemaTree): readonly SchemaTree[] {
  if (!isListLike(tree)) return tree.children
  const [member] = tree.children
  return member?.children.length === 1 ? member.children : tree.children
}

/** Returns how a column of a Parquet file is loaded. */
export function parquetColumn(tree: SchemaTree, tell: Tell): ParquetColumn {
  if (tree.children.length > 0 || tree.element.repetition_type === 'REPEATED') return nested(tree, tell)
  const own = leaf(tree.element, tell)
  return 'reason' in own ? own : { type: own.type, convert: orNull(own.convert) }
}

/** Returns a group with its older mark of a list or a map, which is the only one that the reader knows. */
export function markedGroup(element: SchemaElement): SchemaElement {
  const { converted_type: converted, logical_type: logical } = element
  if (element.type !== undefined) return element
  if (converted === 'MAP_KEY_VALUE') return { ...element, converted_type: 'MAP' }
  return converted === undefined && (logical?.type === 'LIST' || logical?.type === 'MAP')
    ? { ...element, converted_type: logical.type }
    : element
}

/** Returns an element for the reader: of values, only texts keep what they mean, because it would round decimals. */
export function plainElement(element: SchemaElement): SchemaElement {
  if (element.type === undefined) return element
  const own = { ...element }
  delete own.converted_type
  delete own.logical_type
  return isText(element) || isJson(element) ? { ...own, converted_type: 'UTF8' } : own
}
