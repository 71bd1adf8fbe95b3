import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { unescapeEntities } from '../entities.ts'
import type { Modifiers, Transform } from '../source.ts'

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

/** Splits a text at each of the separators; blank parts are left out. */
export function splitAtEach(text: string, separators: readonly string[]): string[] {
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
function taker({ where, take }: Modifiers): ((value: JsonValue) => JsonValue) | undefined {
  if (where === undefined || take === undefined) return undefined
  const wanted = Object.entries(where)
  return value => {
    const found = isList(value)
      ? value.find(member => isObject(member) && wanted.every(([name, one]) => member[name] === one))
      : undefined
    return (found as JsonObject | undefined)?.[take] ?? null
  }
}

type Step = (value: JsonValue) => JsonValue

/** Compiles the modifiers that are applied in turn to a value, or to each member of a list; a null skips the rest. */
function changesOf({
  none,
  replace = {},
  pattern,
  values,
  transform = [],
  group = '',
  format,
  pad
}: Modifiers): readonly Step[] {
  const steps: Step[] = []
  if (none !== undefined) {
    const nothing = new Set(none)
    steps.push(value => (nothing.has(value) ? null : value))
  }
  for (const [from, to] of Object.entries(replace)) steps.push(value => asText(value).replaceAll(from, () => to))
  if (pattern !== undefined) {
    const regex = new RegExp(pattern, 'u')
    steps.push(value => regex.exec(asText(value))?.groups?.[group] ?? null)
  }
  if (values !== undefined) {
    const otherwise = new Map(Object.entries(values))
    steps.push(value => otherwise.get(asText(value)) ?? value)
  }
  steps.push(...transform.map(name => transforms[name]))
  if (format !== undefined) steps.push(dateReader(format))
  if (pad !== undefined)
    steps.push(value => (/^[0-9]+$/.test(asText(value)) ? asText(value).padStart(pad, '0') : value))
  return steps
}

/**
 * Compiles the modifiers of an expression. They are applied in this fixed order: `where` with `take`, `split`, `item`;
 * then, to the value or each member of a list, `none`, `replace`, `pattern` with `group`, `values`, `transform` (as
 * listed), `format`, `pad`. Null stays null; members that become null are removed, and an empty list becomes null.
 */
export function compileModifiers(modifiers: Modifiers): (value: JsonValue) => JsonValue {
  const { split, item } = modifiers
  const take = taker(modifiers)
  const steps = changesOf(modifiers)
  const one = (given: JsonValue): JsonValue => {
    let value = given
    for (const step of steps) {
      if (value === null) return null
      value = step(value)
    }
    return value
  }
  return given => {
    const taken = take === undefined ? given : take(given)
    const whole = split === undefined || taken === null ? taken : splitAtEach(asText(taken), split)
    const value = item !== undefined && isList(whole) ? (whole.at(item) ?? null) : whole
    if (!isList(value)) return one(value)
    const kept = value.map(one).filter(member => member !== null)
    return kept.length === 0 ? null : kept
  }
}
