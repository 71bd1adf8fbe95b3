import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import type { Expression, MemberPath, Modifiers, RowStep, Transform } from '../source.ts'
import { unescapeEntities } from '../withheld.ts'
import type { Uses } from './uses.ts'

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** Returns a scalar as text; '' for an object, a list or null. */
export const asText = (value: JsonValue): string => (typeof value === 'object' ? '' : String(value))

const ofText =
  (change: (text: string) => string) =>
  (value: JsonValue): JsonValue =>
    typeof value === 'string' ? change(value) : value

const transforms: Readonly<Record<Transform, (value: JsonValue) => JsonValue>> = {
  lower: ofText(text => text.toLowerCase()),
  upper: ofText(text => text.toUpperCase()),
  trim: ofText(text => text.trim().replace(/[ \t\r\n]+/g, ' ')),
  integer: value => {
    if (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value)) return Number(value)
    return Number.isSafeInteger(value) ? value : null
  },
  list: value => (value === null || isList(value) ? value : [value]),
  unescape: ofText(unescapeEntities),
  strip_tags: ofText(text => text.replace(/<\/?[a-z][^<>]*>/giu, ' '))
}

/** Splits a text at each of the separators into trimmed parts; blank parts are left out. */
function splitAtEach(text: string, separators: readonly string[]): string[] {
  // Most texts contain no separator, so `split` is called only when one does.
  const parts = separators.reduce<string[]>(
    (cut, separator) => (text.includes(separator) ? cut.flatMap(part => part.split(separator)) : cut),
    [text]
  )
  return parts.map(part => part.trim()).filter(part => part !== '')
}

const escaped = (text: string): string => text.replace(/[^\w]/gu, '\\$&')

/**
 * Compiles a date format, in which `D`, `M` and `Y` are the numbers of day, month and year and all else is literal,
 * into a function that converts such dates to ISO 8601. Other values stay as they are.
 */
function dateReader(format: string): (value: JsonValue) => JsonValue {
  const form = new RegExp(
    `^${Array.from(format, String)
      .map(sign =>
        sign === 'Y' ? '(?<Y>[0-9]{4})' : sign === 'M' || sign === 'D' ? `(?<${sign}>[0-9]{1,2})` : escaped(sign)
      )
      .join('')}$`,
    'u'
  )
  return value => {
    const { Y = '', M = '', D = '' } = form.exec(asText(value).trim())?.groups ?? {}
    return Y === '' ? value : [Y, M.padStart(2, '0'), D.padStart(2, '0')].join('-')
  }
}

/**
 * Compiles `where` and `take`: in a list of objects, finds the first with the members in `where` and returns its member
 * `take`.
 */
function taker(modifiers: Modifiers, uses: Uses | undefined): ((value: JsonValue) => JsonValue) | undefined {
  const { where, take } = modifiers
  if (where === undefined || take === undefined) return undefined
  const wanted = Object.entries(where)
  return value => {
    const found = isList(value)
      ? value.find(member => isObject(member) && wanted.every(([name, one]) => member[name] === one))
      : undefined
    uses?.see(modifiers, 'where', found)
    return (found as JsonObject | undefined)?.[take] ?? null
  }
}

type Step = (value: JsonValue) => JsonValue

/** Compiles the modifiers that are applied in turn to a value, or to each member of a list; a null skips the rest. */
function changesOf(modifiers: Modifiers, transform: readonly Transform[], uses: Uses | undefined): readonly Step[] {
  const { none, replace = {}, pattern, values, group = '', format, pad } = modifiers
  const see = <Used>(part: keyof Modifiers, used: Used): Used => {
    uses?.see(modifiers, part, used)
    return used
  }
  const steps: Step[] = []
  if (none !== undefined) {
    const nothing = new Set(none)
    steps.push(value => (nothing.has(value) ? null : value))
  }
  for (const [from, to] of Object.entries(replace)) {
    steps.push(value => {
      const text = asText(value)
      see('replace', text.includes(from) ? from : undefined)
      return text.replaceAll(from, () => to)
    })
  }
  if (pattern !== undefined) {
    const regex = new RegExp(pattern, 'u')
    steps.push(value => see('pattern', regex.exec(asText(value))?.groups?.[group]) ?? null)
  }
  if (values !== undefined) {
    const otherwise = new Map(Object.entries(values))
    steps.push(value => {
      const text = asText(value)
      see('values', otherwise.has(text) ? text : undefined)
      return otherwise.get(text) ?? value
    })
  }
  steps.push(...transform.map(name => transforms[name]))
  if (format !== undefined) steps.push(dateReader(format))
  if (pad !== undefined)
    steps.push(value => {
      const digits = see('pad', /^[0-9]+$/.exec(asText(value))?.[0])
      return digits === undefined ? value : digits.padStart(pad, '0')
    })
  return steps
}

/** Applies steps one after the other, up to the first that returns null. */
const inTurn =
  (steps: readonly Step[]): Step =>
  given => {
    let value = given
    for (const step of steps) {
      if (value === null) return null
      value = step(value)
    }
    return value
  }

/**
 * Compiles the modifiers of an expression. They are applied in this fixed order: `where` with `take`, `split`, `item`;
 * then, to the value or each member of a list, `none`, `replace`, `pattern` with `group`, `values`, `transform` (as
 * listed), `format`, `pad`. Null stays null; members that become null are removed, and an empty list becomes null.
 * `transform: [list]` makes a list of one value, and leaves a list as it is.
 */
export function compileModifiers(modifiers: Modifiers, uses?: Uses): (value: JsonValue) => JsonValue {
  const { split, item, transform = [] } = modifiers
  const take = taker(modifiers, uses)
  const changeOne = inTurn(changesOf(modifiers, transform, uses))
  const changeMember = inTurn(
    changesOf(
      modifiers,
      transform.filter(name => name !== 'list'),
      uses
    )
  )
  return given => {
    const taken = take === undefined ? given : take(given)
    const whole = split === undefined || taken === null ? taken : splitAtEach(asText(taken), split)
    const value = item !== undefined && isList(whole) ? (whole.at(item) ?? null) : whole
    if (!isList(value)) return changeOne(value)
    const kept = value.map(changeMember).filter(member => member !== null)
    return kept.length === 0 ? null : kept
  }
}

/** The values that an expression can refer to: those of the loops, and `file`. */
export type ExpressionScope = Readonly<Record<string, JsonValue | undefined>>
/** Rows of a lookup table by key. */
export type SideTable = ReadonlyMap<string, ExpressionScope>
export type CompiledExpression = (scope: ExpressionScope) => JsonValue

/** The lookup tables and named expressions that an expression can refer to besides the scope. */
export type ExpressionContext = Readonly<{
  tables: ReadonlyMap<string, SideTable>
  expressions?: Readonly<Record<string, Expression>> | undefined
  /** Remembers which parts of the expressions are of use. */
  uses?: Uses | undefined
}>

/** Returns the names in a path; the first is a variable of a loop or `file`. */
export const stepsOf = (path: MemberPath): readonly string[] => (typeof path === 'string' ? path.split('.') : path)

/**
 * Compiles a path such as `a.b.0`, or `[a, b, '0']`, into a function that reads it from objects and arrays; null when
 * missing.
 */
export function compilePath(path: MemberPath): CompiledExpression {
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
export function compileExpression(expression: Expression, named: ExpressionContext): CompiledExpression {
  if (typeof expression === 'string') return compilePath(expression)
  const origin = compileOrigin(expression, named)
  const change = compileModifiers(expression, named.uses)
  if (expression.when === undefined) return scope => change(origin(scope))
  const condition = compileExpression(expression.when.value, named)
  const { when } = expression
  return scope => {
    const value = condition(scope)
    const isMet = when.is.includes(value)
    named.uses?.see(when, 'is', isMet ? value : undefined)
    return isMet ? change(origin(scope)) : null
  }
}

function compileOrigin(expression: Exclude<Expression, string>, named: ExpressionContext): CompiledExpression {
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
    named.uses?.see(expression, 'lookup', row)
    return row === undefined ? null : found(row)
  }
}

type Loop = (scope: ExpressionScope) => Iterable<ExpressionScope>

/** Returns the scope with one member of a loop added to it. */
export const within = (
  scope: ExpressionScope,
  { as, key }: RowStep,
  name: string | number,
  value: JsonValue
): ExpressionScope => (key === undefined ? { ...scope, [as]: value } : { ...scope, [as]: value, [key]: name })

/** Returns the variable names that the loops define for expressions inside them. */
export const loopNames = (steps: readonly RowStep[]): readonly string[] =>
  steps.flatMap(({ as, key }) => (key === undefined ? [as] : [as, key]))

/** The paths of a loop, in the order in which they are tried. */
export const pathsOf = ({ each = '', or = [] }: RowStep): readonly MemberPath[] => [each, ...or]

const membersOf = (value: JsonValue, { split }: RowStep): readonly (readonly [string | number, JsonValue])[] => {
  const members = split === undefined ? value : splitAtEach(asText(value), split)
  return members !== null && typeof members === 'object' ? Object.entries(members) : []
}

function compileStep(step: RowStep, lose: (loop: string) => void): Loop {
  const reads = pathsOf(step).map(compilePath)
  const otherwise: CompiledExpression | undefined =
    step.otherwise === undefined ? undefined : compilePath(step.otherwise)
  return function* (scope) {
    let turns: ReturnType<typeof membersOf> = []
    for (const read of reads) if (turns.length === 0) turns = membersOf(read(scope), step)
    const instead = turns.length > 0 ? null : (otherwise?.(scope) ?? null)
    if (instead !== null) yield within(scope, step, 0, instead)
    else if (turns.length === 0) lose(step.as)
    for (const [key, value] of turns) yield within(scope, step, key, value)
  }
}

/**
 * Compiles nested loops into a function that yields one scope for each iteration of the innermost loop, with the values
 * of all loops by name. Calls `lose` with the name of a loop that has neither members nor a value at `otherwise`.
 */
export const compileLoops = (steps: readonly RowStep[], lose: (loop: string) => void = () => undefined): Loop =>
  steps
    .map(step => compileStep(step, lose))
    .reduceRight<Loop>(
      (inner, loop) =>
        function* (scope) {
          for (const turn of loop(scope)) yield* inner(turn)
        },
      function* (scope) {
        yield scope
      }
    )
