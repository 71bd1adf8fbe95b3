import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { asText, compileModifiers } from './modifiers.ts'
import type { Expression, Path } from '../source.ts'

/** The values that expressions can name: the rows of the loops, and `file`. */
export type Scope = Readonly<Record<string, JsonValue | undefined>>
/** Rows of a side file by key. */
export type Table = ReadonlyMap<string, Scope>
export type Read = (scope: Scope) => JsonValue

/** What expressions may name beside the scope. */
export type Named = Readonly<{
  tables: ReadonlyMap<string, Table>
  expressions?: Readonly<Record<string, Expression>> | undefined
}>

/** The names that a path follows, the loop first. */
export const stepsOf = (path: Path): readonly string[] => (typeof path === 'string' ? path.split('.') : path)

/** Reads `a.b.0`, or `[a, b, '0']`: members of objects and arrays. What is not there is null. */
export function compilePath(path: Path): Read {
  const steps = stepsOf(path)
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

/**
 * Makes an expression a function of a row. What it names and its patterns are sound: `check-reader.ts` sees to that.
 */
export function compileExpression(expression: Expression, named: Named): Read {
  if (typeof expression === 'string') return compilePath(expression)
  const origin = compileOrigin(expression, named)
  const change = compileModifiers(expression)
  if (expression.when === undefined) return scope => change(origin(scope))
  const condition = compileExpression(expression.when.value, named)
  const { is } = expression.when
  return scope => (is.some(value => value === condition(scope)) ? change(origin(scope)) : null)
}

function compileOrigin(expression: Exclude<Expression, string>, named: Named): Read {
  if ('path' in expression && !('lookup' in expression)) return compilePath(expression.path)
  if ('const' in expression) return () => expression.const
  if ('use' in expression) {
    // `check-reader.ts` sees to it that an expression uses only those above it.
    return compileExpression(named.expressions?.[expression.use] ?? { const: null }, named)
  }
  if ('join' in expression) {
    const members = expression.join.map(member => compileExpression(member, named))
    return scope => {
      const texts = members
        .flatMap(member => member(scope))
        .filter(value => value !== null && typeof value !== 'object')
      return texts.length === 0 ? null : texts.map(text => String(text).trim()).join(expression.with)
    }
  }
  if ('first' in expression) {
    const members = expression.first.map(member => compileExpression(member, named))
    return scope => {
      for (const member of members) {
        const value = member(scope)
        if (value !== null) return value
      }
      return null
    }
  }
  const table: Table = named.tables.get(expression.lookup) ?? new Map()
  const key = compileExpression(expression.key, named)
  const found = compilePath(expression.path)
  return scope => {
    const row = table.get(asText(key(scope)))
    return row === undefined ? null : found(row)
  }
}
