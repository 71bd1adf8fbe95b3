import { isObject, type JsonObject, type JsonValue } from 'pantry/data'
import { unescapeEntities } from '../entities.ts'
import type { Modifiers, Transform } from '../source.ts'

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** A scalar as text; an object or a list has none. */
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

/** Cuts a text at each of the separators; blank parts are left out. */
export function splitText(text: string, separators: readonly string[]): string[] {
  // Most texts have no separator.
  const parts = separators.reduce<string[]>(
    (cut, separator) => (text.includes(separator) ? cut.flatMap(part => part.split(separator)) : cut),
    [text]
  )
  return parts.map(part => part.trim()).filter(part => part !== '')
}

const escaped = (text: string): string => text.replace(/[^\w]/gu, '\\$&')

/**
 * A form of dates, `D`, `M` and `Y` for whole numbers of day, month and year and everything else as it is, as a reader
 * of dates as ISO 8601.
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

/** Of a list of objects, what `take` names of the first that has the given members: lists of name and value. */
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

/** What is done to a member of a list, or to the value, one after the other; a null goes no further. */
function stepsOf({
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
 * What is done to a value after it was found, in this order whatever the order in which it is written: `where` with
 * `take`, `split`, `item`; then to each member of a list, or to the value: `none`, `replace`, `pattern` with `group`,
 * `values`, `transform` in its own order, `format`, `pad`. A null stays null; members that become null leave their
 * list, and a list without members is null.
 */
export function compileModifiers(modifiers: Modifiers): (value: JsonValue) => JsonValue {
  const { split, item } = modifiers
  const take = taker(modifiers)
  const steps = stepsOf(modifiers)
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
    const whole = split === undefined || taken === null ? taken : splitText(asText(taken), split)
    const value = item !== undefined && isList(whole) ? (whole.at(item) ?? null) : whole
    if (!isList(value)) return one(value)
    const kept = value.map(one).filter(member => member !== null)
    return kept.length === 0 ? null : kept
  }
}
