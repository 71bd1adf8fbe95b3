import type { JsonValue } from 'pantry/data'
import { formOf, type Attribute } from '../../catalogue/attribute.ts'
import { isBareNumber } from '../withheld.ts'

const wholeNumber = /^(?:0|-?[1-9][0-9]{0,14})$/

/**
 * Converts a value to the declared type where nothing is lost: a text that is a whole number becomes a number if the
 * type `integer` is allowed, and duplicates are removed from a list.
 */
export function typedValue(value: JsonValue, { types }: Attribute): JsonValue {
  if (typeof value === 'string') return types.includes('integer') && wholeNumber.test(value) ? Number(value) : value
  if (!Array.isArray(value) || value.length < 2) return value
  const members = value as readonly JsonValue[]
  const once = new Set(members)
  return once.size === members.length ? members : [...once]
}

/** The longest text of an attribute without a `longest` of its own. */
const longestText = 60

/**
 * Returns what is wrong with one text or whole number of an attribute, as the end of a sentence. Texts that are never
 * stored were refused before.
 */
function memberProblem(
  value: JsonValue,
  { least = 0, most, form, longest = longestText, values }: Attribute
): string | undefined {
  if (values !== undefined) return values.some(known => known === value) ? undefined : `be one of ${values.join(', ')}`
  if (typeof value === 'number')
    return value < least || (most !== undefined && value > most)
      ? `lie between ${least} and ${most ?? 'any number'}`
      : undefined
  if (typeof value !== 'string') return undefined
  if (value.length > longest) return `have at most ${longest} characters`
  return (form === undefined ? !isBareNumber(value) : formOf(form).test(value))
    ? undefined
    : form === undefined
      ? 'be no bare number'
      : 'have the form that is declared for it'
}

/** The most members remembered as valid, since many cards share the same values. */
const mostKnown = 10_000

/**
 * Returns a function that says why a value is not valid for the attribute of a card of a game, or `undefined` when it
 * is valid. Null is valid: the source does not know the value.
 */
export function attributeChecker(attribute: Attribute): (value: JsonValue, game: string) => string | undefined {
  const { name, types, games } = attribute
  const known = new Set<JsonValue>()
  const problemOf = (member: JsonValue): string | undefined => {
    if (known.has(member)) return undefined
    const problem = memberProblem(member, attribute)
    if (problem === undefined && known.size < mostKnown) known.add(member)
    return problem === undefined ? undefined : `\`attributes.${name}\` must ${problem}.`
  }
  return (value, game) => {
    if (value === null) return undefined
    if (games?.includes(game) === false) return `\`attributes.${name}\` is no attribute of \`${game}\`.`
    const type = Array.isArray(value)
      ? 'list'
      : typeof value === 'string'
        ? 'text'
        : Number.isInteger(value)
          ? 'integer'
          : undefined
    if (type === undefined || !types.includes(type))
      return `\`attributes.${name}\` must be of the type ${types.join(' or ')}.`
    if (!Array.isArray(value)) return problemOf(value)
    for (const member of value as readonly JsonValue[]) {
      const problem = problemOf(member)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}
