import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import type { Expression, Modifiers, Transform } from './source.ts'

/** The values that expressions can name: the rows of the loops, and `file`. */
export type Scope = Readonly<Record<string, JsonValue | undefined>>
/** Rows of a side file by key. */
export type Table = ReadonlyMap<string, Scope>
export type Read = (scope: Scope) => JsonValue

/** A scalar as text; an object or a list has none. */
export const asText = (value: JsonValue): string => typeof value === 'object' ? '' : String(value)
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

const transforms: Readonly<Record<Transform, (value: JsonValue) => JsonValue>> = {
  lower: value => typeof value === 'string' ? value.toLowerCase() : value,
  upper: value => typeof value === 'string' ? value.toUpperCase() : value,
  trim: value => typeof value === 'string' ? value.trim().replace(/[ \t\r\n]+/g, ' ') : value,
  integer: value => {
    if (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value)) return Number(value)
    return Number.isSafeInteger(value) ? value : null
  },
  list: value => value === null || isList(value) ? value : [value],
  unescape: value => typeof value === 'string' ? value.replace(/&(?:#([0-9]{1,6})|#x([0-9a-f]{1,6})|([a-z]+));/giu, unescapeEntity) : value
}

/** The entities that upstreams leave in plain texts. */
const entities = new Map([['amp', '&'], ['lt', '<'], ['gt', '>'], ['quot', '"'], ['apos', "'"], ['nbsp', ' ']])

function unescapeEntity (whole: string, decimal: string | undefined, hexadecimal: string | undefined, name: string | undefined): string {
  if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** Cuts a text at each of the separators; blank parts are left out. */
export function splitText (text: string, separators: readonly string[]): string[] {
  // Most texts have no separator.
  const parts = separators.reduce<string[]>((cut, separator) => text.includes(separator) ? cut.flatMap(part => part.split(separator)) : cut, [text])
  return parts.map(part => part.trim()).filter(part => part !== '')
}

/** Reads `a.b.0`: members of objects and arrays. What is not there is null. */
export function compilePath (path: string): Read {
  const steps = path.split('.')
  // Rows are plain data: a member of any other name that they do not have themselves they do not have at all.
  const mayBeInherited = steps.some(step => step in Object.prototype)
  return scope => {
    let value: JsonValue | undefined = scope as JsonObject
    for (const step of steps) {
      if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(step)]
      else if (isObject(value) && (!mayBeInherited || Object.hasOwn(value, step))) value = value[step]
      else return null
    }
    return value ?? null
  }
}

/** Makes an expression a function of a row. What it names and its patterns are sound: `check-reader.ts` sees to that. */
export function compileExpression (expression: Expression, tables: ReadonlyMap<string, Table>): Read {
  if (typeof expression === 'string') return compilePath(expression)
  const origin = compileOrigin(expression, tables)
  const change = compileModifiers(expression)
  return scope => change(origin(scope))
}

function compileOrigin (expression: Exclude<Expression, string>, tables: ReadonlyMap<string, Table>): Read {
  if ('path' in expression && !('lookup' in expression)) return compilePath(expression.path)
  if ('const' in expression) return () => expression.const
  if ('join' in expression) {
    const members = expression.join.map(member => compileExpression(member, tables))
    return scope => {
      const texts = members.flatMap(member => member(scope)).filter(value => value !== null && typeof value !== 'object')
      return texts.length === 0 ? null : texts.map(text => String(text).trim()).join(expression.with)
    }
  }
  if ('first' in expression) {
    const members = expression.first.map(member => compileExpression(member, tables))
    return scope => {
      for (const member of members) {
        const value = member(scope)
        if (value !== null) return value
      }
      return null
    }
  }
  const table: Table = tables.get(expression.lookup) ?? new Map()
  const key = compileExpression(expression.key, tables)
  const found = compilePath(expression.path)
  return scope => {
    const row = table.get(asText(key(scope)))
    return row === undefined ? null : found(row)
  }
}

function compileModifiers ({ split, item, none, pattern, values, transform = [], group = '' }: Modifiers): (value: JsonValue) => JsonValue {
  const nothing = none === undefined ? undefined : new Set(none)
  const regex = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const otherwise = values === undefined ? undefined : new Map(Object.entries(values))
  const steps = transform.map(name => transforms[name])

  const one = (given: JsonValue): JsonValue => {
    let value = given
    if (value === null || nothing?.has(value) === true) return null
    if (regex !== undefined) value = regex.exec(asText(value))?.groups?.[group] ?? null
    if (otherwise !== undefined && value !== null) value = otherwise.get(asText(value)) ?? value
    for (const step of steps) value = step(value)
    return value
  }
  return given => {
    const whole = split === undefined || given === null ? given : splitText(asText(given), split)
    const value = item !== undefined && isList(whole) ? whole.at(item) ?? null : whole
    if (!isList(value)) return one(value)
    const kept = value.map(one).filter(member => member !== null)
    return kept.length === 0 ? null : kept
  }
}
