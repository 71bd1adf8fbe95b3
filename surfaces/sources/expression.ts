import type { JsonObject, JsonValue } from '../../core/canonical/json.ts'
import type { Expression, Modifiers, Transform } from './source.ts'

/** The values that expressions can name: the rows of the loops, and `file`. */
export type Scope = Readonly<Record<string, JsonValue | undefined>>
/** Rows of a side file by key. */
export type Table = ReadonlyMap<string, Scope>
export type Read = (scope: Scope) => JsonValue

const isObject = (value: JsonValue | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A scalar as text; an object or a list has none. */
export const asText = (value: JsonValue): string => typeof value === 'object' ? '' : String(value)
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

const transforms: Readonly<Record<Transform, (value: JsonValue) => JsonValue>> = {
  lower: value => typeof value === 'string' ? value.toLowerCase() : value,
  upper: value => typeof value === 'string' ? value.toUpperCase() : value,
  trim: value => typeof value === 'string' ? value.replace(/\s+/gu, ' ').trim() : value,
  integer: value => {
    if (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value)) return Number(value)
    return Number.isSafeInteger(value) ? value : null
  },
  list: value => value === null || isList(value) ? value : [value]
}

/** Reads `a.b.0`: members of objects and arrays. What is not there is null. */
export function compilePath (path: string): Read {
  const steps = path.split('.')
  return scope => {
    let value: JsonValue | undefined = scope as JsonObject
    for (const step of steps) {
      if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(step)]
      else if (isObject(value) && Object.hasOwn(value, step)) value = value[step]
      else return null
    }
    return value ?? null
  }
}

/** Makes an expression a function of a row. Throws when it names a table that is not declared or a pattern that is none. */
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
      return texts.length === 0 ? null : texts.join(expression.with)
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
  const table = tables.get(expression.lookup)
  if (table === undefined) throw new Error(`There is no table \`${expression.lookup}\`. Declared: ${[...tables.keys()].join(', ') || 'none'}.`)
  const key = compileExpression(expression.key, tables)
  const found = compilePath(expression.path)
  return scope => {
    const row = table.get(asText(key(scope)))
    return row === undefined ? null : found(row)
  }
}

function compileModifiers ({ none, pattern, values, transform = [], group = '' }: Modifiers): (value: JsonValue) => JsonValue {
  const nothing = new Set(none)
  const regex = pattern === undefined ? undefined : compilePattern(pattern, group)
  const otherwise = new Map(Object.entries(values ?? {}))
  const steps = transform.map(name => transforms[name])

  const one = (given: JsonValue): JsonValue => {
    let value = given
    if (value === null || nothing.has(value)) return null
    if (regex !== undefined) value = regex.exec(asText(value))?.groups?.[group] ?? null
    if (value !== null) value = otherwise.get(asText(value)) ?? value
    for (const step of steps) value = step(value)
    return value
  }
  return value => {
    if (!isList(value)) return one(value)
    const kept = value.map(one).filter(member => member !== null)
    return kept.length === 0 ? null : kept
  }
}

function compilePattern (pattern: string, group: string): RegExp {
  const regex = new RegExp(pattern, 'u')
  // An empty alternative always matches, and its match lists the names of all groups.
  if (!Object.hasOwn(new RegExp(`${pattern}|`, 'u').exec('')?.groups ?? {}, group)) throw new Error(`The pattern \`${pattern}\` has no group \`${group}\`.`)
  return regex
}
