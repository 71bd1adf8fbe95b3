import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { asText, compileModifiers } from './modifiers.ts'
import type { Expression, MemberPath } from '../source.ts'

/** The values that an expression can refer to: those of the loops, and `file`. */
export type ExpressionScope = Readonly<Record<string, JsonValue | undefined>>
/** Rows of a lookup table by key. */
export type SideTable = ReadonlyMap<string, ExpressionScope>
export type Read = (scope: ExpressionScope) => JsonValue

/** The lookup tables and named expressions that an expression can refer to besides the scope. */
export type Named = Readonly<{
  tables: ReadonlyMap<string, SideTable>
  expressions?: Readonly<Record<string, Expression>> | undefined
}>

/** Returns the names in a path; the first is the name of a loop. */
export const stepsOf = (path: MemberPath): readonly string[] => (typeof path === 'string' ? path.split('.') : path)

/**
 * Compiles a path such as `a.b.0`, or `[a, b, '0']`, into a function that reads it from objects and arrays; null when
 * missing.
 */
export function compilePath(path: MemberPath): Read {
  const steps = stepsOf(path)
  // Rows are plain objects, so only a name that `Object.prototype` also has could be found there by mistake.
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
 * Compiles an expression into a function of a row. `check-reader.ts` has already checked its references and patterns.
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
    // `check-reader.ts` ensures that an expression uses only those declared above it, so this recursion ends.
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
  const table: SideTable = named.tables.get(expression.lookup) ?? new Map()
  const key = compileExpression(expression.key, named)
  const found = compilePath(expression.path)
  return scope => {
    const row = table.get(asText(key(scope)))
    return row === undefined ? null : found(row)
  }
}
